"""Fewer points than pixels: the only place where a figure changes what it was given.

A line keeps the smallest and the largest value of each bin, so no peak is lost; a heat map shows the mean (so that
colour times width is the mass) or the maximum of each bin, and says which.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from tsdownsample import MinMaxDownsampler

FloatArray = npt.NDArray[np.floating[Any]]
IndexArray = npt.NDArray[np.int64]

LINE_POINTS = 2000
HEAT_BINS = 1000


def kept_indices(values: FloatArray, n_points: int = LINE_POINTS) -> IndexArray:
    """Return which of ``(n_timepoints,)`` values to draw: at most ``n_points``, in order.

    The first and last observed value and each bin's smallest and largest are kept. Where a run of missing values
    is as wide as a bin, one of it is kept, so that the line is broken there.
    """
    n = len(values)
    if n <= n_points:
        return np.arange(n)
    observed = np.flatnonzero(np.isfinite(values))
    gaps = _gap_indices(observed, n, width=-(-8 * n // n_points))
    room = max((n_points - len(gaps) - 2) // 2 * 2, 2)
    if len(observed) > room:
        dense = np.ascontiguousarray(values[observed], dtype=np.float64)
        chosen = MinMaxDownsampler().downsample(dense, n_out=room).astype(np.int64)
        observed = observed[np.unique(np.concatenate([[0], chosen, [len(dense) - 1]]))]
    return np.union1d(observed, gaps).astype(np.int64)


def _gap_indices(observed: IndexArray, n: int, width: int) -> IndexArray:
    """Return the first missing index of each run of at least ``width`` missing values between observed ones."""
    before = np.concatenate([[-1], observed])
    after = np.concatenate([observed, [n]])
    return before[(after - before - 1) >= width] + 1


def decimate(
    times: npt.NDArray[Any], values: FloatArray, n_points: int = LINE_POINTS
) -> tuple[npt.NDArray[Any], FloatArray]:
    """Return the times and values to draw, both ``(at most n_points,)``; see `kept_indices`."""
    kept = kept_indices(values, n_points)
    return times[kept], values[kept]


def bin_edges(n_timepoints: int, n_bins: int = HEAT_BINS) -> IndexArray:
    """Return the first index of each bin and the end, ``(min(n_bins, n_timepoints) + 1,)``; bins differ by one."""
    return np.linspace(0, n_timepoints, min(n_bins, n_timepoints) + 1).round().astype(np.int64)


def bin_mean(weights: FloatArray, n_bins: int = HEAT_BINS) -> FloatArray:
    """Return the mean of the weights in each bin, over the last axis; NaN where all are missing."""
    n = weights.shape[-1]
    if n <= n_bins:
        return weights
    starts = bin_edges(n, n_bins)[:-1]
    observed = np.isfinite(weights)
    counts = np.add.reduceat(observed.astype(np.int64), starts, axis=-1)
    totals = np.add.reduceat(np.where(observed, weights, 0.0), starts, axis=-1)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)


def one_a_bin(moments: npt.NDArray[Any], span: tuple[float, float], n_bins: int = HEAT_BINS) -> npt.NDArray[Any]:
    """Return the moments within a span of time, one of those that fall into the same of its ``n_bins`` equal parts."""
    inside = np.sort(moments[(moments >= span[0]) & (moments <= span[1])])
    width = (span[1] - span[0]) / n_bins
    if len(inside) <= n_bins or not width:
        return inside
    return inside[np.unique(np.floor((inside - span[0]) / width), return_index=True)[1]]


def time_edges(times: npt.NDArray[Any], n_bins: int = HEAT_BINS) -> npt.NDArray[Any]:
    """Return the borders in time of the bins of a heat map: halfway between neighbouring time points.

    Parameters
    ----------
    times
        ``(n_timepoints,)``, ascending, at least one.
    n_bins
        As given to `bin_mean`.
    """
    steps = np.diff(times)
    first, last = (steps[0], steps[-1]) if len(steps) else (1.0, 1.0)
    borders = np.concatenate([[times[0] - first / 2], times[:-1] + steps / 2, [times[-1] + last / 2]])
    return borders[bin_edges(len(times), n_bins)]
