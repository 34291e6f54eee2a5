"""Where a text table starts: its header, its units, and its first row of data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from timemil_core.data.files.tokens import NumberStyle, is_missing, is_stamp
from timemil_core.data.formats.tables.dialect import LOOKED_AT, MOSTLY
from timemil_core.data.formats.tables.names import role_of_name

_OF_UNIT = (
    r"[pnuµμmcdhkMGT]?(s|secs?|seconds?|min|h|hours?|m|g|V|volts?|A|Hz|T|G|gauss|Pa|N|W|K|C|F|rad|deg(rees)?|°[CF]?|bar|"
    r"bpm|mol|l|L|[Oo]hm|Ω|J|dB|mmHg|lx|lux|counts?|[Aa]\.?[Uu]\.?|float\d*|int\d*|str|string|text|date(time)?|[%‰1])[²³\d⁻¹^-]*"
)
FEWEST_NAMED = 3  # columns of a table whose names are one short
FEWEST_POSITIONS = 4  # numbers in a row of names
UNIT = re.compile(rf"[\[(<{{].{{0,20}}[\])>}}]|{_OF_UNIT}([/*·. ]{_OF_UNIT})*")


class Start(NamedTuple):
    """Where the table begins: the index of its first record, whether that names the columns, and what is beneath."""

    first: int
    has_header: bool
    n_beneath: int = 0


def find_start(rows: Sequence[Sequence[str]], style: NumberStyle) -> Start:
    """Find the row of names: the one above numbers that holds words, whatever stands before it and beneath.

    The later half of the rows tells the width and which columns hold numbers or times; the first row that fits ends
    what stands before. Of several rows of words, that with more words of a role is the header, else the last but units.
    """
    rows = rows[: 2 * LOOKED_AT]
    body = rows[len(rows) // 2 :]
    of_all, widths = Counter(map(len, rows)), Counter(map(len, body))
    width = max(widths, key=lambda one: (widths[one], of_all[one]))
    numeric = [column for column in range(width) if _mostly(body, column, lambda cell: _is_value(cell, style))]
    whats = [_what(row, width, numeric, style) for row in rows]
    first_data = next((place for place in range(len(rows)) if _data_from(whats, place)), None)
    if not numeric or first_data is None:
        return Start(0, looks_like_header(rows[0], rows[1:], style))
    names = [place for place in range(first_data) if whats[place] == "names"]
    if wide := [place for place in names if len(rows[place]) >= width]:
        names = wide
    elif names and (width < FEWEST_NAMED or names[-1] != first_data - 1):
        names = []
    if not names:
        full = next((place for place in range(first_data) if whats[place] == "mixed"), first_data)
        return Start(full, looks_like_header(rows[full], rows[full + 1 :], style))
    last = first = names[-1]
    while first - 1 in names:
        first -= 1
    n_roles = [sum(role_of_name(cell) is not None for cell in rows[place]) for place in range(first, last + 1)]
    header = first + n_roles.index(max(n_roles)) if any(n_roles) else last
    if not any(n_roles) and last > first and are_units(rows[last]):
        header = last - 1
    return Start(header, True, last - header)


def _what(row: Sequence[str], width: int, numeric: Sequence[int], style: NumberStyle) -> str:
    """Tell what a row is by its cells in columns of numbers: ``data``, ``names``, ``mixed`` of both, or ``other``."""
    cells = [row[column] for column in numeric if column < len(row) and not is_missing(row[column])]
    n_values = sum(_is_value(cell, style) for cell in cells)
    n_words = len(cells) - n_values
    if n_values and not n_words:
        return "data" if 2 * len(row) >= width else "other"
    if len(row) < width - 1:
        return "other"
    if n_words and not n_values:
        return "names" if 2 * n_words >= min(len(numeric), len(row)) else "other"
    return "mixed" if n_values else "other"


def _data_from(whats: Sequence[str], place: int) -> bool:
    following = whats[place : place + 4]
    return whats[place] == "data" and sum(what == "data" for what in following) > len(following) / 2


def are_units(row: Sequence[str]) -> bool:
    """Tell whether cells look like units: in brackets, or short and of letters, signs and powers."""
    return all(UNIT.fullmatch(cell) for cell in row if not is_missing(cell))


def looks_like_header(first: Sequence[str], rest: Sequence[Sequence[str]], style: NumberStyle) -> bool:
    """Tell whether a record names the columns of those beneath it.

    A word above numbers speaks for it, a number above numbers against it, unless the numbers rise as positions do. In
    columns of text, a word that comes again beneath is a value.
    """
    rest = [row for row in rest if list(row) != list(first)]  # a header may come again where files were joined
    words = [column for column, cell in enumerate(first) if not _is_value(cell, style) and not is_missing(cell)]
    numbers = [cell for cell in first if style.is_number(cell)]
    counts = _counts_up(numbers) and not any(_counts_up(row) for row in rest[:3])
    rises = counts or (_rises(numbers, style) and not any(_rises(row, style) for row in rest[:3]))
    if not words:
        return counts or (rises and len(numbers) >= FEWEST_POSITIONS and _evenly(numbers, style))
    if rest and all(len(row) != len(first) for row in rest):
        return len(words) == len(first)

    def is_value(cell: str) -> bool:
        return _is_value(cell, style)

    of_values = {column for column in range(len(first)) if _mostly(rest, column, is_value)}
    of_stamps = {column for column in of_values if _mostly(rest, column, is_stamp)}
    above_values = [column for column in words if column in of_values]
    stamps = {column for column, cell in enumerate(first) if is_stamp(cell) and not style.is_number(cell)}
    above_values += stamps & (of_values - of_stamps)
    n_against = len(of_values.difference(above_values) & {column for column, cell in enumerate(first) if cell})
    is_again = any(len(row) > column and row[column] == first[column] for row in rest for column in words)
    if len(above_values) > n_against:
        return True
    if n_against and not (rises and len(numbers) >= FEWEST_POSITIONS):
        return any(role_of_name(first[column]) for column in above_values)
    if is_again:
        return False
    if any(role_of_name(first[column]) for column in words):
        return not numbers or rises
    return len(words) == len(first) and len({first[column] for column in words}) == len(words)


def _is_value(cell: str, style: NumberStyle) -> bool:
    return style.is_number(cell) or is_stamp(cell)


def _rises(cells: Sequence[str], style: NumberStyle) -> bool:
    """Tell whether the numbers among cells rise from each to the next."""
    numbers = [style.number(cell) for cell in cells if style.is_number(cell)]
    return len(numbers) > 1 and all(a < b for a, b in pairwise(numbers))


def _evenly(cells: Sequence[str], style: NumberStyle) -> bool:
    steps = [b - a for a, b in pairwise(style.number(cell) for cell in cells)]
    return max(steps) - min(steps) <= 1e-6 * abs(max(steps))


def _counts_up(row: Sequence[str]) -> bool:
    """Tell whether the cells are 0, 1, 2 … or 1, 2, 3 …: positions, not values."""
    if len(row) < 4 or not all(cell.isascii() and cell.isdigit() and len(cell) < 9 for cell in row):
        return False
    numbers = [int(cell) for cell in row]
    return numbers[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(numbers))


def _mostly(rows: Sequence[Sequence[str]], column: int, holds: Callable[[str], bool]) -> bool:
    cells = [row[column] for row in rows if len(row) > column and not is_missing(row[column])]
    return bool(cells) and sum(map(holds, cells)) >= MOSTLY * len(cells)
