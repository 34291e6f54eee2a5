"""Which of the columns that have no other role hold the values of the series."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from timemil_core.data.formats.tables.by_cells import take_id_by_cells, take_label_by_cells
from timemil_core.data.formats.tables.columns import Column
from timemil_core.data.formats.tables.counting import FEWEST_TIME_COLUMNS, channel_groups, number_of, time_columns
from timemil_core.data.formats.tables.roles import VALUES, Guess
from timemil_core.data.formats.tables.rows import are_features
from timemil_core.data.report_line import repair, warning
from timemil_core.data.wording import listed

FEW_CHANNELS = 3  # that have a line each
FEW_TIME_POINTS = 10
COUNT_ALIKE = "Give every channel the same number of time points, or read one channel at a time."


def take_values_of_wide(guess: Guess) -> None:
    """Leave the time points of rows that are series, and say what they are."""
    take_label_by_cells(guess, [guess.left[0], guess.left[-1], *guess.left[1:-1]])
    stems = Counter(_stem(column) for column in guess.left)
    for column in [column for column in guess.left if column.is_text]:
        # text in a column that counts along with others is a mistake to be shown, not a column to be passed over
        counts_along = (stem := _stem(column)) is not None and stems[stem] > 1
        if counts_along:
            continue
        if "id" not in guess.roles and column.n_distinct == len(column.cells) > 1 and len(guess.left) > 1:
            guess.take("id", column, "it holds another word in each row")
        else:
            guess.drop_text(column, "series")
    if all(column.is_named for column in guess.left):
        _drop_what_does_not_count(guess)
    for column in [column for column in guess.left if column.is_index]:
        guess.drop_index(column)
    values = wide_values(guess)
    run = repr(values[0]) if len(values) == 1 else f"{values[0]!r} … {values[-1]!r}"
    guess.say(guess.left[0], f"{run} are taken for {_what_values_are(values)}; a row is a series.", VALUES)
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
            guess.drop(column, warning(text, remedy=COUNT_ALIKE, choice=VALUES))
        else:
            guess.drop(column, repair(text, choice=VALUES))


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


def wide_values(guess: Guess) -> tuple[str, ...]:
    """Return the names of the time points, channel by channel where they count."""
    names = [column.name for column in guess.left]
    named = all(column.is_named for column in guess.left)
    groups = channel_groups(names) if named else None
    return tuple(name for group in groups.values() for name in group) if groups else tuple(names)


def take_values_of_long(guess: Guess) -> None:
    """Leave the channels of rows that are time points, and say what they are."""
    take_id_by_cells(guess)
    identity = guess.roles.get("id")
    groups = identity.cells if identity else None
    candidates = [
        column
        for column in reversed(guess.left)
        if groups is not None and identity is not None and identity.repeats and column.is_constant_within(groups)
    ]
    if "channel" not in guess.roles:
        take_label_by_cells(guess, candidates)
    for column in [column for column in guess.left if column.is_text]:
        guess.drop_text(column, "channel")
    for column in [column for column in guess.left if column.is_index and len(guess.left) > 1]:
        if "time" in guess.roles or "channel" in guess.roles:
            guess.drop_index(column)
        else:
            guess.take("time", column, "it numbers the rows")
    _say_values(guess)


def _say_values(guess: Guess) -> None:
    """Say what the columns that are left were taken for: one line each, or one for many alike."""
    names = [column.name for column in guess.left]
    if "channel" in guess.roles:
        guess.say(guess.left[0], f"{names[0]!r} is taken for the value, a row a time point.", VALUES)
    elif len(names) <= FEW_CHANNELS:
        for column in guess.left:
            text = f"{column.name!r} is taken for a channel: it holds numbers, a row a time point."
            guess.say(column, text, VALUES)
    else:
        text = f"{listed(names, FEW_CHANNELS)} are taken for channels: they hold numbers, a row a time point."
        guess.say(guess.left[0], text, VALUES)
