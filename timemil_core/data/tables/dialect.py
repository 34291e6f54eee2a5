"""How a text table is written: separator, decimal mark, header."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from timemil_core.data.tables.roles import role_of_name
from timemil_core.data.tables.sampling import BLANKS, records
from timemil_core.data.tables.tokens import HAS_COMMA, HAS_POINT, is_missing, is_number
from timemil_core.errors import DataError

SEPARATORS = ("\t", ";", "|", ",", BLANKS)  # on equal grounds, the earlier
LOOKED_AT = 200  # records
CONSISTENT = 0.9  # share of records that have the most frequent number of cells
MOSTLY = 0.8  # share of a column's cells


@dataclass(frozen=True)
class Dialect:
    """A separator, its decimal mark, whether a header is there, and the records of the sample, header left out."""

    separator: str
    decimal: str
    has_header: bool
    header: tuple[str, ...]
    rows: list[list[str]]


def detect_dialect(
    lines: list[str],
    filename: str,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    has_header: bool | None = None,
) -> Dialect:
    """Find what is not given from the first lines of the table itself.

    Raises
    ------
    DataError
        Where the lines hold no table.
    """
    separator = separator or _best_separator(lines[:LOOKED_AT], filename)
    found = records(lines, separator, filename)
    if not found:
        raise DataError("The file holds no table.", where=filename)
    decimal = decimal or _decimal_mark(found[1 : LOOKED_AT + 1] or found)
    if has_header is None:
        has_header = _looks_like_header(found[0], found[1:LOOKED_AT], decimal)
    header = tuple(found[0]) if has_header else ()
    return Dialect(separator, decimal, has_header, header, found[has_header:])


def _best_separator(lines: list[str], filename: str) -> str:
    """Return the separator under which rows are equally long and most cells are numbers."""
    scores = {}
    for rank, separator in enumerate(SEPARATORS):
        try:
            rows = records(lines, separator, filename)
        except DataError:
            continue  # under a wrong separator, a long row is one cell, longer than a cell can be
        widths = Counter(len(row) for row in rows)
        if not widths or max(widths) < 2:
            continue
        width, times = widths.most_common(1)[0]
        is_consistent = width > 1 and times >= CONSISTENT * len(rows)
        scores[separator] = (is_consistent, round(_number_share(rows), 2), -rank)
    return max(scores, key=lambda separator: scores[separator]) if scores else ","


def _number_share(rows: Sequence[Sequence[str]]) -> float:
    cells = [cell for row in rows[:50] for cell in row[:200]]
    return sum(is_number(cell) or is_number(cell, ",") for cell in cells) / max(len(cells), 1)


def _decimal_mark(rows: Sequence[Sequence[str]]) -> str:
    """A comma only where cells show it and none shows a point: '1.234,5' is better refused than misread."""
    cells = [cell for row in rows for cell in row[:200]]
    has_comma = any(HAS_COMMA.fullmatch(cell) for cell in cells)
    return "," if has_comma and not any(HAS_POINT.fullmatch(cell) for cell in cells) else "."


def _looks_like_header(first: Sequence[str], rest: Sequence[Sequence[str]], decimal: str) -> bool:
    words = [cell for cell in first if not is_number(cell, decimal) and not is_missing(cell)]
    if not words:
        return _counts_up(first) and not any(_counts_up(row) for row in rest[:3])
    if any(role_of_name(word) for word in words):
        return True
    if all(len(row) != len(first) for row in rest) and rest:
        return len(words) == len(first)
    named = [column for column, cell in enumerate(first) if cell in words]
    if any(_mostly_numbers(rest, column, decimal) for column in named):
        return True
    return len(words) == len(first) and len(set(words)) == len(words) and not _repeats(first, rest)


def _counts_up(row: Sequence[str]) -> bool:
    """Tell whether the cells are 0, 1, 2 … or 1, 2, 3 …: positions, not values."""
    if len(row) < 4 or not all(cell.isascii() and cell.isdigit() and len(cell) < 9 for cell in row):
        return False
    numbers = [int(cell) for cell in row]
    return numbers[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(numbers))


def _mostly_numbers(rows: Sequence[Sequence[str]], column: int, decimal: str) -> bool:
    cells = [row[column] for row in rows if len(row) > column and not is_missing(row[column])]
    return bool(cells) and sum(is_number(cell, decimal) for cell in cells) >= MOSTLY * len(cells)


def _repeats(first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    """Tell whether a cell of the first row occurs again beneath it: a value then, not a name."""
    return any(len(row) > column and row[column] == cell for row in rest for column, cell in enumerate(first))
