"""When time points were observed, kept where a sampling rate alone cannot tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

DoubleArray = npt.NDArray[np.float64]
STEP_TOLERANCE = 0.25  # of a step: how far a time may lie from its place on the regular grid
SERIES_TOLERANCE = 0.02  # how far one series' step may differ from the others'
EXACT = 1e-12
DAY, SHORTEST_MONTH, MEAN_MONTH, MONTH_TOLERANCE = 86400.0, 28, 30.436875, 2.5  # seconds; days


@dataclass(frozen=True, eq=False)
class Timestamps:
    """The times of a set's time points: its steps are unequal, or their unit is not known.

    Attributes
    ----------
    values
        ``n_series`` arrays ``(n_timepoints,)``, finite and rising within a series.
    unit
        Of the values, in seconds; None where it is not known.
    """

    values: tuple[DoubleArray, ...]
    unit: float | None = None

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def step(self) -> float | None:
        """The median step between neighbouring time points, in the values' unit; None where no series has two."""
        steps = [np.diff(times) for times in self.values if len(times) > 1]
        return float(np.median(np.concatenate(steps))) if steps else None

    @property
    def step_seconds(self) -> float | None:
        """The median step in seconds; None where the unit is not known, or no series has two time points."""
        return None if self.unit is None or self.step is None else self.step * self.unit

    @cached_property
    def mean_step(self) -> float | None:
        """The mean step, in the values' unit; None where no series has two time points."""
        pieces = self._pieces
        if not pieces:
            return None
        return sum(float(piece[-1] - piece[0]) for piece in pieces) / sum(len(piece) - 1 for piece in pieces)

    @cached_property
    def rate(self) -> float | None:
        """Points per unit of the values, where every series lies on a grid of one and the same step; else None.

        Of all numbers that rounding allows for, the one with the fewest digits.
        """
        step = self.mean_step
        if step is None or self.calendar_months is not None:
            return None
        deviations = [_deviation(piece, step) for piece in self._pieces]
        if any(deviation is None for deviation in deviations):
            return None
        span = max(float(piece[-1] - piece[0]) for piece in self._pieces)
        resolution = max(float(np.spacing(np.abs(piece).max())) for piece in self._pieces)
        largest = max(deviation or 0.0 for deviation in deviations)
        return _shortest(1.0 / step, max(EXACT, (largest + resolution) / span))

    @cached_property
    def calendar_months(self) -> int | None:
        """How many months each step is long, where all are whole days that differ as months and years do; else None."""
        pieces = self._pieces
        if self.unit is None or not pieces:
            return None
        days = np.concatenate([np.diff(times) for times in pieces]) * self.unit / DAY
        if days.min() < SHORTEST_MONTH or np.ptp(days) == 0 or not np.allclose(days, days.round(), atol=1e-6):
            return None
        months = np.round(days / MEAN_MONTH)
        is_calendar = np.ptp(months) == 0 and np.abs(days - months * MEAN_MONTH).max() <= MONTH_TOLERANCE
        return int(months[0]) if is_calendar else None

    @property
    def counts_points(self) -> bool:
        """Whether the times merely number the time points, from 0 or 1 on."""
        step = self.mean_step
        first = min(float(times.min()) for times in self.values)
        return self.unit is None and step is not None and abs(step - 1) < EXACT and first in (0.0, 1.0)

    @property
    def _pieces(self) -> list[DoubleArray]:
        return [times for times in self.values if len(times) > 1]

    def subset(self, indices: Sequence[int]) -> Timestamps:
        """Return the times of the chosen series, in the order given."""
        return Timestamps(tuple(self.values[index] for index in indices), self.unit)


def _deviation(times: DoubleArray, step: float) -> float | None:
    """Return the largest distance of a time from its series' own grid; None where that or its step is too far off."""
    own_step = float(times[-1] - times[0]) / (len(times) - 1)
    largest = float(np.abs(times - times[0] - own_step * np.arange(len(times))).max())
    is_regular = abs(own_step - step) <= SERIES_TOLERANCE * step and largest <= STEP_TOLERANCE * step
    return largest if is_regular else None


def _shortest(number: float, tolerance: float) -> float:
    """Return the number with the fewest digits that lies within a relative tolerance."""
    for digits in range(1, 17):
        rounded = float(f"{number:.{digits}g}")
        if abs(rounded - number) <= tolerance * number:
            return rounded
    return number
