"""Is a row a single value? The melted layout ``id, time, channel, value``: which column names the channel."""

from __future__ import annotations

from timemil_core.data.formats.tables.columns import VALUE_NAMES, Column, Guess, plain, role_of_name


def take_channel_names(guess: Guess) -> bool:
    """Take the column that names each row's channel, where there is one: it tells apart what would be doubled rows."""
    if "channel" in guess.roles:
        return True
    values = _value_columns(guess)
    if len(values) != 1 or len(guess.left) < 2:
        return False
    for column in guess.left:
        if column is not values[0] and column.is_named and _names_channels(column, values[0], guess):
            guess.take("channel", column, "it names the channel of each row's value")
            return True
    return False


def _value_columns(guess: Guess) -> list[Column]:
    """Return the columns of values: that which is called so, else those of numbers that could not name channels."""
    called = [column for column in guess.left if plain(column.name) in VALUE_NAMES and not column.is_text]
    if called:
        return called
    return [column for column in guess.left if not column.is_text and role_of_name(column.name) != "channel"]


def _names_channels(column: Column, values: Column, guess: Guess) -> bool:
    if len(column.present) < len(column.cells) or not column.repeats:
        return False
    is_called_so = role_of_name(column.name) == "channel"
    if is_called_so and plain(values.name) in VALUE_NAMES:
        return True
    could_be = is_called_so or (column.is_text and "id" in guess.roles)
    return could_be and _tells_rows_apart(column, guess) is True


def _tells_rows_apart(column: Column, guess: Guess) -> bool | None:
    """Tell whether rows of one series and time differ by the column; None where none share series and time."""
    if "time" not in guess.roles:
        return None
    keys = [guess.roles[role].cells for role in ("group", "id", "time") if role in guess.roles]
    rows = list(zip(*keys, strict=True))
    if len(set(rows)) == len(rows):
        return None
    with_channel = list(zip(*keys, column.cells, strict=True))
    return len(set(with_channel)) == len(with_channel)
