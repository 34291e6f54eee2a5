"""Melted tables: a row a value, a column that names its channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import natural_key
from timemil_core.data.formats.tables.grouping import Grouping, grouped
from timemil_core.data.formats.tables.layout import TableLayout
from timemil_core.data.formats.tables.long import ONE_LABEL, assembled, label_codes, one_a_series
from timemil_core.data.formats.tables.read import Coded, Table
from timemil_core.data.limits import refuse_beyond
from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.series_set import IntArray
from timemil_core.errors import DataError

SHOWN = 8  # channels


def read_melted(table: Table, layout: TableLayout) -> Parts:
    """Read a melted table: rows of one series and time become one time point, with a value a channel.

    Without a time column, a channel's rows are its time points in the order of the file.

    Raises
    ------
    DataError
        Where a row names no channel, or a channel has two values at one time of a series.
    """
    column = layout.channel_column or ""
    channel = table.coded[column]
    _refuse_nameless(table, channel, column)
    names = _in_order(channel.texts)
    refuse_beyond("channels", len(names), table.written.source.name, of="The table")
    place = {name: position for position, name in enumerate(names)}
    channels = np.array([place[text] for text in channel.texts], dtype=np.int64)[channel.codes]
    grouping = _with_times(grouped(table, layout), channels)
    labels, _, _ = label_codes(table, layout)
    if labels is not None and layout.label_column is not None and layout.changing_label == "refuse":
        one_a_series(grouping, table, layout.label_column, labels, ONE_LABEL)
    points = np.cumsum(~grouping.same_time()) - 1
    _refuse_doubled(grouping, points, channels, table, layout)
    refuse_beyond("values", (int(points[-1]) + 1) * len(names), table.written.source.name, of="The table")
    values = np.full((int(points[-1]) + 1, len(names)), np.nan, dtype=np.float32)
    values[points, channels[grouping.order]] = table.values[grouping.order, 0]
    place_of_row = np.zeros(len(table.rows), dtype=np.int64)
    place_of_row[grouping.order] = points
    parts = assembled(_one_row_a_point(grouping, layout), table, layout, values, names, place_of_row)
    parts.lines[:0] = [
        note(f"{column!r} names {len(names)} channels: {_listed(names)}.", choice="channel_column"),
        *table.rounding.lines({layout.channel_columns[0]: [0]}),
        *_uneven(points, channels[grouping.order], names),
    ]
    return parts


def _in_order(texts: Sequence[str]) -> list[str]:
    """Return channel names as they come in the file, or in the order of the numbers that they end with."""
    return sorted(texts, key=natural_key) if all(text[-1:].isdigit() for text in texts) else list(texts)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:SHOWN])) + (" …" if len(names) > SHOWN else "")


def _refuse_nameless(table: Table, channel: Coded, column: str) -> None:
    if "" in channel.texts:
        row = int(np.flatnonzero(channel.codes == channel.texts.index(""))[0])
        raise DataError(
            "The row does not say which channel its value belongs to.",
            where=table.where(row, column),
            remedy="Fill it in, or choose another column for the channels.",
        )


def _with_times(grouping: Grouping, channels: IntArray) -> Grouping:
    """Return the grouping sorted by time; without a time column, a row's place within its series and channel is it."""
    if grouping.times is not None:
        return grouping
    by_channel = np.lexsort((channels[grouping.order], grouping.codes))
    codes, own = grouping.codes[by_channel], channels[grouping.order][by_channel]
    begins = np.ones(len(codes), dtype=np.bool_)
    begins[1:] = (np.diff(codes) != 0) | (np.diff(own) != 0)
    first = np.flatnonzero(begins)[np.cumsum(begins) - 1]
    places = np.arange(len(codes)) - first
    by_place = np.lexsort((own, places, codes))
    return replace(
        grouping,
        order=grouping.order[by_channel][by_place],
        codes=codes[by_place],
        times=places[by_place].astype(np.float64),
    )


def _one_row_a_point(grouping: Grouping, layout: TableLayout) -> Grouping:
    is_first = ~grouping.same_time()
    times = None if grouping.times is None or layout.time_column is None else grouping.times[is_first]
    return replace(grouping, order=grouping.order[is_first], codes=grouping.codes[is_first], times=times)


def _refuse_doubled(
    grouping: Grouping, points: IntArray, channels: IntArray, table: Table, layout: TableLayout
) -> None:
    cells = points * (int(channels.max()) + 1) + channels[grouping.order]
    order = np.argsort(cells, kind="stable")
    same = np.flatnonzero(np.diff(cells[order]) == 0)
    if same.size:
        first, second = sorted(int(table.rows[grouping.order[order[place]]]) for place in (same[0], same[0] + 1))
        raise DataError(
            f"Rows {first} and {second} give one channel two values at one time; such pairs of rows: {same.size:,}.",
            where=f"{table.written.source.name}, row {second}, column {layout.channel_columns[0]!r}",
            remedy="Keep one row a series, time and channel, or give each series an id of its own.",
        )


def _uneven(points: IntArray, channels: IntArray, names: Sequence[str]) -> Iterator[ReportLine]:
    """Tell where channels do not have a value at every time point: they were sampled at different rates or times."""
    counts = np.bincount(channels, minlength=len(names))
    n_points = int(points[-1]) + 1
    for name, count in list(zip(names, counts.tolist(), strict=True))[:SHOWN]:
        if count < n_points:
            yield warning(
                f"Channel {name!r} has a row at {count:,} of {n_points:,} time points; it is missing at the others.",
                remedy="If channels were sampled at different rates, resample them to one before.",
                choice="channel_column",
            )
