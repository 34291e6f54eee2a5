"""Columns whose names count: ``x_1, x_2, x_10`` are time points, ``acc_x_0 … acc_y_99`` are channels of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from timemil_core.data.files.tokens import is_number

TIME_FIRST = re.compile(r"t(?P<number>\d{1,9})[\s_.\-]+(?P<stem>.*[^\d].*)")
LAST = re.compile(r"(?P<stem>.*?)[\s_.\-]*\[?\(?(?P<number>\d{1,9})\)?\]?")
FIRST = re.compile(r"(?P<number>\d{1,9})[\s_.\-]+(?P<stem>.*[^\d].*)")
LONGEST = 200  # characters of a name that is looked at: the patterns take its square in time
TIME_STEMS = ("", "t", "time", "step", "timestep", "time_step", "point", "obs", "v", "val", "value")


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
