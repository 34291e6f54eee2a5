"""Choices of the time axis: its unit, its step, another sampling rate."""

from __future__ import annotations

from timemil_core.data.files.choices import Choosing
from timemil_core.data.resampling import own_rate, resample
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.units import SECONDS, with_step, with_time_unit


def choose_time_unit(series_set: SeriesSet, choosing: Choosing) -> SeriesSet:
    """Ask for the unit of the time column where it is open, or for the step between time points."""
    times = series_set.timestamps
    if times is not None and times.unit is None:
        unit = choosing.one_or_none(
            "time_unit",
            "Unit of the time column",
            list(SECONDS),
            None,
            help="The file does not tell it. All axes are in seconds once it is known.",
            reshapes=True,
        )
        if unit is not None:
            series_set = with_time_unit(series_set, unit)
    step = choosing.number(
        "step",
        "Step between time points",
        None,
        help="Empty: as it was read. Given, steps count as equal.",
    )
    unit = choosing.one("step_unit", "Unit of the step", list(SECONDS), "seconds")
    return series_set if step is None else with_step(series_set, step, unit)


def choose_rate(series_set: SeriesSet, choosing: Choosing) -> SeriesSet:
    """Offer to resample where the times are known."""
    rate = own_rate(series_set)
    if rate is None:
        return series_set
    chosen = choosing.number(
        "rate",
        "Resample to (Hz)",
        None,
        help=f"Empty: not at all. Now {rate:.6g} Hz"
        + (" in the median." if series_set.timestamps is not None else ".")
        + " Where points are taken away, what is too fast for the new rate is filtered out first.",
    )
    return series_set if chosen is None else resample(series_set, chosen)
