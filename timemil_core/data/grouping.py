"""What series have in common beyond their class: the subject or recording that each comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from timemil_core.data.overlaps import overlapping_groups
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.wording import counted
from timemil_core.errors import DataError

OWN = "own"
OVERLAPS = "overlapping windows"
MARKS = re.compile(r"[_\-/\\.:|# ]+")


def with_groups(series_set: SeriesSet, groups: Sequence[str] | None, source: str = "") -> SeriesSet:
    """Return the set with its groups replaced, ``(n_series,)``, or taken away.

    ``source`` says where they come from, for the provenance. Raises DataError where their number is not the series'.
    """
    if groups is None:
        sentence = "Series are taken as independent of each other: none share a subject or a recording."
        return replace(series_set, groups=None, provenance=(*series_set.provenance, sentence))
    if len(groups) != len(series_set):
        raise DataError(f"{len(series_set)} series, but {len(groups)} groups.", where=series_set.name)
    sentence = f"Series belong to {counted(len(set(groups)), 'group')} ({source or 'given by hand'})."
    return replace(series_set, groups=tuple(groups), provenance=(*series_set.provenance, sentence))


def group_candidates(series_set: SeriesSet) -> dict[str, tuple[str, ...]]:
    """Return possible groups, by where they come from: ``"own"``, parts of ids, overlaps, channels of one number.

    A candidate has at least two groups, and fewer than there are series. Parts of ids and numbers that say the same
    as the class or the split are none.
    """
    found: dict[str, tuple[str, ...]] = {}
    if series_set.groups is not None:
        found[OWN] = series_set.groups
    if (windows := overlapping_groups(series_set)) is not None:
        found[OVERLAPS] = windows
    known = {_partition(tuple(map(str, one))) for one in (series_set.split.tolist(), series_set.labels.tolist())}
    for source, groups in _guessed(series_set):
        if (partition := _partition(groups)) not in known:
            known.add(partition)
            found[source] = groups
    return {source: groups for source, groups in found.items() if 2 <= len(set(groups)) < len(groups)}


def _guessed(series_set: SeriesSet) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what parts of ids, and channels that keep one whole number in each series, may name."""
    yield from _parts_of_ids(series_set.series_ids)
    for channel, name in enumerate(series_set.channel_names):
        numbers = [_only_number(values[channel]) for values in series_set.series]
        if None not in numbers:
            yield f"channel {name}", tuple(f"{number:g}" for number in numbers)


def _parts_of_ids(series_ids: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what stands before the last mark of each id, and before the first: ``ann_day2_7`` gives two."""
    pieces = [list(MARKS.finditer(one)) for one in series_ids]
    if not all(pieces):
        return
    for name, which in (("last", -1), ("first", 0)):
        heads = tuple(one[: found[which].start()] for one, found in zip(series_ids, pieces, strict=True))
        if all(heads):
            yield f"id before its {name} mark", heads


def _only_number(values: np.ndarray[tuple[int], np.dtype[np.float32]]) -> float | None:
    """Return the whole number that a channel of one series holds throughout, None where it varies."""
    first = float(values[0])
    return first if first.is_integer() and bool((values == values[0]).all()) else None


def _partition(groups: Sequence[str]) -> tuple[int, ...]:
    """Number groups in the order in which they begin: equal for equal divisions, whatever their names."""
    place: dict[str, int] = {}
    return tuple(place.setdefault(group, len(place)) for group in groups)
