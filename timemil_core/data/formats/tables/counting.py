"""Names that count along: the time points of a wide table's channels, ``x1 x2 … y1 y2 …``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from timemil_core.data.files.tokens import is_number, is_stamp
from timemil_core.data.formats.tables.columns import Column
from timemil_core.data.formats.tables.names import LONGEST

TIME_FIRST = re.compile(r"t(?P<number>\d{1,9})[\s_.\-]+(?P<stem>.*[^\d].*)")
LAST = re.compile(r"(?P<stem>.*?)[\s_.\-]*\[?\(?(?P<number>\d{1,9})\)?\]?")
FIRST = re.compile(r"(?P<number>\d{1,9})[\s_.\-]+(?P<stem>.*[^\d].*)")
TIME_STEMS = ("", "t", "time", "step", "timestep", "time_step", "point", "obs", "v", "val", "value")
SERIES_STEMS = {*TIME_STEMS, "x", "y", "att", "attribute", "feature", "f", "c", "col", "column", "p", "dim", "var"}
FEWEST_TIME_COLUMNS = 4


def number_of(name: str) -> tuple[str, int] | None:
    """Return a name's stem and the number it counts by; None where it has none."""
    if len(name) > LONGEST or (is_number(name) and not name.strip().isdigit()):
        return None  # 0.1, 0.2 … are times, not channels that count
    for pattern in (TIME_FIRST, LAST, FIRST):
        if match := pattern.fullmatch(name.strip()):
            return match["stem"].strip(" _.-"), int(match["number"])
    return None


def channel_groups(columns: Sequence[str]) -> dict[str, tuple[str, ...]] | None:
    """Group value columns into channels, each in time order.

    Returns
    -------
    dict
        A channel's stem to its columns, sorted by number. None where a column does not count, a channel counts a
        number twice, or the channels count different numbers.
    """
    groups: dict[str, dict[int, str]] = {}
    for column in columns:
        counted = number_of(column)
        if counted is None or counted[1] in groups.setdefault(counted[0], {}):
            return None
        groups[counted[0]][counted[1]] = column
    if len({frozenset(group) for group in groups.values()}) != 1:
        return None
    return {stem: tuple(group[number] for number in sorted(group)) for stem, group in groups.items()}


def channel_name(stem: str, n_channels: int) -> str:
    """Return what a wide table's channel is called: its stem, unless that merely says 'time' or 'value'."""
    return "value" if n_channels == 1 and stem.lower() in TIME_STEMS else (stem or "value")


def time_columns(columns: Sequence[Column]) -> list[Column]:
    """Return the columns whose names count time points along with each other; none where fewer than half do.

    Names count by the number that they end or begin with, under one stem or several that count alike, or are
    themselves rising numbers or dates.
    """
    named = [column for column in columns if column.is_named]
    positions = [column for column in named if is_number(column.name) or is_stamp(column.name.strip())]
    numbers = [float(column.name) if is_number(column.name) else None for column in positions]
    if len(positions) >= FEWEST_TIME_COLUMNS and all(a is None or b is None or a < b for a, b in pairwise(numbers)):
        return positions if 2 * len(positions) > len(columns) else []
    if not counting_columns(columns):
        return []
    groups: dict[str, dict[int, Column]] = {}
    for column in named:
        if (counted := number_of(column.name)) is not None:
            groups.setdefault(counted[0], {})[counted[1]] = column
    longest = max(groups.values(), key=len)
    alike = {id(column) for group in groups.values() if group.keys() == longest.keys() for column in group.values()}
    return [column for column in columns if id(column) in alike]


def counting_columns(columns: Sequence[Column]) -> bool:
    """Tell whether names count up time points: many numbers under a stem that is no sensor's, or several stems."""
    counted = [number_of(column.name) for column in columns if column.is_named]
    stems = [name[0] for name in counted if name is not None]
    if len(stems) < FEWEST_TIME_COLUMNS or 2 * len(stems) < len(columns):
        return False
    stem, most = Counter(stems).most_common(1)[0]
    return most >= 8 or (most >= FEWEST_TIME_COLUMNS and stem.lower() in SERIES_STEMS)
