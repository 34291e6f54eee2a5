"""From a list of series to one padded array and its mask, in one place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray, FloatArray

Floating = TypeVar("Floating", bound=np.floating[Any])


def without_padding(values: npt.NDArray[Floating]) -> npt.NDArray[Floating]:
    """Return a series ``(n_channels, n_timepoints)`` without the time points at its end that are NaN in all channels.

    A series that is NaN throughout stays as it is: that is no padding, but a series without a value.
    """
    observed = np.flatnonzero(~np.isnan(values).all(axis=0))
    return values[:, : observed[-1] + 1] if observed.size else values


def pad(series: Sequence[FloatArray], length: int | None = None) -> tuple[FloatArray, BoolArray]:
    """Pad behind to a common length.

    Parameters
    ----------
    series
        Arrays ``(n_channels, n_timepoints)``.
    length
        The common length; by default the longest series'.

    Returns
    -------
    values
        ``(n_series, n_channels, length)``; 0 in the padding.
    mask
        ``(n_series, length)``, True where observed.
    """
    longest = max(values.shape[1] for values in series)
    length = longest if length is None else length
    if length < longest:
        raise ValueError(f"length {length} is shorter than the longest series, {longest}")
    values = np.zeros((len(series), series[0].shape[0], length), dtype=np.float32)
    mask = np.zeros((len(series), length), dtype=np.bool_)
    for row, one in enumerate(series):
        values[row, :, : one.shape[1]] = one
        mask[row, : one.shape[1]] = True
    return values, mask
