"""What a step of the time axis is, where the file could not tell: chosen by the user, used on every axis after."""

from __future__ import annotations

from dataclasses import replace

from timemil_core.data.series_set import SeriesSet
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError

SECONDS: dict[str, float] = {
    "nanoseconds": 1e-9,
    "microseconds": 1e-6,
    "milliseconds": 1e-3,
    "seconds": 1.0,
    "minutes": 60.0,
    "hours": 3600.0,
    "days": 86400.0,
}


def with_step(series_set: SeriesSet, step: float, unit: str = "seconds") -> SeriesSet:
    """Return the set with neighbouring time points ``step`` of a unit apart; times of unequal steps are given up.

    Raises
    ------
    DataError
        Where the step is not a positive number, or the unit is unknown.
    """
    seconds = step * _seconds(unit)
    if not 0 < seconds < float("inf"):
        raise DataError(f"A step of {step} {unit} is impossible.", remedy="Give a positive number.")
    rate = _shortest(1.0 / seconds)
    sentence = f"One time point every {step:g} {unit} ({rate:g} Hz) was given by hand."
    return replace(series_set, sampling_rate=rate, timestamps=None, provenance=(*series_set.provenance, sentence))


def with_time_unit(series_set: SeriesSet, unit: str) -> SeriesSet:
    """Return the set with the unit of its time column told: a sampling rate where its steps are equal.

    Raises
    ------
    DataError
        Where the set has no times whose unit is open, or the unit is unknown.
    """
    times = series_set.timestamps
    if times is None or times.step is None:
        raise DataError("There is no time column whose unit is open.", where=series_set.name)
    if times.rate is not None:
        return with_step(series_set, 1.0 / times.rate, unit)
    sentence = f"The time column counts {unit}; this was given by hand."
    return replace(
        series_set,
        timestamps=Timestamps(times.values, _seconds(unit)),
        provenance=(*series_set.provenance, sentence),
    )


def _seconds(unit: str) -> float:
    if unit not in SECONDS:
        raise DataError(f"The time unit {unit!r} is unknown.", remedy=f"Choose one of {', '.join(SECONDS)}.")
    return SECONDS[unit]


def _shortest(rate: float) -> float:
    """Return 128 for 1 / 0.0078125 as for 1 / 0.007812500001: digits beyond twelve are rounding."""
    return float(f"{rate:.12g}")
