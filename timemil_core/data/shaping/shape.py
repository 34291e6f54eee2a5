"""All choices of a set in their order, and the set that they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from timemil_core.data.files.choices import Choice, Choosing, Value
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.shaping.lengths import choose_lengths, choose_windows
from timemil_core.data.shaping.parts import choose_copies, choose_groups, choose_split
from timemil_core.data.shaping.times import choose_rate, choose_time_unit
from timemil_core.data.shaping.values import choose_channels, choose_ends, choose_sentinels

Step = Callable[[SeriesSet, Choosing], SeriesSet]

# groups first: a channel that names them may then be left out, and windows inherit them
STEPS: tuple[Step, ...] = (
    choose_groups,
    choose_time_unit,
    choose_sentinels,
    choose_ends,
    choose_channels,
    choose_rate,
    choose_windows,
    choose_lengths,
    choose_copies,
    choose_split,
)


@dataclass(frozen=True, eq=False)
class Shaped:
    """The set that the choices make, and the choices with what holds now."""

    series_set: SeriesSet
    choices: tuple[Choice, ...]


def shape(series_set: SeriesSet, given: Mapping[str, Value] | None = None) -> Shaped:
    """Apply the choices that are given; without any, the set stays as it is.

    Raises
    ------
    DataError
        Where a choice is unknown, or cannot be followed: says what and how to mend it.
    """
    choosing = Choosing(given or {}, series_set.name)
    shaped = follow(series_set, choosing)
    choosing.refuse_unknown()
    return Shaped(shaped, tuple(choosing.made.values()))


def follow(series_set: SeriesSet, choosing: Choosing) -> SeriesSet:
    """Apply choices step by step; ``choosing.made`` has those that were come to, even where one cannot be followed.

    Raises
    ------
    DataError
        Where a choice cannot be followed.
    """
    for step in STEPS:
        series_set = step(series_set, choosing)
    return series_set
