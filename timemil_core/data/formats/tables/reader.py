"""Text tables (CSV, TSV, TXT) as a reader among others: looked at, laid out, read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from timemil_core.data.files.choices import Choosing, Value
from timemil_core.data.files.contract import Progress, Understood
from timemil_core.data.files.finishing import Cut
from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import Source
from timemil_core.data.files.text import SAMPLE, candidates, scan
from timemil_core.data.formats.tables.columns import Column
from timemil_core.data.formats.tables.counting import channel_groups
from timemil_core.data.formats.tables.guess import guess_layout
from timemil_core.data.formats.tables.layout import KINDS, TableLayout, Written, chosen_kind, chosen_layout
from timemil_core.data.formats.tables.long import read_long
from timemil_core.data.formats.tables.looking import look_at
from timemil_core.data.formats.tables.melted import read_melted
from timemil_core.data.formats.tables.read import read_table, read_together
from timemil_core.data.formats.tables.wide import read_wide
from timemil_core.data.report_line import ReportLine
from timemil_core.errors import DataError

HEAD_ROWS = 20
HEADER_BYTES = 1 << 16  # of lines by which files are told to be alike


def head(columns: Sequence[Column]) -> pd.DataFrame:
    """Return the first rows as text, all columns."""
    return pd.DataFrame({column.name: list(column.cells[:HEAD_ROWS]) for column in columns}, dtype=object)


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
    is_own = _is_own(layout, written, choose)
    return Understood(
        title=f"a table, {_headline(layout, written)}",
        load=lambda progress: load(written, layout, progress),
        lines=[*told, *reasons],
        head=head(columns),
        cut=_cut(layout, choose),
        has_labels=layout.label_column is not None,
        is_row_doubtful=layout.kind == "wide" and not (written.has_header or choose.is_given("layout")),
        alike=None if is_own else lambda other: _alike(written, layout, other),
        together=None if is_own else lambda others: _together(written, layout, others),
    )


def _is_own(layout: TableLayout, written: Written, choose: Choosing) -> bool:
    """Tell whether something was guessed from the first file's cells that another's may tell otherwise."""
    is_guessed = layout.time_unit is not None and not choose.is_given("time_unit")
    return not written.has_header or layout.kind == "wide" or is_guessed


def _alike(written: Written, layout: TableLayout, source: Source) -> Callable[[Progress], Parts] | None:
    """Return what reads a file as another was read, where both begin with the same lines; None where they do not."""
    n_lines = written.first_row - 1
    heads = [one.head(HEADER_BYTES).splitlines()[:n_lines] for one in (written.source, source)]
    if heads[0] != heads[1] or len(heads[0]) < n_lines:
        return None
    source.refuse_large()
    n_found = scan(source, written.encoding).n_lines
    return lambda progress: load(replace(written, source=source, n_lines=n_found), layout, progress)


def _together(written: Written, layout: TableLayout, sources: Sequence[Source]) -> list[Parts] | None:
    """Return what small files hold that are read as another was; None where they must be read one by one."""
    tables = read_together(written, layout, sources)
    try:
        return None if tables is None else [READERS[layout.kind](table, layout) for table in tables]
    except DataError:
        return None


def _headline(layout: TableLayout, written: Written) -> str:
    """Say in a sentence what decides all else: what a row is."""
    if layout.kind != "wide":
        return KINDS[layout.kind]
    channels = channel_groups(layout.channel_columns) if written.has_header else None
    n_channels = len(channels or (1,))
    of = f" of {n_channels} channels" if n_channels > 1 else ""
    return f"wide: a row is a series of {len(layout.channel_columns) // n_channels:,} time points{of}"


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
    was, now = ({**vars(one), "layout": one.kind} for one in (guess, layout))
    return [line for line in reasons if not line.choice or was[line.choice] == now[line.choice]]


def load(written: Written, layout: TableLayout, progress: Progress) -> Parts:
    """Read a table as it is written and laid out."""
    layout.check(written.columns, written.source.name)
    table = read_table(written, layout, progress)
    parts = READERS[layout.kind](table, layout)
    parts.lines[:0] = table.lines
    return parts
