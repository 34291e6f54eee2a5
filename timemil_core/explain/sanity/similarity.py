"""How alike maps of one series are: by the order into which they bring its time points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

Map = npt.NDArray[np.float64]


def rank_similarity(maps: Sequence[Map]) -> npt.NDArray[np.float64]:
    """Return Spearman's correlation of each pair of maps of one series.

    Parameters
    ----------
    maps
        Each ``(n_timepoints,)``.

    Returns
    -------
    npt.NDArray[np.float64]
        ``(n_maps, n_maps)`` from -1 to 1; NaN where a map is the same everywhere, which is in no order.
    """
    correlation = pd.DataFrame(np.stack(maps, axis=1)).corr(method="spearman").to_numpy(copy=True)
    flat = [place for place, values in enumerate(maps) if np.ptp(values) == 0]
    correlation[flat, :] = correlation[:, flat] = np.nan
    return correlation


def mean_over_series(similarities: Sequence[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
    """Return the mean over series, of those in which a pair could be compared; NaN where there is none."""
    stacked = np.stack(similarities)
    compared = np.isfinite(stacked)
    counts = compared.sum(axis=0)
    sums = np.where(compared, stacked, 0.0).sum(axis=0)
    return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
