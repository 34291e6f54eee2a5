"""Two rows of one series and time: refused, or made one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from timemil_core.data.formats.tables.grouping import Grouping
from timemil_core.data.formats.tables.layout import TableLayout
from timemil_core.data.formats.tables.table import Table
from timemil_core.data.report_line import repair
from timemil_core.data.series_set import BoolArray
from timemil_core.errors import DataError

DONE = {"mean": "their mean was taken", "first": "the first was kept", "last": "the last was kept"}


def without_doubles(grouping: Grouping, table: Table, layout: TableLayout) -> Grouping:
    """Return the grouping with one row a series and time; ``table.values`` holds the mean where that was chosen.

    Raises
    ------
    DataError
        Where rows are doubled and nothing was chosen.
    """
    same = grouping.same_time()
    if not same.any():
        return grouping
    if layout.same_time == "refuse":
        raise _refusal(grouping, same, table, layout)
    if layout.same_time == "mean":
        _average(grouping, same, table)
    kept = np.append(~same[1:], True) if layout.same_time == "last" else ~same
    line = repair(
        f"Rows with the time of another row of their series: {int(same.sum()):,}; {DONE[layout.same_time]}.",
        choice="same_time",
    )
    times = None if grouping.times is None else grouping.times[kept]
    return replace(
        grouping, order=grouping.order[kept], codes=grouping.codes[kept], times=times, lines=[*grouping.lines, line]
    )


def _average(grouping: Grouping, same: BoolArray, table: Table) -> None:
    """Write the mean of equal rows, missing values left out, into the first of them."""
    firsts = np.flatnonzero(~same)
    sizes = np.diff(np.append(firsts, len(same)))
    several = firsts[sizes > 1]
    for first, size in zip(several.tolist(), sizes[sizes > 1].tolist(), strict=True):
        rows = table.values[grouping.order[first : first + size]].astype(np.float64)
        known = ~np.isnan(rows)
        counts = known.sum(axis=0)
        means = np.where(counts > 0, np.nansum(rows, axis=0) / np.maximum(counts, 1), np.nan)
        table.values[grouping.order[first]] = means


def _refusal(grouping: Grouping, same: BoolArray, table: Table, layout: TableLayout) -> DataError:
    position = int(np.flatnonzero(same)[0])
    first, second = sorted(int(table.rows[grouping.order[place]]) for place in (position - 1, position))
    whose = "" if layout.id_column is None else f" of one series (column {layout.id_column!r})"
    return DataError(
        f"Rows {first} and {second}{whose} have the same time; such pairs of rows: {int(same.sum()):,}.",
        where=f"{table.written.source.name}, row {second}, column {layout.time_column!r}",
        remedy="Keep one row a time and series, or choose what becomes of rows with the same time. If series share an "
        "id, give each its own; if a column names the channel of each row, choose it.",
    )
