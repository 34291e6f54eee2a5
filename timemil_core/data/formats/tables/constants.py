"""What keeps one value throughout a series: its label, its part of the split, its group."""

from __future__ import annotations

import numpy as np

from timemil_core.data.files.labels import canonical_labels
from timemil_core.data.formats.tables.grouping import Grouping
from timemil_core.data.formats.tables.table import Coded, Table
from timemil_core.data.series_set import IntArray
from timemil_core.errors import DataError

NONE = -1


def label_codes(coded: Coded) -> tuple[IntArray, list[str]]:
    """Return for each row ``(n_rows,)`` which label it has (-1 for none), spellings of one class joined, and them."""
    names = canonical_labels(coded.texts)
    distinct = list(dict.fromkeys(name for name in names.values() if name is not None))
    place = {name: position for position, name in enumerate(distinct)}
    meaning = [NONE if (name := names[text]) is None else place[name] for text in coded.texts]
    return np.array(meaning, dtype=np.int64)[coded.codes], distinct


def first_of_series(grouping: Grouping, per_row: IntArray) -> IntArray:
    """Return the first known value of each series; ``per_row`` ``(n_rows,)`` in the table's order, -1 for none."""
    values = per_row[grouping.order]
    known = np.flatnonzero(values != NONE)
    first = np.full(len(grouping.ids), NONE, dtype=np.int64)
    # the first one wins, since later ones are written before
    first[grouping.codes[known][::-1]] = values[known][::-1]
    return first


def changes(grouping: Grouping, per_row: IntArray, first: IntArray) -> IntArray:
    """Return the rows, of the table and in its order, whose value is not the first of their series."""
    values = per_row[grouping.order]
    is_other = (values != NONE) & (values != first[grouping.codes])
    return np.sort(grouping.order[is_other])


def one_a_series(grouping: Grouping, table: Table, column: str, per_row: IntArray, remedy: str) -> IntArray:
    """Return the one value that each series' rows have.

    Raises
    ------
    DataError
        Where it changes within a series: names the row.
    """
    first = first_of_series(grouping, per_row)
    changed = changes(grouping, per_row, first)
    if changed.size:
        row = int(changed[0])
        code = int(grouping.codes[np.flatnonzero(grouping.order == row)[0]])
        raise DataError(
            f"Series {grouping.ids[code]!r} has {table.coded[column].text(row)!r} here, but another value before.",
            where=table.where(row, column),
            remedy=remedy,
        )
    return first
