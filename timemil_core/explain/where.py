"""Where a map says that the evidence is: its places, and whether those of several series are one.

A map's place is the part that holds half of what is positive in it, as wide as the map is at half of its height there.
Where the places of some series agree it is one of them all; where each series has its own, its width is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from timemil_core.data.runs import runs
from timemil_core.data.series_set import BoolArray

DoubleArray = npt.NDArray[np.float64]
Place = tuple[int, int]
"""First time point and the one after the last."""

HALF, AS_HIGH = 0.5, 0.9
BRIDGED = 20  # parts of a place that are nearer than this part of the series are one
LEAST_PART, MOST_PARTS = 0.1, 2
SPREAD = 0.4
"""A place that takes more than this share of the series is none: evenly spread evidence has half of itself in half."""
SMEARED, AGREEING, MET = 2.0, 3 / 4, 0.3
"""Places agree where that of the mean map is at most so many times as wide, and in so many series the mean map of the
others holds this share of the series' own: its own map would meet itself."""
CLEARLY = 1.5
"""Where evidence is spread, a stretch is its strongest that holds, for its length, so often what the rest holds."""


@dataclass(frozen=True)
class Where:
    """Where the evidence of a class is.

    Attributes
    ----------
    kind
        At the same time in most series, moving from series to series, or spread; "nowhere" where nothing in the maps
        speaks for the class.
    spans
        From and to, in the axis of `ClassAnswer.times`: the place that is the same; or, of what is spread, a
        stretch that is clearly higher than the rest in most series, if there is one. Empty for the others.
    width
        Median length of the place in one series, in the set's own unit of time.
    """

    kind: Literal["same", "moving", "spread", "nowhere"]
    spans: tuple[tuple[float, float], ...] = ()
    width: float = 0.0


def places(values: DoubleArray) -> tuple[Place, ...]:
    """Return the one or two places of a map ``(n_timepoints,)`` that hold half of what is positive in it.

    Each is widened to where the map falls to half of its height there. Where the highest half lies in more than two
    places, it is the shortest stretch that holds half. Empty where nothing is positive.
    """
    positive = np.clip(np.nan_to_num(values), 0, None)
    total = float(positive.sum())
    if total <= 0:
        return ()
    order = np.argsort(-positive, kind="stable")
    n_highest = int(np.searchsorted(np.cumsum(positive[order]), HALF * total * (1 - 1e-9))) + 1
    marked = positive >= AS_HIGH * positive[order[n_highest - 1]]  # of two peaks alike both, not the first
    found = [
        part for part in _bridged(marked, max(1, len(values) // BRIDGED)) if _held(positive, part) >= LEAST_PART * total
    ]
    if not 1 <= len(found) <= MOST_PARTS or sum(_held(positive, part) for part in found) < 0.8 * HALF * total:
        found = [_shortest(positive, HALF * total)]
    widened = np.zeros(len(values), dtype=np.bool_)
    for part in found:
        first, stop = _widened(positive, part)
        widened[first:stop] = True
    return tuple(_bridged(widened, 0))


def where_of(
    maps: DoubleArray, grid: DoubleArray, parts: Sequence[tuple[Place, ...]], times: Sequence[DoubleArray]
) -> Where:
    """Tell where the evidence of some series is.

    Parameters
    ----------
    maps
        ``(n_series, n_grid)``, over all of their length.
    grid
        ``(n_grid,)``: its times, or shares of the length where the series' times differ.
    parts
        Of each series, its `places`.
    times
        Of each series, ``(n_timepoints,)``.
    """
    told = [(part, own) for part, own in zip(parts, times, strict=True) if part]
    maps = np.nan_to_num(maps)
    of_mean = places(maps.mean(axis=0))
    if 2 * len(told) < len(parts) or not told or not of_mean:
        return Where("nowhere")
    shares = [[(first / len(own), stop / len(own)) for first, stop in part] for part, own in told]
    widths = [sum(stop - first for first, stop in part) for part in shares]
    main = [max(stop - first for first, stop in part) * step_of(own) for part, own in told]
    width = float(np.median(main))
    if np.median(widths) > SPREAD:
        return Where("spread", _strongest(np.clip(maps[[bool(part) for part in parts]], 0, None), grid), width)
    mean_width = sum(stop - first for first, stop in of_mean) / len(grid)
    of_others = [places(others) for others in _means_of_others(maps[[bool(part) for part in parts]])]
    meeting = [
        _overlap(part, [(first / len(grid), stop / len(grid)) for first, stop in others]) >= MET * own
        for part, others, own in zip(shares, of_others, widths, strict=True)
    ]
    if mean_width <= min(SPREAD, SMEARED * float(np.median(widths))) and np.mean(meeting) >= AGREEING:
        return Where("same", tuple((float(grid[first]), float(grid[stop - 1])) for first, stop in of_mean), width)
    return Where("moving", width=width)


def _strongest(positive: DoubleArray, grid: DoubleArray) -> tuple[tuple[float, float], ...]:
    mean = positive.mean(axis=0)
    peak = int(mean.argmax())
    first, stop = _widened(mean, (peak, peak + 1))
    if not max(2, len(grid) // BRIDGED) <= stop - first <= SPREAD * len(grid):
        return ()
    within = positive[:, first:stop].mean(axis=1)
    elsewhere = np.delete(positive, slice(first, stop), axis=1).mean(axis=1)
    if np.mean(within >= CLEARLY * elsewhere) < AGREEING:
        return ()
    return ((float(grid[first]), float(grid[stop - 1])),)


def step_of(times: DoubleArray) -> float:
    """Return the median step between time points; 1 where there is only one."""
    return float(np.median(np.diff(times))) if len(times) > 1 else 1.0


def middle_of(values: DoubleArray, parts: Sequence[Place]) -> int:
    """Return the time point in the middle of what is positive in the heaviest of a map's places."""
    positive = np.clip(np.nan_to_num(values), 0, None)
    if not parts:
        return len(values) // 2
    first, stop = max(parts, key=lambda part: _held(positive, part))
    sums = np.cumsum(positive[first:stop])
    return first + int(np.searchsorted(sums, sums[-1] / 2))


def _means_of_others(maps: DoubleArray) -> DoubleArray:
    """Return for each of the maps ``(n_series, n_grid)`` the mean of the others; its own where there is no other."""
    return maps if len(maps) == 1 else (maps.sum(axis=0) - maps) / (len(maps) - 1)


def _overlap(first: Sequence[tuple[float, float]], second: Sequence[tuple[float, float]]) -> float:
    return sum(max(0.0, min(b, d) - max(a, c)) for a, b in first for c, d in second)


def _held(positive: DoubleArray, part: Place) -> float:
    return float(positive[part[0] : part[1]].sum())


def _bridged(marked: BoolArray, gap: int) -> list[Place]:
    parts: list[Place] = []
    for first, stop in runs(marked).tolist():
        if parts and first - parts[-1][1] <= gap:
            parts[-1] = (parts[-1][0], stop)
        else:
            parts.append((first, stop))
    return parts


def _shortest(positive: DoubleArray, mass: float) -> Place:
    sums = np.concatenate([[0.0], np.cumsum(positive)])
    stops = np.searchsorted(sums, sums[:-1] + mass * (1 - 1e-9))
    lengths = np.where(stops < len(sums), stops - np.arange(len(positive)), len(positive) + 1)
    first = int(lengths.argmin())
    return first, int(stops[first])


def _widened(positive: DoubleArray, part: Place) -> Place:
    first, stop = part
    level = HALF * float(np.median(positive[first:stop]))
    while level > 0 and first > 0 and positive[first - 1] >= level:
        first -= 1
    while level > 0 and stop < len(positive) and positive[stop] >= level:
        stop += 1
    return first, stop
