"""Where values are missing: in which series, when, and in which channel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from timemil_core.data.overview.bins import DoubleArray, bin_starts, binned_mean
from timemil_core.data.series_set import IntArray, SeriesSet

ROWS, BINS = 120, 240


@dataclass(frozen=True)
class MissingValues:
    """Missing values of a set; the padding that other formats put behind a series' end is not among them.

    Attributes
    ----------
    n_missing, n_values
        Of all series, time points and channels.
    n_series
        How many series have one or more.
    by_channel
        ``(n_channels,)``, the share missing in each channel.
    shares
        ``(n_rows, n_bins)``, the share missing of a group of neighbouring series and of a span of time, over all
        channels; NaN beyond the end of all of them. Groups without a missing value are left out.
    rows
        ``(n_rows, 2)``, the indices of the first and last series of each group.
    times
        ``(n_bins + 1,)``, the borders of the spans, on the set's own time axis.
    """

    n_missing: int
    n_values: int
    n_series: int
    by_channel: DoubleArray
    shares: DoubleArray
    rows: IntArray
    times: DoubleArray


def missing_values(series_set: SeriesSet) -> MissingValues:
    """Count what is missing (NaN), and say where."""
    lengths = series_set.lengths
    missing = np.array([np.isnan(values).sum(axis=1) for values in series_set.series])  # (n_series, n_channels)
    affected = np.flatnonzero(missing.any(axis=1))
    starts = bin_starts(int(lengths.max()), BINS)
    groups = np.array_split(affected, min(len(affected), ROWS)) if len(affected) else []
    shares = np.array([_share(series_set, group, starts) for group in groups]).reshape(len(groups), len(starts))
    return MissingValues(
        n_missing=int(missing.sum()),
        n_values=int(lengths.sum()) * series_set.n_channels,
        n_series=len(affected),
        by_channel=missing.sum(axis=0) / lengths.sum(),
        shares=shares,
        rows=np.array([[group[0], group[-1]] for group in groups], dtype=np.int64).reshape(-1, 2),
        times=np.append(starts, lengths.max()) / series_set.axis_rate,
    )


def _share(series_set: SeriesSet, group: IntArray, starts: IntArray) -> DoubleArray:
    """Return the share missing in each bin over the series of a group, those that reach it."""
    each = np.array(
        [binned_mean(np.isnan(series_set.series[index]).mean(axis=0), starts) for index in group]
    )  # (n_series, n_bins)
    reached = np.isfinite(each)
    return np.divide(
        np.where(reached, each, 0.0).sum(axis=0),
        reached.sum(axis=0),
        out=np.full(len(starts), np.nan),
        where=reached.any(axis=0),
    )
