"""Whether maps of one series point to the same time points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.runs import runs
from timemil_core.data.series_set import BoolArray
from timemil_core.data.time_axis import POINTS
from timemil_core.explain.where import Place, places, step_of

DoubleArray = npt.NDArray[np.float64]
MUCH = 0.5
"""Maps agree where what all of them mark is at least this share of what any of them marks."""


@dataclass(frozen=True)
class Agreement:
    """What some maps of one series mark most, each and together.

    Attributes
    ----------
    own
        Of each map, its `places`: what holds half of what is positive in it.
    common
        What all of them mark.
    overlap
        How many time points all mark, as a share of those that any marks: 1 the same places, 0 none in common.
    """

    own: tuple[tuple[Place, ...], ...]
    common: tuple[Place, ...]
    overlap: float

    def sentence(self, titles: Sequence[str], times: DoubleArray, unit: str) -> str:
        """Say in a sentence to what the maps of these ``titles`` point, in the unit of ``times``."""
        empty = [title for title, own in zip(titles, self.own, strict=True) if not own]
        if empty:
            return f"{' and '.join(empty)} {'marks' if len(empty) == 1 else 'mark'} nothing here."
        every = "Both" if len(titles) == 2 else f"All {len(titles)}"
        if self.overlap >= MUCH:
            return f"{every} point to {spans_told(self.common, times, unit)}."
        apart = "; ".join(
            f"{title} to {spans_told(own, times, unit)}" for title, own in zip(titles, self.own, strict=True)
        )
        if not self.common:
            return f"They point to different places: {apart}."
        return f"{every} point to {spans_told(self.common, times, unit)}, but not there alone: {apart}."


def agreement_of(maps: Sequence[DoubleArray]) -> Agreement:
    """Return what maps of one series, each ``(n_timepoints,)``, mark most, and how far that is the same."""
    own = tuple(places(values) for values in maps)
    marked = np.stack([_marked(part, len(values)) for part, values in zip(own, maps, strict=True)])
    either, both = marked.any(axis=0), marked.all(axis=0)
    overlap = float(both.sum() / either.sum()) if either.any() else 0.0
    return Agreement(own, tuple((first, stop) for first, stop in runs(np.asarray(both)).tolist()), overlap)


def share_in(values: DoubleArray, place: Place) -> float | None:
    """Return how much of what is positive in a map lies within a place, 0 to 1; None where nothing is positive."""
    positive = np.clip(np.nan_to_num(values), 0, None)
    total = float(positive.sum())
    return float(positive[place[0] : place[1]].sum()) / total if total > 0 else None


def place_in(span: tuple[float, float], times: DoubleArray) -> Place:
    """Return the time points of ``times`` within a span, or the one that is nearest to its middle."""
    inside = np.flatnonzero((times >= span[0]) & (times <= span[1]))
    first, last = (inside[0], inside[-1]) if len(inside) else (np.abs(times - sum(span) / 2).argmin(),) * 2
    return int(first), int(last) + 1


def spans_told(spans: Sequence[Place], times: DoubleArray, unit: str) -> str:
    """Write places as times of their first and last points: ``1.20–1.64 s``, ``time points 3–5``."""
    digits = _digits(step_of(times))
    ends = [[f"{times[place]:.{digits}f}" for place in (first, stop - 1)] for first, stop in spans]
    told = " and ".join(first if first == last else f"{first}–{last}" for first, last in ends)
    return f"{unit} {told}" if unit == POINTS.length else f"{told} {unit}"


def _digits(step: float) -> int:
    return next((digits for digits in range(7) if abs(round(step, digits) - step) <= 0.05 * step), 6)


def _marked(parts: Sequence[Place], n_timepoints: int) -> BoolArray:
    marked = np.zeros(n_timepoints, dtype=np.bool_)
    for first, stop in parts:
        marked[first:stop] = True
    return marked
