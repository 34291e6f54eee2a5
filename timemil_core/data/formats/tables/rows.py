"""What a row is: a series (wide), a time point (long), or a single value (melted)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from timemil_core.data.formats.tables.columns import Column
from timemil_core.data.formats.tables.counting import time_columns
from timemil_core.data.formats.tables.layout import Kind
from timemil_core.data.formats.tables.names import VALUE_NAMES, plain, role_of_name
from timemil_core.data.formats.tables.roles import Guess

MOST_CHANNELS = 20  # of a table without names that is one series
NARROW = 10  # columns: as few time points a series has hardly ever
FEATURES = frozenset(
    """
    mean avg average std sd stdev var variance median min max range rms mad iqr skew skewness kurt
    kurtosis energy entropy quantile percentile slope peak peaks zcr sum
    """.split()  # noqa: SIM905
)


def kind_of_rows(guess: Guess, has_header: bool) -> Kind:
    """Return the layout that fits, and take the columns that tell it."""
    if take_channel_names(guess):
        return "melted"
    return "wide" if _is_wide(guess, has_header) else "long"


def _is_wide(guess: Guess, has_header: bool) -> bool:
    """Tell whether a row is a series."""
    if "time" in guess.roles or "instance label" in guess.roles:
        return False
    identity = guess.roles.get("id")
    if identity is not None and identity.repeats and "group" not in guess.roles:
        return False
    if not has_header:
        return not (_take_long_without_header(guess) or _take_recording(guess) or _is_one_series(guess))
    if len(guess.left) == 1 and not guess.roles:
        return False
    if time_columns(guess.left) or (are_features(guess.left) and "label" in guess.roles):
        return True
    label = guess.roles.get("label")
    if label is None or label.comes_in_blocks:
        if identity is not None and identity.is_index:
            guess.change("id", "time", "it numbers the rows")
            return False
        if identity is None:
            return False
    # rows that differ by id or label, without a time: that leaves one reading only, a row a series
    is_told_apart = "id" in guess.roles or (label is not None and label.n_distinct > 1)
    return len(guess.left) > 1 and (identity is None or not identity.repeats) and is_told_apart


def are_features(columns: Sequence[Column]) -> bool:
    """Tell whether half of the columns are called as statistics of a series are."""
    n_so_called = sum(not FEATURES.isdisjoint(plain(column.name).split("_")) for column in columns if column.is_named)
    return 2 * n_so_called >= len(columns) > 1


def _take_long_without_header(guess: Guess) -> bool:
    """Look for id and time in the first two columns of a table without names: the id repeats, the time rises."""
    if len(guess.left) < 3:
        return False
    identity, time = guess.left[:2]
    if not identity.repeats or not identity.could_be_label or not time.rises_within(identity.cells):
        return False
    if not (identity.is_text or identity.is_whole) or (not time.is_whole and identity.n_distinct < 2):
        return False
    if len(identity.present) / identity.n_distinct < 3 or not _blocks(identity.cells, identity.n_distinct):
        return False
    guess.take("id", identity, "its values repeat from row to row")
    guess.take("time", time, "it rises within each value of the first column")
    return True


def _take_recording(guess: Guess) -> bool:
    """Take the clock, the label and the subject of a recording without names, where that is what the rows are.

    A column that rises like a clock tells it, or a label that comes in stretches; in a table of many columns, values
    must change less from row to row than from column to column.
    """
    blocks = [column for column in guess.left if column.could_be_label and column.comes_in_blocks]
    blocks = [column for column in blocks if column.is_text or column.n_distinct < len(column.cells) / 20 + 2]
    keys = list(zip(*(column.cells for column in blocks), strict=True)) or [()] * len(guess.left[0].cells)
    clocks = [column for column in guess.left if column not in blocks and column.ticks_within(keys)]
    clock = clocks[0] if clocks and 2 * len(clocks) <= len(guess.left) else None
    values = [column for column in guess.left if column is not clock and column not in blocks and column.numbers]
    if not values or not (clock or blocks):
        return False
    alternates = [column for column in guess.left if column not in (clock, *blocks) and _alternates(column)]
    if len(values) >= NARROW and not _changes_less_downwards(values):
        return False
    if clock is not None and clock.counts_rows and alternates:
        return False
    if clock is not None:
        guess.take("time", clock, "it rises in equal steps, as a clock does")
    # the finest stretches are the activity's, the coarsest the subject's
    blocks.sort(key=lambda column: (column.is_text, sum(a != b for a, b in pairwise(column.cells))))
    if blocks:
        guess.take_for_label(blocks.pop(), "it comes in stretches of rows")
    if blocks:
        guess.take("id", blocks[0], "its values come in the longest stretches of rows")
    return True


def _alternates(column: Column) -> bool:
    """Tell whether a column could be the label of rows that are series: words that change from row to row."""
    return column.is_text and column.could_be_label and column.n_distinct > 1


def _changes_less_downwards(columns: Sequence[Column]) -> bool:
    """Tell whether values change less from row to row than from column to column, each by its own spread."""
    known = [column.numbers for column in columns if column.numbers and len(column.numbers) == len(column.cells)]
    if len(known) < 2:
        return False
    table = np.array(known)  # (n_columns, n_rows)
    table = table[table.std(axis=1) > 0]
    if len(table) < 2:
        return False
    downwards = np.abs(np.diff(table, axis=1)).mean() / table.std(axis=1).mean()
    across = np.abs(np.diff(table, axis=0)).mean() / max(table.std(axis=0).mean(), 1e-12)
    return bool(downwards < across)


def _is_one_series(guess: Guess) -> bool:
    """Tell whether rows without names are the time points of one series: few columns, none of which holds classes."""
    columns = guess.left
    if len(columns) == 1:
        return True
    is_narrow = len(columns) <= MOST_CHANNELS and len(columns[0].cells) > 2 * len(columns)
    return is_narrow and not any(column.could_be_label and column.n_distinct > 1 for column in columns)


def _blocks(cells: Sequence[str], n_distinct: int) -> bool:
    """Tell whether equal cells stand together: an id does, a UCR file's class need not."""
    changes = sum(a != b for a, b in pairwise(cells))
    return changes == n_distinct - 1


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
