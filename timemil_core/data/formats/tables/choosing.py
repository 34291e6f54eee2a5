"""The layout that holds: what was guessed, except where the user has chosen otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from timemil_core.data.files.choices import Choosing
from timemil_core.data.formats.tables.layout import (
    ChangingLabel,
    DateOrder,
    Kind,
    SameTime,
    TableLayout,
    Unreadable,
    Written,
)
from timemil_core.data.formats.tables.profile import Column
from timemil_core.data.formats.tables.time_units import guess_unit
from timemil_core.data.report_line import ReportLine, note
from timemil_core.data.units import SECONDS

KINDS = {
    "long": "long: a row a time point",
    "wide": "wide: a row a series",
    "melted": "melted: a row a value, with its channel",
}
SAME_TIME = {
    "refuse": "refuse the file",
    "mean": "take their mean",
    "first": "keep the first",
    "last": "keep the last",
}
CHANGING = {
    "refuse": "refuse the file",
    "cut": "cut the series where it changes",
    "windows": "cut the series into windows",
    "most": "take the most frequent label",
}
UNREADABLE = {"refuse": "refuse the file", "missing": "read as missing values"}
DATES = {"ask": "as the dates tell", "day first": "day first: 31/01", "month first": "month first: 01/31"}


def chosen_layout(
    guess: TableLayout, columns: Sequence[Column], written: Written, choose: Choosing
) -> tuple[TableLayout, list[ReportLine]]:
    """Return the layout and what to tell of the choices that were guessed from the cells."""
    names = list(written.columns)
    layout = _columns(guess, names, choose)
    layout = _policies(layout, choose) if layout.kind != "wide" else layout
    layout = replace(
        layout,
        unreadable=cast(Unreadable, choose.one("unreadable", "Cells that are no numbers", UNREADABLE, "refuse")),
        sampling_rate=choose.number(
            "sampling_rate", "Sampling rate (Hz)", None, help="Empty: as the time column tells."
        ),
    )
    if layout.time_column is None or layout.kind == "wide":
        return layout, []
    return _time(layout, columns[names.index(layout.time_column)], choose)


def chosen_kind(choose: Choosing, guess: Kind) -> Kind:
    """Return the layout's kind."""
    return cast(Kind, choose.one("layout", "Layout", KINDS, guess, reshapes=True))


def _columns(guess: TableLayout, names: list[str], choose: Choosing) -> TableLayout:
    id_column = choose.one_or_none("id_column", "Series id", names, guess.id_column)
    time_column = choose.one_or_none("time_column", "Time", names, guess.time_column)
    label_column = choose.one_or_none("label_column", "Class label", names, guess.label_column)
    channel_column, truth_column = guess.channel_column, guess.instance_label_column
    if guess.kind == "melted":
        channel_column = choose.one_or_none("channel_column", "Channel name", names, guess.channel_column)
    if guess.kind != "wide":
        truth_column = choose.one_or_none(
            "instance_label_column",
            "Instance label",
            names,
            guess.instance_label_column,
            help="0/1 or a class name at each time point: the truth of the pictures.",
        )
    split_column = choose.one_or_none("split_column", "Train / test", names, guess.split_column)
    group_column = choose.one_or_none(
        "group_column",
        "Subject or recording",
        names,
        guess.group_column,
        help="Series of one subject or recording stay on one side of a split.",
    )
    layout = replace(
        guess,
        id_column=id_column,
        time_column=time_column,
        label_column=label_column,
        channel_column=channel_column,
        instance_label_column=truth_column,
        split_column=split_column,
        group_column=group_column,
    )
    taken = set(layout.roles().values())
    titles = {"long": "Channels", "wide": "Value columns, in time order", "melted": "Value"}
    channels = choose.some(
        "channel_columns",
        titles[guess.kind],
        names,
        [name for name in guess.channel_columns if name not in taken],
    )
    layout = replace(layout, channel_columns=channels)
    if group_column is None or id_column is None:
        return replace(layout, ids_within_groups=False)
    within = choose.flag("ids_within_groups", "Ids start anew in each group", guess.ids_within_groups)
    return replace(layout, ids_within_groups=within)


def _policies(layout: TableLayout, choose: Choosing) -> TableLayout:
    if layout.time_column is not None and layout.kind == "long":
        same_time = choose.one("same_time", "Rows of one series with the same time", SAME_TIME, "refuse")
        layout = replace(layout, same_time=cast(SameTime, same_time))
    if layout.label_column is not None:
        changing = choose.one("changing_label", "A label that changes within a series", CHANGING, "refuse")
        layout = replace(layout, changing_label=cast(ChangingLabel, changing))
    return layout


def _time(layout: TableLayout, time: Column, choose: Choosing) -> tuple[TableLayout, list[ReportLine]]:
    if time.numbers is None:
        dates = choose.one("dates", "Dates such as 01/02/2024", DATES, "ask")
        return replace(layout, dates=cast(DateOrder, dates)), []
    guess, reason = guess_unit(time)
    unit = choose.one_or_none("time_unit", "Time unit", list(SECONDS), guess, help="Empty: not known.")
    told = [note(reason, choice="time_unit")] if reason and unit == guess else []
    return replace(layout, time_unit=None if unit is None else SECONDS[unit]), told
