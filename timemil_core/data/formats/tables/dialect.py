"""How a text table is written: its first records as text, separator, decimal mark, header."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from timemil_core.data.files.source import Source
from timemil_core.data.files.text import first_text
from timemil_core.data.files.tokens import WITH_COMMA, WITH_POINT, NumberStyle, is_missing
from timemil_core.data.formats.tables.columns import role_of_name
from timemil_core.errors import DataError

SAMPLE_BYTES = 4_000_000
SAMPLE_ROWS = 5_000
SAMPLE_CELLS = 500_000
BLANKS = " "
BLANK_RUN = re.compile(r"[ \t]+")  # what pandas takes for one, too
COMMENT_MARKS = ("#", "%")


def sample_lines(source: Source, encoding: str) -> list[str]:
    """Return the first lines, without the last where it may be cut."""
    text, goes_on = first_text(source, encoding, SAMPLE_BYTES)
    lines = list(islice(io.StringIO(text, newline=None), SAMPLE_ROWS))
    is_cut = goes_on and len(lines) < SAMPLE_ROWS
    return lines[:-1] if is_cut and len(lines) > 1 else lines


def count_preamble(lines: list[str]) -> int:
    """Return how many comment, blank and ``sep=`` lines stand before the table."""
    for index, line in enumerate(lines):
        stripped = line.strip()
        is_separator_note = index == 0 and stripped.lower().startswith("sep=")
        if stripped and not stripped.startswith(COMMENT_MARKS) and not is_separator_note:
            return index
    return len(lines)


def records(lines: list[str], separator: str, filename: str) -> list[list[str]]:
    """Split lines into cells by the separator (``" "``: any run of blanks), quotes respected, blank lines left out.

    Raises
    ------
    DataError
        Where a cell is longer than a cell can be, a sign of a quotation mark that is never closed.
    """
    found: list[list[str]] = []
    n_cells = 0
    try:
        for record in _split(lines, separator):
            if any(cell.strip() for cell in record):
                found.append([cell.strip() for cell in record])
                n_cells += len(record)
            if n_cells > SAMPLE_CELLS:
                break
    except csv.Error as error:
        raise DataError(
            f"The table cannot be split into cells ({error}).",
            where=filename,
            remedy='Look for a quotation mark (") that is not closed.',
        ) from error
    return found


def _split(lines: list[str], separator: str) -> Iterator[list[str]]:
    if separator == BLANKS:
        unquoted = (BLANK_RUN.sub(" ", line.strip()) for line in lines)
        return csv.reader(unquoted, delimiter=" ", skipinitialspace=True)
    return csv.reader(lines, delimiter=separator, skipinitialspace=True)


SEPARATORS = ("\t", ";", "|", ",", BLANKS)  # on equal grounds, the earlier
LOOKED_AT = 200  # records
CONSISTENT = 0.9  # share of records that have the most frequent number of cells
BLANKS_ARE_TEXT = 0.2  # share of numbers by which blanks must be the better separator
MOSTLY = 0.8  # share of a column's cells
HAS_POINT = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")
HAS_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
THREE_DIGITS = re.compile(r"[+-]?\d{1,3}[.,]\d{3}")
# a mark between thousands shows only beside a decimal mark, or twice in a cell
GROUPED = (
    (NumberStyle(",", "."), re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d+|[+-]?\d{1,3}(\.\d{3}){2,}")),
    (NumberStyle(".", ","), re.compile(r"[+-]?\d{1,3}(,\d{3})+\.\d+|[+-]?\d{1,3}(,\d{3}){2,}")),
    *(
        (
            NumberStyle(decimal, mark),
            re.compile(rf"[+-]?\d{{1,3}}({re.escape(mark)}\d{{3}})+({re.escape(decimal)}\d+)?"),
        )
        for mark in ("'", "\u2019", "\u00a0", "\u202f", " ")
        for decimal in (",", ".")
    ),
)


@dataclass(frozen=True)
class Dialect:
    """A separator, how numbers are written, whether a header is there, and the records of the sample without it."""

    separator: str
    style: NumberStyle
    has_header: bool
    header: tuple[str, ...]
    rows: list[list[str]]
    is_style_doubtful: bool = False


def best_separator(lines: list[str], filename: str) -> str:
    """Return the separator under which rows are equally long and most cells are numbers."""
    scores = {}
    for rank, separator in enumerate(SEPARATORS):
        try:
            rows = records(lines[:LOOKED_AT], separator, filename)
        except DataError:
            continue  # under a wrong separator, a long row is one cell, longer than a cell can be
        widths = Counter(len(row) for row in rows)
        if not widths or max(widths) < 2:
            continue
        width, times = widths.most_common(1)[0]
        is_consistent = width > 1 and times >= CONSISTENT * len(rows)
        # blanks also stand within names: "right hand"
        share = _number_share(rows) - (BLANKS_ARE_TEXT if separator == BLANKS else 0.0)
        scores[separator] = (is_consistent, width > 1 and times == len(rows), round(share, 2), -rank)
    return max(scores, key=lambda separator: scores[separator]) if scores else ","


def _number_share(rows: Sequence[Sequence[str]]) -> float:
    cells = [cell for row in rows[:50] for cell in row[:200]]
    return sum(WITH_POINT.is_number(cell) or WITH_COMMA.is_number(cell) for cell in cells) / max(len(cells), 1)


def number_style(rows: Sequence[Sequence[str]]) -> tuple[NumberStyle, bool]:
    """Return how numbers are written, and whether a comma before three digits might as well mark thousands."""
    cells = [cell for row in (rows[1 : LOOKED_AT + 1] or rows) for cell in row[:200]]
    for style, pattern in GROUPED:
        if any(pattern.fullmatch(cell) for cell in cells):
            return style, False
    commas = [cell for cell in cells if HAS_COMMA.fullmatch(cell)]
    if not commas or any(HAS_POINT.fullmatch(cell) for cell in cells):
        return WITH_POINT, False
    return WITH_COMMA, all(THREE_DIGITS.fullmatch(cell) for cell in commas)


def looks_like_header(first: Sequence[str], rest: Sequence[Sequence[str]], style: NumberStyle) -> bool:
    """Tell whether the first record names the columns."""
    words = [cell for cell in first if not style.is_number(cell) and not is_missing(cell)]
    if not words:
        return _counts_up(first) and not any(_counts_up(row) for row in rest[:3])
    if any(role_of_name(word) for word in words):
        return True
    if all(len(row) != len(first) for row in rest) and rest:
        return len(words) == len(first)
    named = [column for column, cell in enumerate(first) if cell in words]
    if any(_mostly_numbers(rest, column, style) for column in named):
        return True
    return len(words) == len(first) and len(set(words)) == len(words) and not _repeats(first, rest)


def _counts_up(row: Sequence[str]) -> bool:
    """Tell whether the cells are 0, 1, 2 … or 1, 2, 3 …: positions, not values."""
    if len(row) < 4 or not all(cell.isascii() and cell.isdigit() and len(cell) < 9 for cell in row):
        return False
    numbers = [int(cell) for cell in row]
    return numbers[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(numbers))


def _mostly_numbers(rows: Sequence[Sequence[str]], column: int, style: NumberStyle) -> bool:
    cells = [row[column] for row in rows if len(row) > column and not is_missing(row[column])]
    return bool(cells) and sum(style.is_number(cell) for cell in cells) >= MOSTLY * len(cells)


def _repeats(first: Sequence[str], rest: Sequence[Sequence[str]]) -> bool:
    """Tell whether a cell of the first row occurs again beneath it: a value then, not a name."""
    return any(len(row) > column and row[column] == cell for row in rest for column, cell in enumerate(first))
