"""From a time column's values to a sampling rate."""

from __future__ import annotations

from timemil_core.data.report_line import ReportLine, note
from timemil_core.data.time_axis import rate_in_words
from timemil_core.data.timestamps import Timestamps


def sampling_rate(times: Timestamps, column: str) -> tuple[float | None, ReportLine]:
    """Estimate the sampling rate in Hz from the times of series, and say how.

    Returns None where the column's unit is not known or the steps are not equal; each point's position in its series
    then serves as its time, until the user names a unit or resamples.
    """
    if times.step is None:
        return None, note(f"Each series has one time point, so {column!r} tells no sampling rate.")
    if times.rate is None:
        return None, _unequal(times, column)
    if times.counts_points:
        return None, note(
            f"{column!r} counts time points.",
            remedy="Give the sampling rate to have seconds on the axis.",
            choice="sampling_rate",
        )
    if times.unit is None:
        return None, note(
            f"{column!r} rises in equal steps of {times.mean_step:.6g}, but in which unit is not known, so the axis "
            "counts time points.",
            remedy="Choose the time unit, or give the sampling rate.",
            choice="time_unit",
        )
    rate = times.rate if times.unit == 1 else float(f"{times.rate / times.unit:.12g}")
    return rate, note(f"{column!r} rises in equal steps: {rate_in_words(rate)}.", choice="time_unit")


def _unequal(times: Timestamps, column: str) -> ReportLine:
    remedy = "Resample the series to a grid of equal steps."
    kept = "The times are kept, and until then each time point's position in its series is used."
    if all(Timestamps((one,)).rate is not None for one in times.values if len(one) > 1):
        text = (
            f"The steps of {column!r} are equal within each series, but differ between series: they were sampled at "
            f"different rates. {kept}"
        )
        return note(text, remedy=remedy, choice="time_column")
    return note(f"The steps of {column!r} are not equal. {kept}", remedy=remedy, choice="time_column")
