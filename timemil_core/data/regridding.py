"""One series from the times at which it was observed onto a grid of equal steps."""

from __future__ import annotations

import math

import numpy as np

from timemil_core.data.series_set import BoolArray, FloatArray
from timemil_core.data.timestamps import DoubleArray

LONGEST_GAP = 5  # steps to the nearest observed value; beyond, a grid point stays missing


def regridded(times: DoubleArray, values: FloatArray, rate: float, n_points: int) -> FloatArray:
    """Return the series at ``times[0] + i / rate``, i from 0 to below ``n_points``.

    Each channel is interpolated linearly between its own observed values, so channels of different rates come
    together. Where that takes away points, frequencies above half the new rate are filtered out first
    (``scipy.signal.resample_poly``), or they would come back as slow waves that never were. A point that is farther
    than five steps from any observed value stays missing.

    Parameters
    ----------
    times
        ``(n_timepoints,)``, rising.
    values
        ``(n_channels, n_timepoints)``; NaN is a missing value.
    rate
        In points per unit of ``times``.

    Returns
    -------
    ``(n_channels, n_points)``.
    """
    return np.stack([_channel(times, channel, rate, n_points) for channel in values])


def _channel(times: DoubleArray, channel: FloatArray, rate: float, n_points: int) -> FloatArray:
    observed = np.isfinite(channel)
    if not observed.any():
        return np.full(n_points, np.nan, dtype=np.float32)
    known_times, known = times[observed], channel[observed].astype(np.float64)
    step = float(np.median(np.diff(known_times if known.size > 1 else times))) if len(times) > 1 else 1.0 / rate
    fineness = max(1, math.ceil(1.0 / (step * rate) - 1e-6))  # rounding must not cost a filter
    fine = times[0] + np.arange((n_points - 1) * fineness + 1) / (rate * fineness)
    made = _thinned(np.interp(fine, known_times, known), fineness)
    grid = fine[::fineness]
    made[_distance(grid, known_times) > LONGEST_GAP * max(step, 1.0 / rate)] = np.nan
    return made.astype(np.float32)


def _thinned(values: DoubleArray, factor: int) -> DoubleArray:
    if factor == 1:
        return values
    from scipy.signal import resample_poly

    # continued along the line between its ends, so that an offset does not ring at them
    thinned: DoubleArray = resample_poly(values, 1, factor, padtype="line")
    return thinned


def _distance(grid: DoubleArray, known_times: DoubleArray) -> DoubleArray:
    """Return how far each grid point is from the nearest of the known times."""
    after = np.clip(np.searchsorted(known_times, grid), 1, len(known_times) - 1) if len(known_times) > 1 else None
    if after is None:
        return np.abs(grid - known_times[0])
    return np.minimum(np.abs(grid - known_times[after - 1]), np.abs(grid - known_times[after]))


def regridded_marks(times: DoubleArray, marks: BoolArray, rate: float, n_points: int) -> BoolArray:
    """Return instance labels ``(n_points,)`` on the grid: each point's nearest mark, and no mark is lost."""
    grid = times[0] + np.arange(n_points) / rate
    after = np.searchsorted(times, grid).clip(0, len(times) - 1)
    before = (after - 1).clip(0)
    nearest = np.where(np.abs(grid - times[before]) <= np.abs(grid - times[after]), before, after)
    made = marks[nearest]
    places = np.rint((times[marks] - times[0]) * rate).astype(np.int64)
    made[places[places < n_points]] = True
    return made
