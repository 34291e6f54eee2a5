"""In which unit a time axis is drawn: days for daily values, not millions of seconds."""

from __future__ import annotations

from typing import NamedTuple


class AxisUnit(NamedTuple):
    """The axis's title, and how many seconds (without a sampling rate: time points) one unit is."""

    title: str
    size: float


POINTS = AxisUnit("time point", 1.0)
SECONDS = AxisUnit("time (s)", 1.0)
LARGER = (AxisUnit("time (days)", 86400.0), AxisUnit("time (h)", 3600.0), AxisUnit("time (min)", 60.0))
TOLERANCE = 1e-6


def axis_unit(sampling_rate: float | None) -> AxisUnit:
    """Return the largest unit that a step is at least as long as, seconds at the least; time points without a rate."""
    if not sampling_rate:
        return POINTS
    step = 1.0 / sampling_rate
    return next((unit for unit in LARGER if step >= unit.size * (1 - TOLERANCE)), SECONDS)


def axis_rate(sampling_rate: float | None) -> float:
    """Return how many time points a unit of the axis has."""
    return (sampling_rate or 1.0) * axis_unit(sampling_rate).size
