"""Wide tables: a row a series."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from timemil_core.data.class_names import label_indices, sorted_class_names
from timemil_core.data.series_set import UNKNOWN_LABEL, BoolArray, FloatArray, IntArray
from timemil_core.data.tables.labels import canonical_labels, check_classes, notes_on_labels
from timemil_core.data.tables.layout import TableLayout
from timemil_core.data.tables.marks import split_codes
from timemil_core.data.tables.numbered import channel_groups, channel_name
from timemil_core.data.tables.numbers import as_float32
from timemil_core.data.tables.parsing import Table
from timemil_core.data.tables.parts import Parts
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
    groups = (channel_groups(columns) if table.guess.has_header else None) or {"": columns}
    in_order = [column for group in groups.values() for column in group]
    names = tuple(channel_name(stem, len(groups)) for stem in groups)
    numbers = table.numbers(in_order).reshape(len(table.rows), len(groups), -1)
    values, notes = as_float32(numbers, names)  # (n_series, n_channels, n_timepoints)
    ends, kept = _ends(values, table, notes)
    if layout.time_column is not None:
        notes.append(f"{layout.time_column!r} holds one time a series, which is not used.")
    labels, class_names = _labels(table, layout, kept, notes)
    split = np.zeros(len(table.rows)) if layout.split_column is None else split_codes(table, layout.split_column)
    return Parts(
        series=tuple(np.ascontiguousarray(values[row, :, : ends[row]]) for row in kept),
        series_ids=_ids(table, layout.id_column, kept),
        channel_names=names,
        labels=labels,
        class_names=class_names,
        split=np.where(split == 1, "test", "train")[kept],
        sampling_rate=layout.sampling_rate,
        notes=notes,
    )


def _ends(values: FloatArray, table: Table, notes: list[str]) -> tuple[IntArray, IntArray]:
    """Return where each row's values end, ``(n_rows,)``, and which rows hold any."""
    observed: BoolArray = np.any(~np.isnan(values), axis=1)  # (n_series, n_timepoints)
    length = observed.shape[1]
    ends = np.where(observed.any(axis=1), length - observed[:, ::-1].argmax(axis=1), 0).astype(np.int64)
    kept = np.flatnonzero(ends).astype(np.int64)
    if not kept.size:
        raise DataError("No row holds a value.", where=table.guess.filename, remedy="Check the value columns.")
    if empty := [int(row) for row in table.rows[ends == 0]]:
        notes.append(f"Rows that hold no value, left out: {len(empty):,} (the first is row {empty[0]}).")
    if n_padded := int((ends[kept] < length).sum()):
        notes.append(f"Missing values at the end of {counted(n_padded, 'row')} were taken for padding and cut off.")
    return ends, kept


def _ids(table: Table, column: str | None, kept: IntArray) -> tuple[str, ...]:
    if column is None:
        return tuple(str(index + 1) for index in range(len(kept)))
    ids = table.texts(column)[kept]
    empty = np.flatnonzero(ids == "")
    if empty.size:
        raise DataError("The series has no id.", where=table.where(kept[empty[0]], column), remedy="Give it one.")
    twice = np.flatnonzero(pd.Series(ids, dtype="str").duplicated().to_numpy())
    if twice.size:
        raise DataError(
            f"The id {ids[twice[0]]!r} occurs twice.",
            where=table.where(kept[twice[0]], column),
            remedy="Give each row an id of its own, or read the table without an id column; if a row is a time point "
            "rather than a series, choose the long layout.",
        )
    return tuple(str(one) for one in ids)


def _labels(table: Table, layout: TableLayout, kept: IntArray, notes: list[str]) -> tuple[IntArray, tuple[str, ...]]:
    if layout.label_column is None:
        return np.full(len(kept), UNKNOWN_LABEL, dtype=np.int64), ()
    texts: Sequence[str] = [str(text) for text in table.texts(layout.label_column)[kept]]
    names = canonical_labels(texts)
    class_names = sorted_class_names(name for name in names.values() if name is not None)
    check_classes(class_names, len(kept), f"{table.guess.filename}, column {layout.label_column!r}")
    notes.extend(notes_on_labels(names, class_names))
    return label_indices([names[text] for text in texts], class_names), class_names
