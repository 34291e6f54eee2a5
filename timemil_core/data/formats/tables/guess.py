"""From the columns of a sample to a layout, with a reason for each column.

Names speak first; where they are silent, the cells do. Each step takes columns out of those that are left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from timemil_core.data.formats.tables.by_cells import take_times_by_cells
from timemil_core.data.formats.tables.columns import Column
from timemil_core.data.formats.tables.counting import time_columns
from timemil_core.data.formats.tables.layout import Kind, TableLayout
from timemil_core.data.formats.tables.names import Role, role_of_name
from timemil_core.data.formats.tables.roles import Guess
from timemil_core.data.formats.tables.rows import kind_of_rows, take_channel_names
from timemil_core.data.formats.tables.value_columns import take_values_of_long, take_values_of_wide, wide_values
from timemil_core.data.report_line import ReportLine, repair

SPATIAL = {"x", "z"}
LABEL_LAST = re.compile(r"(?<=[a-z0-9])(Label|[ _.-]label)$|(?<=[A-Z0-9])[ _.-]LABEL$")


def guess_layout(
    columns: Sequence[Column], has_header: bool, kind: Kind | None = None
) -> tuple[TableLayout, list[ReportLine]]:
    """Return the layout, of the given kind or that which fits, and a line a column in the table's order."""
    guess = Guess(list(columns))
    _drop_row_numbers(guess)
    _drop_empty(guess)
    _take_by_name(guess)
    take_times_by_cells(guess)
    found: Kind = kind or kind_of_rows(guess, has_header)
    if found == "melted":
        take_channel_names(guess)
    if found == "wide":
        take_values_of_wide(guess)
    else:
        take_values_of_long(guess)
    layout = TableLayout(
        kind=found,
        id_column=guess.name_of("id"),
        time_column=guess.name_of("time"),
        date_column=guess.name_of("date"),
        label_column=guess.name_of("label"),
        channel_columns=wide_values(guess) if found == "wide" else tuple(column.name for column in guess.left),
        channel_column=guess.name_of("channel"),
        instance_label_column=guess.name_of("instance label"),
        split_column=guess.name_of("split"),
        group_column=guess.name_of("group"),
        ids_within_groups=_ids_come_again_in_other_groups(guess),
        changing_label="cut" if found != "wide" and _label_comes_in_stretches(guess) else "refuse",
    )
    _warn(guess, found)
    return layout, guess.told()


def _drop_row_numbers(guess: Guess) -> None:
    first = guess.left[0]
    is_nameless = not first.is_named or first.name.lower().startswith("unnamed:")
    if is_nameless and first.counts_rows and len(guess.left) > 1:
        guess.drop(first, repair(f"{first.name!r} is left out: it has no name and merely numbers the rows."))


def _drop_empty(guess: Guess) -> None:
    counting = time_columns(guess.left)
    for column in [column for column in guess.left if not column.present and column not in counting]:
        if len(guess.left) == 1 or (column.is_named and role_of_name(column.name)):
            continue
        if column.is_named:
            text = f"{column.name!r} is left out: it holds no value in the first {len(column.cells):,} rows."
            guess.drop(column, repair(text, choice="channel_columns"))
        else:
            guess.drop(column, repair(f"{column.name!r} is left out: it has neither a name nor a value."))


def _take_by_name(guess: Guess) -> None:
    names = {column.name.strip().lower() for column in guess.left}
    for column in list(guess.left):
        role = role_of_name(column.name) if column.is_named else None
        if role is None or role == "channel" or role in guess.roles or not _fits(role, column):
            continue
        if column.name.strip().lower() == "y" and names & SPATIAL:
            continue  # x, y, z are axes
        if len(guess.left) > 1:
            guess.take(role, column, "its name says so")
    ending = [column for column in guess.left if column.is_named and LABEL_LAST.search(column.name)]
    if ending and "label" not in guess.roles and ending[0].could_be_label and len(guess.left) > 1:
        guess.take("label", ending[0], "its name ends so")
    _take_counter_for_time(guess)
    if "id" not in guess.roles and "group" in guess.roles and guess.left:
        _take_group_for_id(guess)


def _take_counter_for_time(guess: Guess) -> None:
    """What is called as an id is, and counts up from row to row, again and again, is the time of a row."""
    counter = guess.roles.get("id")
    if counter is None or "time" in guess.roles or "date" in guess.roles:
        return
    if counter.repeats and counter.ticks_within([""] * len(counter.cells)):
        guess.change("id", "time", "it counts up from row to row, and begins anew")


def _take_group_for_id(guess: Guess) -> None:
    """A subject is the series itself where nothing else tells series apart, and its time never starts anew."""
    group, time = guess.roles["group"], guess.roles.get("time")
    if not group.repeats if time is None else time.rises_within(group.cells):
        guess.change("group", "id", "its name says so, and no other column tells series apart")


def _fits(role: Role, column: Column) -> bool:
    if role == "split":
        return column.is_split
    # y is the target to some and an axis to others; fractions speak for the axis
    return role != "label" or column.name.strip().lower() != "y" or column.is_text or column.is_whole


def _label_comes_in_stretches(guess: Guess) -> bool:
    """Tell, loudly, whether the label of a recording changes from stretch to stretch."""
    label, identity = guess.roles.get("label"), guess.roles.get("id")
    ids = [""] * len(label.cells) if label and identity is None else identity.cells if identity else []
    if label is None or label.is_constant_within(ids) or not label.comes_in_blocks:
        return False
    guess.warn(
        f"The label {label.name!r} changes within a series from stretch to stretch: a series is cut where it changes.",
        "Choose windows, or another column for the label, if the stretches are no series.",
        "changing_label",
    )
    return True


def _ids_come_again_in_other_groups(guess: Guess) -> bool:
    identity, group = guess.roles.get("id"), guess.roles.get("group")
    return identity is not None and group is not None and not group.is_constant_within(identity.cells)


def _warn(guess: Guess, kind: Kind) -> None:
    if kind != "wide" and "id" not in guess.roles:
        guess.warn(
            "No column says which series a row belongs to: the whole file is taken for one series.",
            "Choose the id column, or cut the series into windows.",
            "id_column",
        )
    if "label" not in guess.roles:
        guess.warn(
            "No column holds the class: the series can be looked at, but not learned from.",
            "Choose the label column, if there is one.",
            "label_column",
        )
