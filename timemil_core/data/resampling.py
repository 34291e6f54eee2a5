"""A set of unequal steps, or of another rate, brought to one sampling rate, with what that does to frequencies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from timemil_core.data.regridding import LONGEST_GAP, regridded, regridded_marks
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.timestamps import DoubleArray
from timemil_core.errors import DataError

MOST_VALUES = 200_000_000
TOLERANCE = 1e-6  # of a step: a last point that rounding puts just beyond the end still belongs to the series


def own_rate(series_set: SeriesSet) -> float | None:
    """Return the sampling rate in Hz, or of unequal steps the one of their median; None where no unit is known."""
    times = series_set.timestamps
    if times is None or times.step_seconds is None:
        return series_set.sampling_rate
    return 1.0 / times.step_seconds


def resample(series_set: SeriesSet, rate: float) -> SeriesSet:
    """Bring every series to ``rate`` Hz; see ``regridded`` for how.

    Instance labels go to the nearest point, and none is lost.

    Raises
    ------
    DataError
        Where the rate is impossible, the times are not known, or too many values would be made.
    """
    if not 0 < rate < float("inf"):
        raise DataError(f"A sampling rate of {rate} Hz is impossible.", remedy="Give a positive number.")
    seconds = [_seconds(series_set, index) for index in range(len(series_set))]
    counts = [int((times[-1] - times[0]) * rate + TOLERANCE) + 1 for times in seconds]
    if sum(counts) * series_set.n_channels > MOST_VALUES:
        raise DataError(
            f"At {rate:g} Hz the set would hold {sum(counts) * series_set.n_channels:,} values; at most "
            f"{MOST_VALUES:,} can be.",
            where=series_set.name,
            remedy="Choose a lower sampling rate.",
        )
    each = list(zip(seconds, counts, strict=True))
    truth = series_set.instance_labels
    return replace(
        series_set,
        series=tuple(
            regridded(times, values, rate, n) for values, (times, n) in zip(series_set.series, each, strict=True)
        ),
        instance_labels=None
        if truth is None
        else tuple(regridded_marks(times, marks, rate, n) for marks, (times, n) in zip(truth, each, strict=True)),
        sampling_rate=float(rate),
        timestamps=None,
        provenance=(*series_set.provenance, *_told(series_set, rate)),
    )


def _seconds(series_set: SeriesSet, index: int) -> DoubleArray:
    times = series_set.timestamps
    if times is not None and times.unit is not None:
        return (times.values[index] - times.values[index][0]) * times.unit
    if times is not None:
        raise DataError(
            "The unit of the time column is not known.", where=series_set.name, remedy="Choose its unit first."
        )
    if series_set.sampling_rate is None:
        raise DataError(
            "When the time points were observed is not known.",
            where=series_set.name,
            remedy="Give the sampling rate first.",
        )
    return series_set.seconds(index)


def _told(series_set: SeriesSet, rate: float) -> list[str]:
    before = own_rate(series_set) or rate
    sentences = [f"Resampled to {rate:g} Hz: linear interpolation of each channel between its observed values."]
    if series_set.timestamps is not None:
        sentences.append(_told_of_steps(series_set))
    if rate < before * (1 - TOLERANCE):
        sentences.append(
            f"The highest frequency that is left is {rate / 2:g} Hz, of about {before / 2:g} Hz before; what was "
            "faster was filtered out."
        )
    else:
        sentences.append(f"Nothing faster than about {before / 2:g} Hz was recorded; finer steps add no detail.")
    sentences.append(f"Points farther than {LONGEST_GAP} steps from an observed value stay missing.")
    return sentences


def _told_of_steps(series_set: SeriesSet) -> str:
    times = series_set.timestamps
    if times is None or times.unit is None:
        return ""
    steps = np.concatenate([np.diff(one) for one in times.values]) * times.unit
    if not steps.size:
        return "Each series has one time point."
    return (
        f"Steps between time points were {steps.min():.4g} to {steps.max():.4g} s, in the median "
        f"{np.median(steps):.4g} s; where they were longer, less of the high frequencies is left."
    )
