"""How a text table is written: its first records as text, separator, decimal mark, header."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple

from timemil_core.data.files.source import Source
from timemil_core.data.files.text import first_text
from timemil_core.data.files.tokens import WITH_COMMA, WITH_POINT, NumberStyle, is_missing, is_stamp
from timemil_core.data.formats.tables.columns import EPOCHS, role_of_name
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
FEWEST_NAMED = 3  # columns of a table whose names are one short
FEWEST_POSITIONS = 4  # numbers in a row of names
FASTEST = 1e6  # Hz
LONGEST_LINE = 500  # characters that are looked at: the patterns take their square in time
_OF_UNIT = (
    r"[pnuµμmcdhkMGT]?(s|secs?|seconds?|min|h|hours?|m|g|V|volts?|A|Hz|T|G|gauss|Pa|N|W|K|C|F|rad|deg(rees)?|°[CF]?|bar|"
    r"bpm|mol|l|L|[Oo]hm|Ω|J|dB|mmHg|lx|lux|counts?|[Aa]\.?[Uu]\.?|float\d*|int\d*|str|string|text|date(time)?|[%‰1])[²³\d⁻¹^-]*"
)
UNIT = re.compile(rf"[\[(<{{].{{0,20}}[\])>}}]|{_OF_UNIT}([/*·. ]{_OF_UNIT})*")
RATE = re.compile(
    r"(sampl\w*[ _-]*(rate|freq\w*)|freq\w*|\bfs\b|\bhz\b)\W{0,12}?(\(?\[?hz\]?\)?)?[\s:=,;\"]{1,8}"
    r"(?P<after>\d+(\.\d+)?)|(?P<before>\d+(\.\d+)?) ?hz\b",
    re.IGNORECASE,
)
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
    if not any(n_roles) and last > first and _are_units(rows[last]):
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


def _are_units(row: Sequence[str]) -> bool:
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


def start_and_rate(rows: Sequence[Sequence[str]], style: NumberStyle) -> float | None:
    """Return the sampling rate of a wristband's table, whose first row is the start and whose second is the rate.

    Both are written once a column, the start in seconds since 1970; None for any other table.
    """
    if len(rows) < 4 or not all(style.is_number(cell) for row in rows[:4] for cell in row):
        return None
    (start, *starts), (rate, *rates) = ([style.number(cell) for cell in row] for row in rows[:2])
    is_said = {start} == {start, *starts} and {rate} == {rate, *rates} and EPOCHS[0] <= start <= EPOCHS[1]
    others = [abs(style.number(cell)) for row in rows[2:LOOKED_AT] for cell in row if style.is_number(cell)]
    return rate if is_said and 0 < rate <= FASTEST and max(others) < EPOCHS[0] else None


def rate_in(lines: Sequence[str]) -> float | None:
    """Return the sampling rate in Hz that lines before a table tell, None where they tell none or several."""
    found = {float(match["after"] or match["before"]) for line in lines for match in RATE.finditer(line[:LONGEST_LINE])}
    return found.pop() if len(found) == 1 and 0 < min(found) <= FASTEST else None


def common_line_end(rows: Sequence[Sequence[str]], separator: str) -> str:
    """Return the mark that ends rows behind their last cell, of those that separate cells elsewhere."""
    ends = Counter(row[-1][-1:] for row in rows[:LOOKED_AT])
    mark, times = ends.most_common(1)[0]
    is_end = mark in {";", ",", "|"} - {separator} and times >= CONSISTENT * len(rows[:LOOKED_AT])
    return mark if is_end else ""
