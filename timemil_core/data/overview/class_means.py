"""The mean series of each class, with the band that half of its series lie in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from timemil_core.data.overview.bins import DoubleArray, bin_starts, binned_mean
from timemil_core.data.series_set import IntArray, SeriesSet

SERIES_A_CLASS = 300
SHARE_THAT_GOES_ON = 0.5


@dataclass(frozen=True)
class ClassMeans:
    """Means and bands over time.

    Attributes
    ----------
    times
        ``(n_bins,)``, the middle of each bin, in seconds or time points as the set's own axis.
    curves
        From class index (-1: class unknown) to ``(3, n_channels, n_bins)``: mean, first and third quartile over the
        series of the class; NaN where fewer than half of them go on, or none has a value.
    n_series
        From class index to how many series were averaged.
    channels
        Indices of the channels that were asked for, ``(n_channels,)``.
    n_timepoints_a_bin
        More than 1 where several time points were averaged first.
    """

    times: DoubleArray
    curves: dict[int, DoubleArray]
    n_series: dict[int, int]
    channels: tuple[int, ...]
    n_timepoints_a_bin: int


def class_means(
    series_set: SeriesSet, classes: Sequence[int], channels: Sequence[int], *, n_bins: int = 400
) -> ClassMeans:
    """Return the mean of each class over absolute time, and the quartiles around it.

    Parameters
    ----------
    classes
        Indices into the set's class names; -1 for series of unknown class. Classes without a series are left out.
    channels
        Indices of channels.
    n_bins
        Of time, from 0 to the longest series' end.

    Of each class at most 300 series are taken, evenly over the set.
    """
    longest = int(series_set.lengths.max())
    starts = bin_starts(longest, n_bins)
    ends = np.append(starts[1:], longest)
    curves, counts = {}, {}
    for label in classes:
        indices = np.flatnonzero(series_set.labels == label)
        if len(indices):
            chosen = indices[np.linspace(0, len(indices) - 1, min(len(indices), SERIES_A_CLASS)).round().astype(int)]
            curves[label] = _curve(series_set, chosen, list(channels), starts)
            counts[label] = len(chosen)
    middles = (starts + ends - 1) / 2 / series_set.axis_rate
    return ClassMeans(middles, curves, counts, tuple(channels), int((ends - starts).max()))


def _curve(series_set: SeriesSet, indices: IntArray, channels: list[int], starts: IntArray) -> DoubleArray:
    binned = np.stack([binned_mean(series_set.series[index][channels], starts) for index in indices])
    goes_on = (series_set.lengths[indices, None] > starts).mean(axis=0) >= SHARE_THAT_GOES_ON
    curve = np.full((3, *binned.shape[1:]), np.nan)
    for channel in range(binned.shape[1]):
        values = binned[:, channel]
        drawn = goes_on & np.isfinite(values).any(axis=0)
        curve[0, channel, drawn] = np.nanmean(values[:, drawn], axis=0)
        curve[1:, channel, drawn] = np.nanquantile(values[:, drawn], [0.25, 0.75], axis=0)
    return curve
