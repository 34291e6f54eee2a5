"""A set and, for each channel of each series, the few numbers that several checks ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from timemil_core.data.series_set import FloatArray, SeriesSet
from timemil_core.data.timestamps import DoubleArray

POINTS_AT_ONCE = 2_000_000


@dataclass(frozen=True, eq=False)
class Measured:
    """A set with statistics of its observed values, each ``(n_series, n_channels)``.

    Attributes
    ----------
    n_observed
        Values that are neither missing nor infinite.
    low, high, mean, deviation
        Of them; NaN where there are none.
    least_step, largest_step
        From one time point to the next, where both are observed; NaN where no such pair is.
    """

    series_set: SeriesSet
    n_observed: DoubleArray
    low: DoubleArray
    high: DoubleArray
    mean: DoubleArray
    deviation: DoubleArray
    least_step: DoubleArray
    largest_step: DoubleArray


def measure(series_set: SeriesSet) -> Measured:
    """Take the statistics, some series at a time, so that memory stays bounded."""
    pieces = [_statistics(series) for series in _chunks(series_set)]
    return Measured(series_set, *(np.concatenate(parts) for parts in zip(*pieces, strict=True)))


def _chunks(series_set: SeriesSet) -> Iterator[list[FloatArray]]:
    chunk: list[FloatArray] = []
    n_points = 0
    for values in series_set.series:
        chunk.append(values)
        n_points += values.size
        if n_points >= POINTS_AT_ONCE:
            yield chunk
            chunk, n_points = [], 0
    if chunk:
        yield chunk


def _statistics(series: list[FloatArray]) -> list[DoubleArray]:
    starts = np.cumsum([0, *(values.shape[1] for values in series[:-1])])
    lengths = np.array([values.shape[1] for values in series])
    values = np.concatenate(series, axis=1).astype(np.float64)
    values[~np.isfinite(values)] = np.nan
    observed = ~np.isnan(values)
    counts = np.add.reduceat(observed, starts, axis=1, dtype=np.float64)
    divisor = np.where(counts > 0, counts, np.nan)
    means = np.add.reduceat(np.where(observed, values, 0.0), starts, axis=1) / divisor
    distances = np.where(observed, values - np.repeat(means, lengths, axis=1), 0.0)
    deviations = np.sqrt(np.add.reduceat(np.square(distances), starts, axis=1) / divisor)
    steps = np.diff(values, axis=1, prepend=np.nan)
    steps[:, starts] = np.nan  # from one series to the next is no step
    extremes = [
        take.reduceat(what, starts, axis=1) for what in (values, steps) for take in (np.fmin, np.fmax)
    ]  # these pass over NaN
    low, high, least_step, largest_step = extremes
    return [one.T for one in (counts, low, high, means, deviations, least_step, largest_step)]
