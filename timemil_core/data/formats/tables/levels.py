"""Names of columns that stand in two rows: a sensor over its axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from timemil_core.data.files.source import Source
from timemil_core.data.files.tokens import is_missing
from timemil_core.data.formats.tables.dialect import Dialect, records
from timemil_core.data.formats.tables.names import role_of_name
from timemil_core.data.formats.tables.start import are_units
from timemil_core.data.report_line import ReportLine, note
from timemil_core.data.wording import listed

FEW = 3  # names that are told


class Levels(NamedTuple):
    """Names of both rows in one, and what to tell of it; whether the other row stood above or beneath the names."""

    names: list[str]
    lines: list[ReportLine]
    is_above: bool = False
    is_beneath: bool = False


def two_levels(names: Sequence[str], dialect: Dialect, preamble: Sequence[str], source: Source) -> Levels:
    """Join the row above, or beneath, to names that occur more than once, where that tells them apart.

    An empty cell of the upper row is under the last one that is filled, as merged cells of a sheet are written.
    """
    if _tells_apart(names) or not dialect.has_header:
        return Levels(list(names), [])
    above = records([preamble[-1]], dialect.separator, source.name) if preamble else []
    if above and _is_level(above[0].cells, names, dialect):
        joined = [_joined(upper, name) for upper, name in zip(_filled(above[0].cells, names), names, strict=True)]
        if _tells_apart(joined):
            return Levels(joined, [_told(joined, names)], is_above=True)
    if dialect.beneath and _is_level(dialect.beneath[0], names, dialect) and not are_units(dialect.beneath[0]):
        lower = [*dialect.beneath[0], *[""] * len(names)]
        joined = [_joined(name, "" if is_missing(cell) else cell) for name, cell in zip(names, lower, strict=False)]
        if _tells_apart(joined):
            return Levels(joined, [_told(joined, names)], is_beneath=True)
    return Levels(list(names), [])


def _is_level(cells: Sequence[str], names: Sequence[str], dialect: Dialect) -> bool:
    filled = [cell for cell in cells if not is_missing(cell)]
    return 1 < len(cells) <= len(names) and len(filled) > 1 and not any(map(dialect.style.is_number, filled))


def _filled(upper: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the upper row with merged cells filled from the left, but not over a word of a role (label, time …)."""
    row, last = [], ""
    for place, name in enumerate(names):
        cell = upper[place] if place < len(upper) else ""
        last = cell if not is_missing(cell) else "" if len(name) > 1 and role_of_name(name) else last
        row.append(last)
    return row


def _joined(upper: str, lower: str) -> str:
    return " ".join(part.strip() for part in (upper, lower) if part.strip())


def _tells_apart(names: Sequence[str]) -> bool:
    given = [name for name in names if name]
    return len(set(given)) == len(given)


def _told(joined: Sequence[str], names: Sequence[str]) -> ReportLine:
    changed = [name for name, before in zip(joined, names, strict=True) if name != before]
    return note(f"Two rows name the columns; they were joined: {listed(changed, FEW)}.", choice="header_row")
