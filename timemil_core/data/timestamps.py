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

    @cached_property
    def is_regular(self) -> bool:
        """Whether every series lies on a grid of one and the same step."""
        pieces = [times for times in self.values if len(times) > 1]
        if not pieces:
            return False
        step = sum(float(piece[-1] - piece[0]) for piece in pieces) / sum(len(piece) - 1 for piece in pieces)
        return all(_is_on_grid(piece, step) for piece in pieces)

    def subset(self, indices: Sequence[int]) -> Timestamps:
        """Return the times of the chosen series, in the order given."""
        return Timestamps(tuple(self.values[index] for index in indices), self.unit)


def _is_on_grid(times: DoubleArray, step: float) -> bool:
    own_step = float(times[-1] - times[0]) / (len(times) - 1)
    distances = np.abs(times - times[0] - own_step * np.arange(len(times)))
    return abs(own_step - step) <= SERIES_TOLERANCE * step and float(distances.max()) <= STEP_TOLERANCE * step
