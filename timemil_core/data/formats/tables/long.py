"""Long tables: a row a time point, a column a channel; what keeps one value in a series, and what marks rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from timemil_core.data.files.labels import canonical_labels, joined_labels
from timemil_core.data.files.parts import Parts, Span, runs
from timemil_core.data.files.tokens import DOUBTFUL_LABELS, MISSING_LABELS
from timemil_core.data.formats.tables.columns import SPLIT_WORDS
from timemil_core.data.formats.tables.grouping import Grouping, grouped, rate_of, without_doubles
from timemil_core.data.formats.tables.layout import TableLayout
from timemil_core.data.formats.tables.read import Coded, Table
from timemil_core.data.report_line import ReportLine, repair, warning
from timemil_core.data.series_set import BoolArray, FloatArray, IntArray
from timemil_core.data.wording import counted
from timemil_core.errors import DataError

NONE = -1


def label_codes(table: Table, layout: TableLayout) -> tuple[IntArray | None, list[str], list[ReportLine]]:
    """Return which label each row ``(n_rows,)`` has (-1: none), the labels, and what was done to their spellings.

    The rows are None where no column holds labels.
    """
    if layout.label_column is None:
        return None, [], []
    coded = table.coded[layout.label_column]
    are_missing = layout.doubtful_labels == "missing"
    names = canonical_labels(coded.texts, MISSING_LABELS | DOUBTFUL_LABELS if are_missing else MISSING_LABELS)
    distinct = list(dict.fromkeys(name for name in names.values() if name is not None))
    place = {name: position for position, name in enumerate(distinct)}
    meaning = [NONE if (name := names[text]) is None else place[name] for text in coded.texts]
    counts = np.bincount(coded.codes, minlength=len(coded.texts))
    told = list(joined_labels(names))
    for text, count in zip(coded.texts, counts.tolist(), strict=True):
        if (word := text.strip()) in DOUBTFUL_LABELS:
            told.append(
                warning(
                    f"{word!r} stands in the label column in {counted(count, 'row')}: "
                    + ("it was taken for a missing label." if are_missing else "it was kept as a class."),
                    remedy="Choose whether such words are classes or stand for no label.",
                    choice="doubtful_labels",
                )
            )
        elif word and names[text] is None:
            told.append(repair(f"{word!r} was taken for a missing label, in {counted(count, 'row')}."))
    return np.array(meaning, dtype=np.int64)[coded.codes], distinct, told


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


FALSE_WORDS = frozenset({"", "0", "0.0", "false", "no", "n", "nan", "na", "-", "?"})
TRUE_WORDS = frozenset({"1", "1.0", "true", "yes"})
BACKGROUND_WORDS = FALSE_WORDS | {"none", "background"}
ALWAYS, NEVER = -3, -2


def split_codes(table: Table, column: str) -> IntArray:
    """Return 0 (train) or 1 (test) a row, -1 where the cell is empty.

    Raises
    ------
    DataError
        Where a cell holds another word.
    """
    coded = table.coded[column]
    words = [text.strip().lower() for text in coded.texts]
    for position, word in enumerate(words):
        if word and word not in SPLIT_WORDS:
            raise DataError(
                f"{coded.texts[position][:80]!r} is neither train nor test.",
                where=table.where(_first_row(coded, position), column),
                remedy="Write train or test, or leave the split column out.",
            )
    meaning = [-1 if not word else int(SPLIT_WORDS[word] == "test") for word in words]
    return np.array(meaning, dtype=np.int64)[coded.codes]


def instance_classes(table: Table, column: str, class_names: Sequence[str]) -> IntArray:
    """Return the class that each row speaks for: its index, ``ALWAYS`` for a mark of 1, ``NEVER`` for none.

    Raises
    ------
    DataError
        Where a cell is neither 0 or 1 nor a class.
    """
    coded = table.coded[column]
    words = [text.strip() for text in coded.texts]
    if all(word.lower() in FALSE_WORDS | TRUE_WORDS for word in words):
        return np.array([ALWAYS if word.lower() in TRUE_WORDS else NEVER for word in words], dtype=np.int64)[
            coded.codes
        ]
    names = canonical_labels([*words, *class_names])
    place = {names[name]: index for index, name in enumerate(class_names)}
    meaning = [place.get(names[word], NEVER) for word in words]
    for position, word in enumerate(words):
        if meaning[position] == NEVER and word.lower() not in BACKGROUND_WORDS:
            raise DataError(
                f"{word[:80]!r} is neither 0 or 1 nor a class of the label column.",
                where=table.where(_first_row(coded, position), column),
                remedy="Mark time points by 0 and 1, or by names of classes; if the column tells the class of each "
                "time point, choose it as the label and cut the series where it changes.",
            )
    return np.array(meaning, dtype=np.int64)[coded.codes]


def _first_row(coded: Coded, position: int) -> int:
    return int(np.flatnonzero(coded.codes == position)[0])


ONE_LABEL = (
    "Give each series one value throughout; if it is a label that changes over time, choose to cut the series where it "
    "changes or into windows, or choose the column as instance labels."
)
ONE_VALUE = "Give each series one value throughout, or choose another column."


def read_long(table: Table, layout: TableLayout) -> Parts:
    """Read a long table: rows grouped by id, sorted by time, checked.

    Raises
    ------
    DataError
        Where an id or time is missing, a time occurs twice in a series, a label changes within one, or a cell is
        unreadable: names file, row and column.
    """
    grouping = without_doubles(grouped(table, layout), table, layout)
    parts = assembled(grouping, table, layout, table.values, layout.channel_columns)
    parts.lines.extend(table.rounding.lines({name: [place] for place, name in enumerate(layout.channel_columns)}))
    return parts


def assembled(
    grouping: Grouping,
    table: Table,
    layout: TableLayout,
    values: FloatArray,
    channel_names: Sequence[str],
    place_of_row: IntArray | None = None,
) -> Parts:
    """Return the series of grouped rows.

    ``values`` ``(n_places, n_channels)`` has a place for each row of the table; ``place_of_row`` says which, where it
    is not the row's own number.
    """
    rows, names, spelled = label_codes(table, layout)
    if rows is not None and layout.changing_label == "cut":
        grouping = cut_where_it_changes(grouping, rows)
    starts = grouping.starts
    rate, times, told = rate_of(grouping, starts, table, layout)
    labels, spans = labels_of(grouping, table, layout, rows, names)
    order = grouping.order if place_of_row is None else place_of_row[grouping.order]
    return Parts(
        series=series_of(values, order, starts),
        ids=grouping.ids,
        channel_names=tuple(channel_names),
        labels=[None if label == NONE else names[label] for label in labels],
        split=split_of(grouping, table, layout),
        sampling_rate=rate,
        truth=truth_of(grouping, table, layout, labels, names),
        groups=groups_of(grouping, table, layout),
        timestamps=times,
        spans=spans,
        lines=[*grouping.lines, *told, *spelled],
    )


def series_of(values: FloatArray, order: IntArray, starts: IntArray) -> list[FloatArray]:
    """Return each series ``(n_channels, n_timepoints)``: the values' rows in this order, cut at the starts."""
    stops = np.append(starts[1:], len(order))
    in_order = bool((np.diff(order) == 1).all()) and order[0] == 0
    pieces = zip(starts.tolist(), stops.tolist(), strict=True)
    if in_order:
        return [np.ascontiguousarray(values[start:stop].T) for start, stop in pieces]
    return [np.ascontiguousarray(values[order[start:stop]].T) for start, stop in pieces]


def cut_where_it_changes(grouping: Grouping, per_row: IntArray) -> Grouping:
    """Return the grouping with a series of its own for each stretch of one label; rows without one are left out.

    The series that it is cut from becomes its group, unless a column names one.
    """
    values = per_row[grouping.order]
    kept = values != NONE
    if not kept.any():
        raise DataError("No row has a label to cut by.", remedy="Choose another label column.")
    order, codes, values = grouping.order[kept], grouping.codes[kept], values[kept]
    is_new = np.ones(len(order), dtype=np.bool_)
    is_new[1:] = (np.diff(codes) != 0) | (np.diff(values) != 0)
    pieces = np.cumsum(is_new) - 1
    recording = codes[is_new]
    number = np.arange(len(recording)) - np.searchsorted(recording, recording)
    ids = [f"{grouping.ids[code]} ({place + 1})" for code, place in zip(recording, number, strict=True)]
    lines = list(grouping.lines)
    if len(ids) > len(grouping.ids):
        of = "The series was" if len(grouping.ids) == 1 else f"{len(grouping.ids):,} series were"
        lines.append(repair(f"{of} cut into {len(ids):,} where the label changes.", choice="changing_label"))
    if n_left_out := int((~kept).sum()):
        what = counted(n_left_out, "time point")
        lines.append(repair(f"Left out, for they have no label: {what}.", choice="changing_label"))
    return replace(
        grouping,
        order=order,
        codes=pieces.astype(np.int64),
        ids=ids,
        times=None if grouping.times is None else grouping.times[kept],
        lines=lines,
        recordings=[grouping.ids[code] for code in recording],
    )


def labels_of(
    grouping: Grouping, table: Table, layout: TableLayout, rows: IntArray | None, names: Sequence[str]
) -> tuple[IntArray, list[list[Span]] | None]:
    """Return each series' label, -1 for none, and the stretches of one label where series are to be cut by them."""
    n_series = len(grouping.ids)
    if rows is None or layout.label_column is None:
        return np.full(n_series, NONE, dtype=np.int64), None
    if layout.changing_label not in ("windows", "most"):
        return one_a_series(grouping, table, layout.label_column, rows, ONE_LABEL), None
    pieces = np.split(rows[grouping.order], grouping.starts[1:])
    counts = [np.bincount(piece[piece != NONE], minlength=1) for piece in pieces]
    most = np.array([int(count.argmax()) if count.any() else NONE for count in counts], dtype=np.int64)
    spans = [runs(piece, names) for piece in pieces] if layout.changing_label == "windows" else None
    return most, spans


def split_of(grouping: Grouping, table: Table, layout: TableLayout) -> list[str] | None:
    """Return the part of each series, where a column tells it; without a word it is for training."""
    if layout.split_column is None:
        return None
    of_series = one_a_series(grouping, table, layout.split_column, split_codes(table, layout.split_column), ONE_VALUE)
    return ["test" if part == 1 else "train" for part in of_series]


def groups_of(grouping: Grouping, table: Table, layout: TableLayout) -> list[str] | None:
    """Return the group of each series: a column's, or the recording that it was cut from."""
    if layout.group_column is None:
        return grouping.recordings
    coded = table.coded[layout.group_column]
    remedy = "If an id stands for another series in each group, choose that ids count within groups."
    of_series = one_a_series(grouping, table, layout.group_column, coded.codes.astype(np.int64), remedy)
    return [coded.texts[code] or own for code, own in zip(of_series, grouping.ids, strict=True)]


def truth_of(
    grouping: Grouping, table: Table, layout: TableLayout, labels: IntArray, names: Sequence[str]
) -> list[BoolArray] | None:
    """Return the time points that make each series what it is: marked 1, or by the name of the series' own class."""
    column = layout.instance_label_column
    if column is None:
        return None
    classes = np.split(instance_classes(table, column, names)[grouping.order], grouping.starts[1:])
    return [(piece == label) | (piece == ALWAYS) for piece, label in zip(classes, labels, strict=True)]
