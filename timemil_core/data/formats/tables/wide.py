"""Wide tables: a row a series, or a row a channel of a series."""

from __future__ import annotations

import numpy as np

from timemil_core.data.files.parts import Parts
from timemil_core.data.formats.tables.counting import channel_groups, channel_name
from timemil_core.data.formats.tables.layout import TableLayout
from timemil_core.data.formats.tables.long import NONE, label_codes, split_codes
from timemil_core.data.formats.tables.read import Table, positions_of
from timemil_core.data.report_line import ReportLine, note, repair
from timemil_core.data.series_set import FloatArray, IntArray
from timemil_core.data.wording import counted
from timemil_core.errors import DataError


def read_wide(table: Table, layout: TableLayout) -> Parts:
    """Read a wide table; missing values at a row's end are padding and are cut off (the UCR convention).

    Raises
    ------
    DataError
        Where an id occurs twice, no row holds a value, or a cell is unreadable: names file, row and column.
    """
    columns = layout.channel_columns
    groups = (channel_groups(columns) if table.written.has_header else None) or {"": columns}
    names = tuple(channel_name(stem, len(groups)) for stem in groups)
    places = {name: positions_of(columns, group) for name, group in zip(names, groups.values(), strict=True)}
    values = _values(table, places)  # (n_series, n_channels, n_timepoints)
    ends, kept, lines = _ends(values, table)
    if layout.time_column is not None:
        lines.append(note(f"{layout.time_column!r} holds one time a series, which is not used.", choice="time_column"))
    codes, labels, spelled = label_codes(table, layout)
    return Parts(
        series=[np.ascontiguousarray(values[row, :, : ends[row]]) for row in kept],
        ids=_ids(table, layout, kept),
        channel_names=names,
        labels=[None] * len(kept)
        if codes is None
        else [None if code == NONE else labels[code] for code in codes[kept]],
        split=_split(table, layout, kept),
        sampling_rate=layout.sampling_rate,
        groups=_groups(table, layout, kept),
        lines=[*lines, *spelled, *table.rounding.lines(places)],
    )


def _values(table: Table, places: dict[str, list[int]]) -> FloatArray:
    in_order = [place for positions in places.values() for place in positions]
    values = table.values if in_order == list(range(table.values.shape[1])) else table.values[:, in_order]
    return values.reshape(len(table.rows), len(places), -1)


def _ends(values: FloatArray, table: Table) -> tuple[IntArray, IntArray, list[ReportLine]]:
    """Return where each row's values end, ``(n_rows,)``, and which rows hold any."""
    observed = np.any(~np.isnan(values), axis=1)  # (n_series, n_timepoints)
    length = observed.shape[1]
    ends = np.where(observed.any(axis=1), length - observed[:, ::-1].argmax(axis=1), 0).astype(np.int64)
    kept = np.flatnonzero(ends).astype(np.int64)
    lines = []
    if not kept.size:
        raise DataError("No row holds a value.", where=table.written.source.name, remedy="Check the value columns.")
    if empty := [int(row) for row in table.rows[ends == 0]]:
        lines.append(
            repair(f"Rows that hold no value, left out: {len(empty):,}.", where=f"row {empty[0]}, to begin with")
        )
    if n_padded := int((ends[kept] < length).sum()):
        rows = counted(n_padded, "row")
        lines.append(repair(f"Missing values at the end of {rows} were taken for padding and cut off."))
    return ends, kept, lines


def _ids(table: Table, layout: TableLayout, kept: IntArray) -> list[str]:
    column = layout.id_column
    if column is None:
        return [str(index + 1) for index in range(len(kept))]
    coded = table.coded[column]
    group = table.coded[layout.group_column] if layout.group_column and layout.ids_within_groups else None
    seen: set[str] = set()
    ids = []
    for row in kept:
        text = coded.text(row)
        if text == "":
            raise DataError("The series has no id.", where=table.where(row, column), remedy="Give it one.")
        name = text if group is None else f"{group.text(row)}/{text}"
        if name in seen:
            raise _twice(text, table.where(row, column))
        seen.add(name)
        ids.append(name)
    return ids


def _twice(text: str, where: str) -> DataError:
    return DataError(
        f"The id {text!r} occurs twice.",
        where=where,
        remedy="Give each row an id of its own, or read the table without an id column; if a row is a time point "
        "rather than a series, choose the long layout.",
    )


def _split(table: Table, layout: TableLayout, kept: IntArray) -> list[str] | None:
    if layout.split_column is None:
        return None
    return ["test" if part == 1 else "train" for part in split_codes(table, layout.split_column)[kept]]


def _groups(table: Table, layout: TableLayout, kept: IntArray) -> list[str] | None:
    if layout.group_column is None:
        return None
    coded = table.coded[layout.group_column]
    return [coded.text(row) or f"row {table.rows[row]}" for row in kept]
