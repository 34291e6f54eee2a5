"""From the columns of a sample to a layout, with a reason for each column.

Names speak first; where they are silent, the cells do. Each step takes columns out of those that are left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from timemil_core.data.formats.tables.columns import (
    Column,
    Guess,
    Role,
    channel_groups,
    number_of,
    role_of_name,
)
from timemil_core.data.formats.tables.layout import Kind, TableLayout
from timemil_core.data.formats.tables.rows import (
    FEWEST_TIME_COLUMNS,
    are_features,
    counting_columns,
    kind_of_rows,
    take_channel_names,
    time_columns,
)
from timemil_core.data.report_line import ReportLine, repair, warning
from timemil_core.data.wording import listed

FEW_CHANNELS = 3  # that have a line each
FEW_TIME_POINTS = 10
COUNT_ALIKE = "Give every channel the same number of time points, or read one channel at a time."
SPATIAL = {"x", "z"}


def guess_layout(
    columns: Sequence[Column], has_header: bool, kind: Kind | None = None
) -> tuple[TableLayout, list[ReportLine]]:
    """Return the layout, of the given kind or that which fits, and a line a column in the table's order."""
    guess = Guess(list(columns))
    _drop_row_numbers(guess)
    _drop_empty(guess)
    _take_by_name(guess)
    _take_times_by_cells(guess)
    found: Kind = kind or kind_of_rows(guess, has_header)
    if found == "melted":
        take_channel_names(guess)
    if found == "wide":
        _finish_wide(guess)
    else:
        _finish_long(guess)
    layout = TableLayout(
        kind=found,
        id_column=guess.name_of("id"),
        time_column=guess.name_of("time"),
        date_column=guess.name_of("date"),
        label_column=guess.name_of("label"),
        channel_columns=_wide_values(guess) if found == "wide" else tuple(column.name for column in guess.left),
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
    _take_counter_for_time(guess)
    if "id" not in guess.roles and "group" in guess.roles and len(guess.left) > 0:
        _take_group_for_id(guess)


def _take_times_by_cells(guess: Guess) -> None:
    """Take a column of stamps for the time, whatever its name; a date beside clock times for the day of each."""
    time = guess.roles.get("time")
    if time is not None and time.are_dates:
        clock = next((column for column in guess.left if column.are_clock_times), None)
        if clock is not None:
            del guess.roles["time"]
            guess.roles["date"] = time
            guess.explain(time, "date", "clock times stand in another column")
            guess.take("time", clock, "its cells are clock times")
    elif time is None and not time_columns(guess.left):
        stamps = [column for column in guess.left if column.are_stamps and column.is_text and column.n_distinct > 1]
        clock = next((column for column in stamps if column.are_clock_times), None)
        date = next((column for column in guess.left if column.are_dates and column.is_text), None)
        if (stamps and len(guess.left) > 1 and "label" not in guess.roles) or (clock and date):
            guess.take("time", clock or stamps[0], "its cells are times")
    if "date" not in guess.roles and (time := guess.roles.get("time")) is not None and time.are_clock_times:
        date = next((column for column in guess.left if column.are_dates and column.is_text), None)
        if date is not None and len(guess.left) > 1:
            guess.take("date", date, "it holds the days of the clock times")


def _take_counter_for_time(guess: Guess) -> None:
    """What is called as an id is, and counts up from row to row, again and again, is the time of a row."""
    counter = guess.roles.get("id")
    if counter is None or "time" in guess.roles or "date" in guess.roles:
        return
    if counter.repeats and counter.ticks_within([""] * len(counter.cells)):
        del guess.roles["id"]
        guess.roles["time"] = counter
        guess.explain(counter, "time", "it counts up from row to row, and begins anew")


def _take_group_for_id(guess: Guess) -> None:
    """A subject is the series itself where nothing else tells series apart, and its time never starts anew."""
    group, time = guess.roles["group"], guess.roles.get("time")
    is_one_series = not group.repeats if time is None else time.rises_within(group.cells)
    if is_one_series:
        del guess.roles["group"]
        guess.roles["id"] = group
        guess.explain(group, "id", "its name says so, and no other column tells series apart")


def _fits(role: Role, column: Column) -> bool:
    if role == "split":
        return column.is_split
    # y is the target to some and an axis to others; fractions speak for the axis
    is_axis = role == "label" and column.name.strip().lower() == "y" and not (column.is_text or column.is_whole)
    return not is_axis


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


def _finish_wide(guess: Guess) -> None:
    _take_label_by_cells(guess, [guess.left[0], guess.left[-1], *guess.left[1:-1]])
    stems = Counter(_stem(column) for column in guess.left)
    for column in [column for column in guess.left if column.is_text]:
        # text in a column that counts along with others is a mistake to be shown, not a column to be passed over
        counts_along = (stem := _stem(column)) is not None and stems[stem] > 1
        if len(guess.left) > 1 and not counts_along:
            guess.drop(column, _no_value(column, "series"))
    if all(column.is_named for column in guess.left):
        _drop_what_does_not_count(guess)
    for column in [column for column in guess.left if column.is_index and len(guess.left) > 1]:
        guess.drop(
            column, repair(f"{column.name!r} is left out: it merely numbers the rows.", choice="channel_columns")
        )
    values = _wide_values(guess)
    run = repr(values[0]) if len(values) == 1 else f"{values[0]!r} … {values[-1]!r}"
    guess.say(guess.left[0], f"{run} are taken for {_what_values_are(values)}; a row is a series.", "channel_columns")
    _warn_of_features(guess, values)


def _drop_what_does_not_count(guess: Guess) -> None:
    """Leave out numbers that are no time points: those whose names do not count along with the others."""
    counting = time_columns(guess.left)
    if not counting or len(counting) == len(guess.left):
        return
    run = f"{counting[0].name!r} … {counting[-1].name!r}"
    for column in [column for column in guess.left if column not in counting]:
        stem = _stem(column)
        text = f"{column.name!r} is left out: its name does not count along with {run}."
        if stem is not None and sum(_stem(other) == stem for other in guess.left) >= FEWEST_TIME_COLUMNS:
            guess.drop(column, warning(text, remedy=COUNT_ALIKE, choice="channel_columns"))
        else:
            guess.drop(column, repair(text, choice="channel_columns"))


def _warn_of_features(guess: Guess, values: Sequence[str]) -> None:
    """Say loudly where columns may be no time points: their names do not count, or they are few."""
    length = len(values) // len(channel_groups(values) or (1,))
    are_named = all(column.is_named for column in guess.left)
    if are_named and (len(time_columns(guess.left)) < len(guess.left) or are_features(guess.left)):
        guess.warn(
            f"The names of the value columns do not count time points ({listed(values, 3)}): a row may hold features, "
            "such as means, rather than a series over time.",
            "Upload the series that they were computed from; if a row is a time point, choose the long layout.",
            "layout",
        )
    elif length < FEW_TIME_POINTS:
        guess.warn(
            f"Each row was taken for a series of {length} time points only.",
            "If a row is a time point of one recording, choose the long layout.",
            "layout",
        )


def _no_value(column: Column, of: str) -> ReportLine:
    return repair(
        f"{column.name!r} is left out: it holds text, which is no value of a {of}.",
        remedy="Choose it as a channel with unreadable cells as missing values, if it is one.",
        choice="channel_columns",
    )


def _stem(column: Column) -> str | None:
    counted = number_of(column.name) if column.is_named else None
    return None if counted is None else counted[0]


def _what_values_are(values: Sequence[str]) -> str:
    groups = channel_groups(values)
    if groups is None or len(groups) == 1:
        order = "the file" if groups is None else "their numbers"
        return f"{len(values)} time points of one channel, in the order of {order}"
    names = ", ".join(list(groups)[:6]) + (" …" if len(groups) > 6 else "")
    return f"{len(groups)} channels ({names}) of {len(values) // len(groups)} time points"


def _wide_values(guess: Guess) -> tuple[str, ...]:
    names = [column.name for column in guess.left]
    named = all(column.is_named for column in guess.left)
    groups = channel_groups(names) if named else None
    return tuple(name for group in groups.values() for name in group) if groups else tuple(names)


def _finish_long(guess: Guess) -> None:
    _take_id_by_cells(guess)
    identity = guess.roles.get("id")
    groups = identity.cells if identity else None
    candidates = [
        column
        for column in reversed(guess.left)
        if groups is not None and identity is not None and identity.repeats and column.is_constant_within(groups)
    ]
    if "channel" not in guess.roles:
        _take_label_by_cells(guess, candidates)
    for column in [column for column in guess.left if column.is_text]:
        if len(guess.left) > 1:
            guess.drop(column, _no_value(column, "channel"))
    for column in [column for column in guess.left if column.is_index and len(guess.left) > 1]:
        if "time" in guess.roles or "channel" in guess.roles:
            line = repair(f"{column.name!r} is left out: it merely numbers the rows.", choice="channel_columns")
            guess.drop(column, line)
        else:
            guess.take("time", column, "it numbers the rows")
    _say_values(guess)


def _say_values(guess: Guess) -> None:
    """Say what the columns that are left were taken for: one line each, or one for many alike."""
    names = [column.name for column in guess.left]
    if "channel" in guess.roles:
        guess.say(guess.left[0], f"{names[0]!r} is taken for the value, a row a time point.", "channel_columns")
    elif len(names) <= FEW_CHANNELS:
        for column in guess.left:
            text = f"{column.name!r} is taken for a channel: it holds numbers, a row a time point."
            guess.say(column, text, "channel_columns")
    else:
        text = f"{listed(names, FEW_CHANNELS)} are taken for channels: they hold numbers, a row a time point."
        guess.say(guess.left[0], text, "channel_columns")


def _take_id_by_cells(guess: Guess) -> None:
    """Where no name says which series a row belongs to, but time starts anew: find the column that changes then."""
    time = guess.roles.get("time")
    if "id" in guess.roles or time is None or time.numbers is None or time.rises_within([""] * len(time.cells)):
        return
    for column in guess.left:
        if column.could_be_label and time.rises_within(column.cells) and len(guess.left) > 1:
            guess.take("id", column, "time starts anew whenever it changes")
            return


def _take_label_by_cells(guess: Guess, candidates: Sequence[Column]) -> None:
    """Take the first candidate that could be classes, where no name has said which column is; words before numbers."""
    if "label" in guess.roles or len(guess.left) < 2:
        return
    fitting = [
        column
        for column in candidates
        if column.could_be_label and column.n_distinct > 1 and not _is_one_of_many(column, guess)
    ]
    fitting.sort(key=lambda column: not column.is_text)
    if fitting:
        what = "words" if fitting[0].is_text else "whole numbers"
        guess.take("label", fitting[0], f"it holds {fitting[0].n_distinct} different {what}")
        guess.warn(
            f"No column is called label; {fitting[0].name!r} was taken for it.",
            "Please check, and choose another column if it is not.",
            "label_column",
        )


def _is_one_of_many(column: Column, guess: Guess) -> bool:
    """Whole numbers among nothing but whole numbers, or under a counting name, are values rather than classes."""
    if column.is_text:
        return False
    if column.is_named:
        counted = number_of(column.name)
        return counted is not None and counting_columns(guess.left)
    others = [other for other in guess.left if other is not column]
    return all(other.is_whole for other in others[:20])


def _warn(guess: Guess, kind: Kind) -> None:
    if kind != "wide" and "id" not in guess.roles:
        guess.warnings.append(
            warning(
                "No column says which series a row belongs to: the whole file is taken for one series.",
                remedy="Choose the id column, or cut the series into windows.",
                choice="id_column",
            )
        )
    if "label" not in guess.roles:
        guess.warnings.append(
            warning(
                "No column holds the class: the series can be looked at, but not learned from.",
                remedy="Choose the label column, if there is one.",
                choice="label_column",
            )
        )
