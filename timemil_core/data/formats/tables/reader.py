"""Text tables (CSV, TSV, TXT) as a reader among others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from timemil_core.data.files.choices import Choosing, Value
from timemil_core.data.files.contract import Progress, Understood
from timemil_core.data.files.finishing import Cut
from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import Source
from timemil_core.data.formats.tables.choosing import KINDS, chosen_kind, chosen_layout
from timemil_core.data.formats.tables.decoding import SAMPLE, candidates
from timemil_core.data.formats.tables.guessing import guess_layout
from timemil_core.data.formats.tables.inspecting import head, look_at
from timemil_core.data.formats.tables.layout import TableLayout, Written
from timemil_core.data.formats.tables.long import read_long
from timemil_core.data.formats.tables.melted import read_melted
from timemil_core.data.formats.tables.profile import Column
from timemil_core.data.formats.tables.table import read_table
from timemil_core.data.formats.tables.wide import read_wide
from timemil_core.data.report_line import ReportLine

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
