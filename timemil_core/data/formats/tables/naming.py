"""A name for each column: the header's, told apart where two are alike, and invented where there is none."""

from __future__ import annotations

from collections.abc import Sequence

from timemil_core.data.formats.tables.dialect import Dialect
from timemil_core.data.formulas import unguarded
from timemil_core.data.report_line import ReportLine, note, repair


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
