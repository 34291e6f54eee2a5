"""Long tables: a row a time point, a column a channel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from timemil_core.data.class_names import sorted_class_names
from timemil_core.data.series_set import UNKNOWN_LABEL, BoolArray, IntArray
from timemil_core.data.tables.labels import canonical_labels, check_classes, notes_on_labels
from timemil_core.data.tables.layout import TableLayout
from timemil_core.data.tables.marks import ALWAYS, instance_classes, split_codes
from timemil_core.data.tables.numbers import as_float32
from timemil_core.data.tables.parsing import DoubleArray, Table
from timemil_core.data.tables.parts import Parts
from timemil_core.data.tables.time_axis import read_time, sampling_rate
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError


@dataclass(frozen=True, eq=False)
class Grouping:
    """Rows sorted by series and time: ``order`` ``(n_rows,)``; where each series begins in it; each series' id.

    ``times`` are kept where no sampling rate could be taken from them.
    """

    order: IntArray
    starts: IntArray
    ids: tuple[str, ...]
    rate: float | None
    times: Timestamps | None = None


def read_long(table: Table, layout: TableLayout) -> Parts:
    """Read a long table: rows grouped by id, sorted by time, checked.

    Raises
    ------
    DataError
        Where an id or time is missing, a time occurs twice in a series, a label changes within one, or a cell is
        unreadable: names file, row and column.
    """
    notes: list[str] = []
    codes, ids = _series_codes(table, layout.id_column)
    grouping = _grouped_by_time(table, layout, codes, ids, notes)
    values, more = as_float32(table.numbers(layout.channel_columns), layout.channel_columns)
    labels, class_names = _labels(table, layout, grouping, codes, notes)
    return Parts(
        series=tuple(np.ascontiguousarray(piece.T) for piece in np.split(values[grouping.order], grouping.starts[1:])),
        series_ids=grouping.ids,
        channel_names=layout.channel_columns,
        labels=labels,
        class_names=class_names,
        split=_split(table, layout.split_column, codes, ids),
        sampling_rate=grouping.rate,
        instance_labels=_instance_labels(table, layout.instance_label_column, grouping, labels, class_names),
        notes=[*notes, *more],
        timestamps=grouping.times,
    )


def _series_codes(table: Table, id_column: str | None) -> tuple[IntArray, tuple[str, ...]]:
    """Return the series of each row, and the ids in the order in which they appear."""
    if id_column is None:
        return np.zeros(len(table.rows), dtype=np.int64), ("1",)
    ids = table.texts(id_column)
    empty = np.flatnonzero(ids == "")
    if empty.size:
        raise DataError(
            f"The row does not say which series it belongs to; such rows: {empty.size:,}.",
            where=table.where(empty[0], id_column),
            remedy="Fill the ids in, or choose another id column.",
        )
    codes, distinct = pd.factorize(ids)
    return codes.astype(np.int64), tuple(str(one) for one in distinct)


def _grouped_by_time(
    table: Table, layout: TableLayout, codes: IntArray, ids: tuple[str, ...], notes: list[str]
) -> Grouping:
    time = None if layout.time_column is None else read_time(table, layout.time_column)
    keys = (codes,) if time is None else (time.values, codes)
    order = np.lexsort(keys)  # stable: rows that are equal in both stay in the file's order
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1)).astype(np.int64)
    if layout.time_column is None or time is None:
        return Grouping(order, starts, ids, layout.sampling_rate)
    _refuse_same_time_twice(table, layout, codes[order], time.values[order], order)
    if (np.diff(order)[np.diff(codes[order]) == 0] < 0).any():
        notes.append(f"Rows were not in the order of time; they were sorted by {layout.time_column!r} in each series.")
    if layout.sampling_rate is not None:
        notes.append(f"The sampling rate, {layout.sampling_rate:g} Hz, was given by hand.")
        return Grouping(order, starts, ids, layout.sampling_rate)
    times = Timestamps(tuple(np.split(time.values[order], starts[1:])), time.unit)
    rate, sentence = sampling_rate(times, layout.time_column)
    notes.append(sentence)
    is_open = rate is None and times.step is not None and not times.counts_points
    return Grouping(order, starts, ids, rate, times if is_open else None)


def _refuse_same_time_twice(
    table: Table, layout: TableLayout, codes: IntArray, times: DoubleArray, order: IntArray
) -> None:
    same = np.flatnonzero((np.diff(codes) == 0) & (np.diff(times) == 0))
    if same.size:
        first, second = sorted(int(table.rows[order[position]]) for position in (same[0], same[0] + 1))
        whose = "" if layout.id_column is None else f" of one series (column {layout.id_column!r})"
        raise DataError(
            f"Rows {first} and {second}{whose} have the same time; such pairs of rows: {same.size:,}.",
            where=f"{table.guess.filename}, row {second}, column {layout.time_column!r}",
            remedy="Keep one row a time and series. If series share an id, or a column names the channel of each "
            "row, give each series an id of its own and each channel a column.",
        )


def _labels(
    table: Table, layout: TableLayout, grouping: Grouping, codes: IntArray, notes: list[str]
) -> tuple[IntArray, tuple[str, ...]]:
    n_series = len(grouping.ids)
    if layout.label_column is None:
        return np.full(n_series, UNKNOWN_LABEL, dtype=np.int64), ()
    texts = table.texts(layout.label_column)
    row_texts, distinct = pd.factorize(texts)
    names = canonical_labels(str(text) for text in distinct)
    class_names = sorted_class_names(name for name in names.values() if name is not None)
    check_classes(class_names, n_series, f"{table.guess.filename}, column {layout.label_column!r}")
    place = {name: index for index, name in enumerate(class_names)}
    index_of_text = [UNKNOWN_LABEL if (name := names[str(text)]) is None else place[name] for text in distinct]
    per_row = np.array(index_of_text, dtype=np.int64)[row_texts]
    labels = _one_a_series(table, layout.label_column, codes, per_row, n_series, grouping.ids)
    notes.extend(notes_on_labels(names, class_names))
    return labels, class_names


def _one_a_series(
    table: Table, column: str, codes: IntArray, per_row: IntArray, n_series: int, ids: Sequence[str]
) -> IntArray:
    """Return the one value that each series' rows have, rows without one (-1) left out."""
    known = np.flatnonzero(per_row != UNKNOWN_LABEL)
    first = np.full(n_series, UNKNOWN_LABEL, dtype=np.int64)
    # the first of the file's rows wins, since later ones are written before
    first[codes[known][::-1]] = per_row[known][::-1]
    changed = known[per_row[known] != first[codes[known]]]
    if changed.size:
        row = int(changed[0])
        raise DataError(
            f"Series {ids[codes[row]]!r} has {table.texts(column)[row]!r} here, but another value before.",
            where=table.where(row, column),
            remedy="Give each series one value throughout; if it is a label that changes over time, cut the series "
            "where it changes, or choose the column as instance labels.",
        )
    return first


def _split(table: Table, column: str | None, codes: IntArray, ids: Sequence[str]) -> npt.NDArray[np.str_]:
    if column is None:
        return np.full(len(ids), "train")
    of_series = _one_a_series(table, column, codes, split_codes(table, column), len(ids), ids)
    return np.where(of_series == 1, "test", "train")


def _instance_labels(
    table: Table, column: str | None, grouping: Grouping, labels: IntArray, class_names: Sequence[str]
) -> tuple[BoolArray, ...] | None:
    """Return the time points that make each series what it is: marked 1, or by the name of the series' own class."""
    if column is None:
        return None
    classes = np.split(instance_classes(table, column, class_names)[grouping.order], grouping.starts[1:])
    return tuple((piece == label) | (piece == ALWAYS) for piece, label in zip(classes, labels, strict=True))
