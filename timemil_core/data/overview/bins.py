"""Time points into bins, the missing ones and those beyond a series' end left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import IntArray

DoubleArray = npt.NDArray[np.float64]


def bin_starts(n_timepoints: int, n_bins: int) -> IntArray:
    """Return the first time point of each bin, ``(min(n_bins, n_timepoints),)``; bins differ by one at most."""
    n_bins = min(n_bins, n_timepoints)
    return np.arange(n_bins, dtype=np.int64) * n_timepoints // n_bins


def binned_mean(values: npt.NDArray[np.floating[Any]], starts: IntArray) -> DoubleArray:
    """Return the mean of each bin over the last axis, ``(…, n_bins)``; NaN where a bin has no observed value.

    ``values`` may end before the last bins do.
    """
    reached = starts[starts < values.shape[-1]]
    means = np.full((*values.shape[:-1], len(starts)), np.nan)
    observed = np.isfinite(values)
    sums = np.add.reduceat(np.where(observed, values, 0.0).astype(np.float64), reached, axis=-1)
    counts = np.add.reduceat(observed.astype(np.int64), reached, axis=-1)
    means[..., : len(reached)] = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return means
