"""How a text table is written: its first records as text, separator, decimal mark, header."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from timemil_core.data.files.source import Source
from timemil_core.data.files.text import first_text
from timemil_core.data.files.tokens import WITH_COMMA, WITH_POINT, NumberStyle
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


def names_in_comment(line: str, lines: Sequence[str], separator: str, filename: str) -> str:
    """Return a comment above the table without its mark where it names as many columns as there are, else ``""``."""
    bare = line.lstrip().lstrip("".join(COMMENT_MARKS))
    head, rows = records([bare], separator, filename), records(lines[:LOOKED_AT], separator, filename)
    if bare == line.lstrip() or not head or len(head[0].cells) < 2:
        return ""
    fits = all(len(one.cells) == len(head[0].cells) for one in rows)
    return bare if fits and not any(WITH_POINT.is_number(cell) for cell in head[0].cells) else ""


class Record(NamedTuple):
    """A row of the sample: its number, from 1 and blank ones counted, and its cells."""

    number: int
    cells: list[str]


def records(lines: Sequence[str], separator: str, filename: str) -> list[Record]:
    """Split lines into cells by the separator (``" "``: any run of blanks), quotes respected, blank lines left out.

    Raises
    ------
    DataError
        Where a cell is longer than a cell can be, a sign of a quotation mark that is never closed.
    """
    found: list[Record] = []
    n_cells = 0
    try:
        for number, record in enumerate(_split(lines, separator), start=1):
            if any(cell.strip() for cell in record):
                found.append(Record(number, [cell.strip() for cell in record]))
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


def _split(lines: Sequence[str], separator: str) -> Iterator[list[str]]:
    if separator == BLANKS:
        unquoted = (BLANK_RUN.sub(" ", line.strip()) for line in lines)
        return csv.reader(unquoted, delimiter=" ", skipinitialspace=True)
    return csv.reader(lines, delimiter=separator, skipinitialspace=True)


SEPARATORS = ("\t", ";", "|", ",", BLANKS)  # on equal grounds, the earlier
LOOKED_AT = 200  # records
FEWEST_LINES = 6  # of which the later half decides
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
    """How a text table is written.

    Attributes
    ----------
    separator, style
        Between cells, and how numbers are written.
    has_header, header
        Whether a row names the columns, and its cells.
    rows
        The sample's rows of data.
    first_row
        The number of the row of names, or of the first row of data where none names the columns.
    beneath
        The rows beneath the names that are no data: units, as a rule.
    line_end
        What ends each row behind its last cell: ``";"`` where cells are separated by commas.
    sampling_rate
        In Hz, where the rows before the table tell it.
    is_style_doubtful
        Whether a comma before three digits may as well mark thousands.
    """

    separator: str
    style: NumberStyle
    has_header: bool
    header: tuple[str, ...]
    rows: list[list[str]]
    first_row: int
    beneath: tuple[tuple[str, ...], ...] = ()
    line_end: str = ""
    sampling_rate: float | None = None
    is_style_doubtful: bool = False


def best_separator(lines: list[str], filename: str) -> str:
    """Return the separator under which rows are equally long and most cells are numbers.

    Where no separator makes most rows equally long, those before the table may be the reason: the later half decides.
    """
    looked_at = lines[:LOOKED_AT]
    scores = _scores(looked_at, filename)
    if not any(is_consistent for is_consistent, *_ in scores.values()) and len(looked_at) > FEWEST_LINES:
        scores = _scores(looked_at[len(looked_at) // 2 :], filename)
    return max(scores, key=lambda separator: scores[separator]) if scores else ","


def _scores(lines: list[str], filename: str) -> dict[str, tuple[bool, bool, float, int]]:
    scores = {}
    for rank, separator in enumerate(SEPARATORS):
        try:
            rows = [record.cells for record in records(lines, separator, filename)]
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
    return scores


def _number_share(rows: Sequence[Sequence[str]]) -> float:
    cells = [cell for row in rows[:50] for cell in row[:200]]
    return sum(WITH_POINT.is_number(cell) or WITH_COMMA.is_number(cell) for cell in cells) / max(len(cells), 1)


def number_style(rows: Sequence[Sequence[str]]) -> tuple[NumberStyle, bool]:
    """Return how numbers are written, and whether a comma before three digits might as well mark thousands."""
    cells = [cell for row in rows[:LOOKED_AT] for cell in row[:200]]
    for style, pattern in GROUPED:
        if any(pattern.fullmatch(cell) for cell in cells):
            return style, False
    commas = [cell for cell in cells if HAS_COMMA.fullmatch(cell)]
    if not commas or any(HAS_POINT.fullmatch(cell) for cell in cells):
        return WITH_POINT, False
    return WITH_COMMA, all(THREE_DIGITS.fullmatch(cell) for cell in commas)


def common_line_end(rows: Sequence[Sequence[str]], separator: str) -> str:
    """Return the mark that ends rows behind their last cell, of those that separate cells elsewhere."""
    ends = Counter(row[-1][-1:] for row in rows[:LOOKED_AT])
    mark, times = ends.most_common(1)[0]
    is_end = mark in {";", ",", "|"} - {separator} and times >= CONSISTENT * len(rows[:LOOKED_AT])
    return mark if is_end else ""
