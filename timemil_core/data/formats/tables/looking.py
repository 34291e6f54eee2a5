"""A text table looked at: how it is written, its columns with their names, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from timemil_core.data.files.choices import Choosing
from timemil_core.data.files.source import Source
from timemil_core.data.files.text import ENCODINGS, scan
from timemil_core.data.files.tokens import NumberStyle, is_missing
from timemil_core.data.formats.tables.clock import rate_in, start_and_rate
from timemil_core.data.formats.tables.columns import Column, profile
from timemil_core.data.formats.tables.dialect import (
    COMMENT_MARKS,
    LOOKED_AT,
    MOSTLY,
    Dialect,
    best_separator,
    common_line_end,
    count_preamble,
    names_in_comment,
    number_style,
    records,
    sample_lines,
)
from timemil_core.data.formats.tables.layout import Written
from timemil_core.data.formats.tables.levels import two_levels
from timemil_core.data.formats.tables.start import Start, find_start, looks_like_header
from timemil_core.data.formulas import unguarded
from timemil_core.data.limits import refuse_beyond
from timemil_core.data.report_line import ReportLine, note, repair, warning
from timemil_core.data.wording import counted
from timemil_core.errors import DataError

ROW_TITLE, ROW_HELP = "The table begins in row", "The row of names; where there is none, the first row of data."
SHOWN = 60  # characters of a line
FEW_UNITS = 6
SKIP_HELP = "A row of units, for example."
WESTERN_NAMES = {"cp1252": "Western (Windows-1252)", "latin-1": "Western (Latin-1)"}
SEPARATOR_NAMES = {"\t": "tabs", " ": "blanks", ",": "commas", ";": "semicolons", "|": "vertical bars"}
DECIMAL_NAMES = {".": "a point: 0.5", ",": "a comma: 0,5"}
THOUSANDS_NAMES = {"": "not marked", ",": "commas", ".": "points", "'": "apostrophes", "\u2019": "apostrophes (’)"}
BLANK_NAMES = {" ": "blanks", "\u00a0": "fixed blanks", "\u202f": "narrow blanks"}


def raw_names(dialect: Dialect) -> tuple[list[str], list[ReportLine]]:
    """Return a name a column ("" where it has none), as many as the widest row, and what was done to get them."""
    width = max(len(row) for row in dialect.rows)
    names = [unguarded(name) for name in dialect.header]
    widths = {len(row) for row in dialect.rows}
    if names and widths == {len(names) + 1}:
        if all(not row[-1] for row in dialect.rows):
            return names, [note("Each row ends with a separator, which is passed over.")]
        return ["", *names], [note("The header is one name short: the first column has none (as R writes tables).")]
    while len(names) > width and not names[-1]:
        names.pop()
    return names + [""] * (width - len(names) if not names else 0), []


def unique_names(given: Sequence[str]) -> tuple[list[str], list[ReportLine]]:
    """Return names of which no two are alike, and a line a name that was changed."""
    names: list[str] = []
    lines = []
    taken = set(given)
    seen: set[str] = set()
    last: dict[str, int] = {}
    for position, raw in enumerate(given):
        stem = raw or f"column {position + 1}"
        name = stem
        number = last.get(stem, 1)
        while name in seen or (name != raw and name in taken):
            number += 1
            name = f"{stem} ({number})"
        last[stem] = number
        if raw and name != raw:
            lines.append(repair(f"Two columns are called {raw!r}; the later is called {name!r} here."))
        seen.add(name)
        names.append(name)
    return names, lines


def look_at(source: Source, choose: Choosing) -> tuple[Written, list[Column], list[ReportLine]]:
    """Return how a table is written, its columns' first cells, and what to tell of it.

    Raises
    ------
    DataError
        Where the file is empty, too large, not text, or holds no table of series.
    """
    source.refuse_large()
    given = choose.given.get("encoding")
    text = scan(source, given if isinstance(given, str) and given in ENCODINGS else None)
    encoding = choose.one("encoding", "Encoding", ENCODINGS, text.encoding, reshapes=True)
    dialect, preamble = _dialect(sample_lines(source, encoding), source.name, choose)
    if not dialect.rows:
        raise DataError(
            "There is a header, but no row of data beneath it.", where=source.name, remedy="Add the rows of data."
        )
    given_names, told = raw_names(dialect)
    if len(given_names) < 2 and not _holds_numbers(dialect):
        raise DataError(
            "The file has one column only.",
            where=source.name,
            remedy="If its cells hold several values, separate them by commas, semicolons or tabs.",
        )
    refuse_beyond("columns", len(given_names), source.name, of="The table")
    refuse_beyond("cells", text.n_lines * len(given_names), source.name, of="The table")
    levels = two_levels(given_names, dialect, preamble, source)
    names, doubled = unique_names(levels.names)
    columns = profile(names, [bool(name) for name in given_names], dialect.rows, dialect.style)
    beneath = dialect.beneath[1:] if levels.is_beneath else dialect.beneath
    units = _units(dialect, beneath, names)
    written = Written(
        source=source,
        encoding=encoding,
        separator=dialect.separator,
        style=dialect.style,
        has_header=dialect.has_header,
        n_preamble=dialect.first_row - 1,
        n_beneath=len(dialect.beneath),
        n_lines=text.n_lines,
        columns=tuple(names),
        line_end=dialect.line_end,
        units=units,
        sampling_rate=dialect.sampling_rate,
    )
    passed = _passed_over(dialect, preamble[:-1] if levels.is_above else preamble, beneath, units)
    return written, columns, [*_told(encoding, dialect), *passed, *told, *levels.lines, *doubled]


def _units(dialect: Dialect, beneath: Sequence[Sequence[str]], names: Sequence[str]) -> dict[str, str]:
    """Return the unit of each column that has one in the row beneath the names, brackets taken away."""
    if len(beneath) != 1 or not dialect.has_header:
        return {}
    cells = zip(names, beneath[0], strict=False)
    return {name: unit for name, cell in cells if not is_missing(cell) and (unit := cell.strip("[](){}<> "))}


def _dialect(lines: list[str], filename: str, choose: Choosing) -> tuple[Dialect, list[str]]:
    """Return how the table is written, and the lines before it."""
    n_passed = count_preamble(lines)
    if (row := choose.number("header_row", ROW_TITLE, None)) is not None:
        n_passed = min(int(row) - 1, len(lines)) if row >= 1 else 0
    preamble, lines = lines[:n_passed], lines[n_passed:]
    guess = best_separator(lines, filename)
    if row is None and preamble and (named := names_in_comment(preamble[-1], lines, guess, filename)):
        n_passed, preamble, lines = n_passed - 1, preamble[:-1], [named, *lines]
    separator = choose.one("separator", "Cells are separated by", SEPARATOR_NAMES, guess, reshapes=True)
    found = records(lines, separator, filename)
    if not found:
        raise DataError("The file holds no table.", where=filename, remedy="Choose a file that does.")
    line_end = common_line_end([record.cells for record in found], separator)
    rows = [[*cells[:-1], cells[-1].rstrip(line_end)] if line_end else cells for _, cells in found]
    likely, _ = number_style(rows[len(rows) // 2 :])
    start = find_start(rows, likely) if row is None else Start(0, looks_like_header(rows[0], rows[1:200], likely))
    has_header = choose.flag("has_header", "The first row names the columns", start.has_header, reshapes=True)
    rate = None if has_header else start_and_rate(rows[start.first :], likely)
    n_beneath = 2 if rate is not None else start.n_beneath if has_header else 0
    skipped = choose.number("skip_rows", "Rows beneath it to pass over", n_beneath or None, help=SKIP_HELP)
    first_row = n_passed + found[start.first].number
    choose.number("header_row", ROW_TITLE, float(first_row), help=ROW_HELP)
    data = start.first + has_header
    body = rows[data + int(skipped or 0) :]
    style, is_doubtful = _style(body, choose)
    preamble += lines[: found[start.first].number - 1]
    dialect = Dialect(
        separator=separator,
        style=style,
        has_header=has_header,
        header=tuple(rows[start.first]) if has_header else (),
        rows=body,
        first_row=first_row,
        beneath=tuple(tuple(row) for row in rows[data : data + int(skipped or 0)]),
        line_end=line_end,
        sampling_rate=rate_in(preamble) if rate is None else rate,
        is_style_doubtful=is_doubtful,
    )
    return dialect, preamble


def _style(rows: Sequence[Sequence[str]], choose: Choosing) -> tuple[NumberStyle, bool]:
    style, is_doubtful = number_style(rows)
    decimal = choose.one("decimal", "Decimal mark", DECIMAL_NAMES, style.decimal, reshapes=True)
    marks = {mark: name for mark, name in {**THOUSANDS_NAMES, **BLANK_NAMES}.items() if mark != decimal}
    guess = style.thousands if style.thousands != decimal else ""
    thousands = choose.one("thousands", "Thousands are marked by", marks, guess, reshapes=True)
    is_doubtful = is_doubtful and not (choose.is_given("decimal") or choose.is_given("thousands"))
    return NumberStyle(decimal, thousands), is_doubtful


def _holds_numbers(dialect: Dialect) -> bool:
    """Tell whether a single column is a series, a value a row, rather than rows that were not split into cells."""
    cells = [row[0] for row in dialect.rows[:LOOKED_AT] if not is_missing(row[0])]
    return bool(cells) and sum(map(dialect.style.is_number, cells)) >= MOSTLY * len(cells)


def _told(encoding: str, dialect: Dialect) -> list[ReportLine]:
    separator = SEPARATOR_NAMES.get(dialect.separator, repr(dialect.separator))
    header = "the first row names the columns" if dialect.has_header else "no row names the columns"
    decimal = ", decimals by a comma" if dialect.style.decimal == "," else ""
    lines = [note(f"Cells are separated by {separator}{decimal}, {header}.", choice="separator")]
    if mark := dialect.style.thousands:
        name = {**THOUSANDS_NAMES, **BLANK_NAMES}[mark]
        lines.append(repair(f"Thousands are marked by {name}, which are taken away.", choice="thousands"))
    if dialect.is_style_doubtful:
        lines.append(
            warning(
                "A comma stands before three digits in every number that has one: it was taken for the decimal mark, "
                "but may as well mark thousands.",
                remedy="If it does, choose commas for the thousands and a point for decimals.",
                choice="thousands",
            )
        )
    if encoding in WESTERN_NAMES:
        lines.append(
            repair(
                f"The text is not UTF-8; read as {WESTERN_NAMES[encoding]}.",
                remedy="Check names with accents.",
                choice="encoding",
            )
        )
    elif not encoding.startswith("utf-8"):
        lines.append(note(f"The text is in {encoding.upper()}.", choice="encoding"))
    return lines


def _passed_over(
    dialect: Dialect, preamble: Sequence[str], beneath: Sequence[Sequence[str]], units: Mapping[str, str]
) -> Iterator[ReportLine]:
    """Tell which rows are no data, and what was learned from them."""
    if any(line.strip() and not line.strip().startswith(COMMENT_MARKS) for line in preamble):
        yield warning(
            f"The table begins in row {dialect.first_row}: {counted(len(preamble), 'row')} before it were passed over, "
            f"of which the first is {preamble[0].strip()[:SHOWN]!r}.",
            remedy="If it begins elsewhere, choose the row.",
            choice="header_row",
        )
    elif preamble:
        yield note(f"Comment or blank rows before the table, passed over: {len(preamble)}.", choice="header_row")
    if units:
        told = ", ".join(f"{name!r} in {unit}" for name, unit in list(units.items())[:FEW_UNITS])
        yield repair(f"The row beneath the names holds units and is passed over: {told}.", choice="skip_rows")
    elif beneath and dialect.has_header:
        yield repair(
            f"{counted(len(beneath), 'row')} beneath the names hold no numbers and are passed over.",
            choice="skip_rows",
        )
    elif beneath:
        began = f" but the start ({dialect.beneath[0][0]}) and the rate" if dialect.sampling_rate else ""
        yield repair(
            f"The first {counted(len(dialect.beneath), 'row')} are no values{began}: passed over.",
            choice="skip_rows",
        )
    if dialect.sampling_rate is not None:
        yield note(
            f"The rows before the values tell a sampling rate of {dialect.sampling_rate:g} Hz.", choice="sampling_rate"
        )
