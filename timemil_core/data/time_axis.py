"""In which unit a time axis is drawn: days for daily values, not millions of seconds."""

from __future__ import annotations

from typing import NamedTuple


class AxisUnit(NamedTuple):
    """The axis's title, how many seconds (without a sampling rate: time points) one unit is, and the unit's names."""

    title: str
    size: float
    length: str
    frequency: str


POINTS = AxisUnit("time point", 1.0, "time points", "cycles per time point")
SECONDS = AxisUnit("time (s)", 1.0, "s", "Hz")
LARGER = (
    AxisUnit("time (days)", 86400.0, "days", "cycles per day"),
    AxisUnit("time (h)", 3600.0, "h", "cycles per hour"),
    AxisUnit("time (min)", 60.0, "min", "cycles per minute"),
)
TOLERANCE = 1e-6


def axis_unit(sampling_rate: float | None) -> AxisUnit:
    """Return the largest unit that a step is at least as long as, seconds at the least; time points without a rate."""
    if not sampling_rate:
        return POINTS
    step = 1.0 / sampling_rate
    return next((unit for unit in LARGER if step >= unit.size * (1 - TOLERANCE)), SECONDS)


def rate_in_words(sampling_rate: float) -> str:
    """Return ``"50 Hz"``, and where steps are of minutes or longer how long one is: ``"every 12 h"``."""
    unit = axis_unit(sampling_rate)
    if unit is SECONDS:
        return f"{sampling_rate:g} Hz"
    count = f"{1.0 / sampling_rate / unit.size:.6g}"
    return "every day" if (count, unit.length) == ("1", "days") else f"every {count} {unit.length}"


def axis_rate(sampling_rate: float | None) -> float:
    """Return how many time points a unit of the axis has."""
    return (sampling_rate or 1.0) * axis_unit(sampling_rate).size
