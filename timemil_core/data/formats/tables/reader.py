"""Text tables (CSV, TSV, TXT) as a reader among others: looked at, laid out, read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from timemil_core.data.files.choices import Choosing, Value
from timemil_core.data.files.contract import Progress, Understood
from timemil_core.data.files.finishing import Cut
from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import Source
from timemil_core.data.files.text import ENCODINGS, SAMPLE, candidates, scan
from timemil_core.data.files.tokens import NumberStyle, is_missing
from timemil_core.data.formats.tables.columns import Column, profile
from timemil_core.data.formats.tables.dialect import (
    LOOKED_AT,
    MOSTLY,
    Dialect,
    best_separator,
    count_preamble,
    looks_like_header,
    number_style,
    records,
    sample_lines,
)
from timemil_core.data.formats.tables.guess import guess_layout
from timemil_core.data.formats.tables.layout import KINDS, TableLayout, Written, chosen_kind, chosen_layout
from timemil_core.data.formats.tables.long import read_long
from timemil_core.data.formats.tables.melted import read_melted
from timemil_core.data.formats.tables.read import read_table
from timemil_core.data.formats.tables.wide import read_wide
from timemil_core.data.formulas import unguarded
from timemil_core.data.limits import refuse_beyond
from timemil_core.data.report_line import ReportLine, note, repair, warning
from timemil_core.errors import DataError


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


HEAD_ROWS = 20
WESTERN_NAMES = {"cp1252": "Western (Windows-1252)", "latin-1": "Western (Latin-1)"}
SEPARATOR_NAMES = {"\t": "tabs", " ": "blanks", ",": "commas", ";": "semicolons", "|": "vertical bars"}
DECIMAL_NAMES = {".": "a point: 0.5", ",": "a comma: 0,5"}
THOUSANDS_NAMES = {"": "not marked", ",": "commas", ".": "points", "'": "apostrophes", "\u2019": "apostrophes (’)"}
BLANK_NAMES = {" ": "blanks", "\u00a0": "fixed blanks", "\u202f": "narrow blanks"}


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
    lines = sample_lines(source, encoding)
    n_preamble = count_preamble(lines)
    dialect = _dialect(lines[n_preamble:], source.name, choose)
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
    names, doubled = unique_names(given_names)
    columns = profile(names, [bool(name) for name in given_names], dialect.rows, dialect.style)
    written = Written(
        source=source,
        encoding=encoding,
        separator=dialect.separator,
        style=dialect.style,
        has_header=dialect.has_header,
        n_preamble=n_preamble,
        n_lines=text.n_lines,
        columns=tuple(names),
    )
    return written, columns, [*_told(encoding, dialect, n_preamble), *told, *doubled]


def head(columns: Sequence[Column]) -> pd.DataFrame:
    """Return the first rows as text, all columns."""
    return pd.DataFrame({column.name: list(column.cells[:HEAD_ROWS]) for column in columns}, dtype=object)


def _dialect(lines: list[str], filename: str, choose: Choosing) -> Dialect:
    guess = best_separator(lines, filename)
    separator = choose.one("separator", "Cells are separated by", SEPARATOR_NAMES, guess, reshapes=True)
    found = records(lines, separator, filename)
    if not found:
        raise DataError("The file holds no table.", where=filename, remedy="Choose a file that does.")
    style, is_doubtful = number_style(found)
    decimal = choose.one("decimal", "Decimal mark", DECIMAL_NAMES, style.decimal, reshapes=True)
    marks = {mark: name for mark, name in {**THOUSANDS_NAMES, **BLANK_NAMES}.items() if mark != decimal}
    thousands = choose.one(
        "thousands",
        "Thousands are marked by",
        marks,
        style.thousands if style.thousands != decimal else "",
        reshapes=True,
    )
    style = NumberStyle(decimal, thousands)
    has_header = choose.flag(
        "has_header", "The first row names the columns", looks_like_header(found[0], found[1:200], style), reshapes=True
    )
    header = tuple(found[0]) if has_header else ()
    is_doubtful = is_doubtful and not (choose.is_given("decimal") or choose.is_given("thousands"))
    return Dialect(separator, style, has_header, header, found[has_header:], is_doubtful)


def _holds_numbers(dialect: Dialect) -> bool:
    """Tell whether a single column is a series, a value a row, rather than rows that were not split into cells."""
    cells = [row[0] for row in dialect.rows[:LOOKED_AT] if not is_missing(row[0])]
    return bool(cells) and sum(map(dialect.style.is_number, cells)) >= MOSTLY * len(cells)


def _told(encoding: str, dialect: Dialect, n_preamble: int) -> list[ReportLine]:
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
    if n_preamble:
        lines.append(note(f"Comment or blank rows before the table, passed over: {n_preamble}."))
    return lines


READERS = {"long": read_long, "wide": read_wide, "melted": read_melted}


def is_text(source: Source, head: bytes) -> bool:
    """Tell whether a file's beginning is text in some encoding."""
    return b"\0" not in head or candidates(head[:SAMPLE])[0] != "utf-8"


def understand_table(sources: Sequence[Source], choose: Choosing) -> Understood:
    """Look at a text table.

    Raises
    ------
    DataError
        Where the file is empty, too large, not text, or holds no table of series, or a choice cannot be.
    """
    written, columns, told = look_at(sources[0], choose)
    layout, reasons = layout_of(written, columns, choose)
    return Understood(
        title=f"a table, {KINDS[layout.kind]}",
        load=lambda progress: load(written, layout, progress),
        lines=[*told, *reasons],
        head=head(columns),
        cut=_cut(layout, choose),
        has_labels=layout.label_column is not None,
    )


def understand_written(source: Source, choose: Choosing, written: Mapping[str, Value], noun: str) -> Understood:
    """Look at a table of another format that a reader has written out as text.

    Parameters
    ----------
    source
        The text.
    written
        How it was written, by the choices' names: neither asked nor told, since the user's file is not written so.
    noun
        What the user's file is, with its article.

    Raises
    ------
    DataError
        As ``understand_table``.
    """
    inner = Choosing({**choose.given, **written}, choose.where)
    understood = understand_table([source], inner)
    choose.made.update({name: choice for name, choice in inner.made.items() if name not in written})
    understood.title = understood.title.replace("a table", noun, 1)
    understood.lines = [line for line in understood.lines if line.choice not in written]
    return understood


def _cut(layout: TableLayout, choose: Choosing) -> Cut:
    if layout.changing_label != "windows":
        return Cut()
    length = choose.number("window", "Window (time points)", None)
    step = choose.number("window_step", "A window begins every (time points)", None, help="Empty: without overlap.")
    return Cut("windows", length, step)


def layout_of(written: Written, columns: Sequence[Column], choose: Choosing) -> tuple[TableLayout, list[ReportLine]]:
    """Return the layout that holds, and a line a column."""
    guess, reasons = guess_layout(columns, written.has_header)
    kind = chosen_kind(choose, guess.kind)
    if kind != guess.kind:
        guess, reasons = guess_layout(columns, written.has_header, kind)
    layout, told = chosen_layout(guess, columns, written, choose)
    return layout, [*_still_true(reasons, guess, layout), *told]


def _still_true(reasons: Sequence[ReportLine], guess: TableLayout, layout: TableLayout) -> list[ReportLine]:
    """Leave out the reasons of guesses that the user has replaced."""
    return [line for line in reasons if not line.choice or getattr(guess, line.choice) == getattr(layout, line.choice)]


def load(written: Written, layout: TableLayout, progress: Progress) -> Parts:
    """Read a table as it is written and laid out."""
    layout.check(written.columns, written.source.name)
    table = read_table(written, layout, progress)
    parts = READERS[layout.kind](table, layout)
    parts.lines[:0] = table.lines
    return parts
