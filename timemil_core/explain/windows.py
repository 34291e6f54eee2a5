"""Windows of time: how long by default, where they stand, and how a map is smoothed by one."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray
from timemil_core.errors import SettingsError

DoubleArray = npt.NDArray[np.float64]

MOST_WINDOWS = 128
STEPS_PER_WINDOW = 8  # windows that overlap by more than seven eighths tell nothing new
SHORTEST, SHARE = 5, 0.1


def window_length(window: int | None, n_timepoints: int) -> int:
    """Return a window in time points: the one given, by default a tenth of the series, at least 5.

    Raises
    ------
    SettingsError
        Where the window does not fit the series.
    """
    if window is None:
        return min(max(SHORTEST, round(SHARE * n_timepoints)), n_timepoints)
    if not 1 <= window <= n_timepoints:
        raise SettingsError(
            f"a window of {window} time points does not fit a series of {n_timepoints}.",
            remedy=f"Give a window from 1 to {n_timepoints}.",
        )
    return int(window)


def sliding_windows(n_timepoints: int, window: int) -> BoolArray:
    """Return evenly spread windows that cover every time point, at most 128 unless more are needed for that.

    ``(n_windows, n_timepoints)``; where 128 suffice, a window starts an eighth of its length after the one before.
    """
    last_start = n_timepoints - window
    wanted = math.ceil(last_start / max(1, window // STEPS_PER_WINDOW)) + 1
    needed = math.ceil(last_start / window) + 1
    n_windows = max(min(wanted, MOST_WINDOWS), needed)
    starts = np.unique(np.round(np.linspace(0, last_start, n_windows)).astype(np.intp))
    positions = np.arange(n_timepoints)
    return (positions >= starts[:, None]) & (positions < starts[:, None] + window)


def blocks(n_timepoints: int, length: int, offset: int = 0) -> npt.NDArray[np.intp]:
    """Return which block of a grid each time point is in, ``(n_timepoints,)`` from 0.

    The first block ends after ``length - offset`` time points, ``offset`` from 0 to ``length - 1``.
    """
    return (np.arange(n_timepoints) + offset) // length


def smoothed(values: DoubleArray, width: int) -> DoubleArray:
    """Spread each value evenly over the ``width`` time points around it (odd; fewer at the ends).

    ``(..., n_timepoints)`` to the same; the sum stays, so what is complete stays complete. A width of 1 changes
    nothing.
    """
    n_timepoints = values.shape[-1]
    reach = width // 2
    positions = np.arange(n_timepoints)
    first = np.maximum(positions - reach, 0)
    beyond = np.minimum(positions + reach + 1, n_timepoints)
    sums = np.cumsum(values / (beyond - first), axis=-1)
    sums = np.concatenate([np.zeros_like(sums[..., :1]), sums], axis=-1)
    return sums[..., beyond] - sums[..., first]


def smoothing_width(smoothing: int | None, n_timepoints: int) -> int:
    """Return an odd width: the one given, by default about a tenth of the series, at least 5.

    Raises
    ------
    SettingsError
        Where the width is even or does not fit the series.
    """
    if smoothing is None:
        width = window_length(None, n_timepoints)
        return width if width % 2 else width - 1 if width == n_timepoints else width + 1
    if not 1 <= smoothing <= n_timepoints or smoothing % 2 == 0:
        raise SettingsError(
            f"a smoothing over {smoothing} time points is not possible in a series of {n_timepoints}.",
            remedy="Give an odd number of time points; 1 does not smooth.",
        )
    return int(smoothing)
