"""Series of unequal lengths brought to one; by default nothing is done, since padding is masked."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from timemil_core.data.regridding import regridded, regridded_marks
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.timestamps import Timestamps
from timemil_core.data.wording import counted
from timemil_core.errors import DataError

LengthChoice = Literal["keep", "truncate", "stretch"]


def to_one_length(series_set: SeriesSet, how: LengthChoice, n_timepoints: int | None = None) -> SeriesSet:
    """Return the set with every series ``n_timepoints`` long.

    ``"truncate"`` keeps each beginning; by default as much as the shortest series has. ``"stretch"`` interpolates
    each series over its own duration; by default to the median length. Time is then a share of the series: the
    sampling rate no longer holds. ``"keep"`` changes nothing.

    Raises
    ------
    DataError
        Where fewer than two time points are asked for, or a series is shorter than it shall be truncated to.
    """
    if how == "keep":
        return series_set
    shortest, median = int(series_set.lengths.min()), int(np.median(series_set.lengths))
    n = n_timepoints or (shortest if how == "truncate" else median)
    if n < 2 or (how == "truncate" and n > shortest):
        raise DataError(
            f"The series cannot be brought to {counted(n, 'time point')}; the shortest has {shortest:,}.",
            where=series_set.name,
            remedy="Choose another length, leave the shortest series out, or keep lengths as they are.",
        )
    return _truncated(series_set, n) if how == "truncate" else _stretched(series_set, n)


def _truncated(series_set: SeriesSet, n: int) -> SeriesSet:
    truth, times = series_set.instance_labels, series_set.timestamps
    cut = series_set.lengths - n
    sentence = (
        f"{int((cut > 0).sum()):,} series were cut to {n:,} time points; "
        f"{counted(int(cut.sum()), 'time point')} behind were left out."
    )
    return replace(
        series_set,
        series=tuple(values[:, :n].copy() for values in series_set.series),
        instance_labels=None if truth is None else tuple(marks[:n].copy() for marks in truth),
        timestamps=times and Timestamps(tuple(one[:n] for one in times.values), times.unit),
        provenance=(*series_set.provenance, sentence),
    )


def _stretched(series_set: SeriesSet, n: int) -> SeriesSet:
    # a series of one time point has no duration: it is held
    shares = [np.linspace(0.0, 1.0, length) if length > 1 else np.zeros(1) for length in series_set.lengths]
    truth = series_set.instance_labels
    sentence = (
        f"Series of {series_set.lengths.min():,} to {series_set.lengths.max():,} time points were stretched to {n:,} "
        "by interpolation: time is now a share of the series, and frequencies of different series cannot be compared."
    )
    rate = float(n - 1)
    return replace(
        series_set,
        series=tuple(
            regridded(times, values, rate, n) if len(times) > 1 else np.repeat(values, n, axis=1)
            for times, values in zip(shares, series_set.series, strict=True)
        ),
        instance_labels=None
        if truth is None
        else tuple(regridded_marks(times, marks, rate, n) for times, marks in zip(shares, truth, strict=True)),
        sampling_rate=None,
        timestamps=None,
        provenance=(*series_set.provenance, sentence),
    )
