"""From the columns of a sample to a layout, with a reason for each column.

Names speak first; where they are silent, the cells do. Each step takes columns out of those that are left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from timemil_core.data.tables.layout import TableLayout
from timemil_core.data.tables.numbered import TIME_STEMS, channel_groups, number_of
from timemil_core.data.tables.profile import Column
from timemil_core.data.tables.roles import Role, role_of_name

FEWEST_TIME_COLUMNS = 4
SERIES_STEMS = {*TIME_STEMS, "x", "y", "att", "attribute", "feature", "f", "c", "col", "column", "p", "dim", "var"}
SPATIAL = {"x", "z"}


@dataclass
class Guess:
    """A guess in the making: the columns that are left, the roles that are taken, and why."""

    left: list[Column]
    roles: dict[Role, Column] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def take(self, role: Role, column: Column, reason: str) -> None:
        """Give a column a role, once."""
        self.roles[role] = column
        self.drop(column, f"{column.name!r} is taken for the {role}: {reason}.")

    def drop(self, column: Column, sentence: str) -> None:
        """Leave a column out of the values, saying why."""
        self.left.remove(column)
        self.reasons[column.position] = sentence

    def name_of(self, role: Role) -> str | None:
        """Return the name of the column that has a role."""
        column = self.roles.get(role)
        return None if column is None else column.name


def guess_layout(columns: Sequence[Column], has_header: bool) -> tuple[TableLayout, tuple[str, ...], tuple[str, ...]]:
    """Return the layout, a reason a column (in the table's order), and warnings."""
    guess = Guess(list(columns))
    _drop_row_numbers(guess)
    _drop_empty(guess)
    _take_by_name(guess)
    kind = "wide" if _is_wide(guess, has_header) else "long"
    (_finish_wide if kind == "wide" else _finish_long)(guess)
    layout = TableLayout(
        kind="wide" if kind == "wide" else "long",
        id_column=guess.name_of("id"),
        time_column=guess.name_of("time"),
        label_column=guess.name_of("label"),
        channel_columns=_wide_values(guess) if kind == "wide" else tuple(column.name for column in guess.left),
        instance_label_column=guess.name_of("instance label"),
        split_column=guess.name_of("split"),
    )
    _warn(guess, kind)
    reasons = [guess.reasons[position] for position in sorted(guess.reasons)]
    return layout, tuple(reasons), tuple(guess.warnings)


def _drop_row_numbers(guess: Guess) -> None:
    first = guess.left[0]
    is_nameless = not first.is_named or first.name.lower().startswith("unnamed:")
    if is_nameless and first.counts_rows and len(guess.left) > 1:
        guess.drop(first, f"{first.name!r} is left out: it has no name and merely numbers the rows.")


def _drop_empty(guess: Guess) -> None:
    for column in [column for column in guess.left if not column.present and not column.is_named]:
        if len(guess.left) > 1:
            guess.drop(column, f"{column.name!r} is left out: it has neither a name nor a value.")


def _take_by_name(guess: Guess) -> None:
    names = {column.name.strip().lower() for column in guess.left}
    for column in list(guess.left):
        role = role_of_name(column.name) if column.is_named else None
        if role is None or role in guess.roles or not _fits(role, column):
            continue
        if column.name.strip().lower() == "y" and names & SPATIAL:
            continue  # x, y, z are axes
        if len(guess.left) > 1:
            guess.take(role, column, "its name says so")


def _fits(role: Role, column: Column) -> bool:
    if role == "split":
        return column.is_split
    # y is the target to some and an axis to others; fractions speak for the axis
    is_axis = role == "label" and column.name.strip().lower() == "y" and not (column.is_text or column.is_whole)
    return not is_axis


def _is_wide(guess: Guess, has_header: bool) -> bool:
    """Tell whether a row is a series."""
    if "time" in guess.roles or "instance label" in guess.roles:
        return False
    identity = guess.roles.get("id")
    if identity is not None and identity.repeats:
        return False
    if not has_header:
        return not _take_long_without_header(guess)
    if _counting_columns(guess.left):
        return True
    return (identity is not None and len(guess.left) > 1) or _label_changes_within_file(guess)


def _label_changes_within_file(guess: Guess) -> bool:
    """Without an id and a time, a label that changes leaves one reading only: a row a series."""
    label = guess.roles.get("label")
    return "id" not in guess.roles and label is not None and label.n_distinct > 1 and len(guess.left) > 1


def _counting_columns(columns: Sequence[Column]) -> bool:
    """Tell whether names count up time points: many numbers under a stem that is no sensor's, or several stems."""
    counted = [number_of(column.name) for column in columns if column.is_named]
    stems = [name[0] for name in counted if name is not None]
    if len(stems) < FEWEST_TIME_COLUMNS or len(stems) < 0.6 * len(columns):
        return False
    stem = max(set(stems), key=stems.count)
    most = stems.count(stem)
    return most >= 8 or (most >= FEWEST_TIME_COLUMNS and stem.lower() in SERIES_STEMS)


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


def _blocks(cells: Sequence[str], n_distinct: int) -> bool:
    """Tell whether equal cells stand together: an id does, a UCR file's class need not."""
    changes = sum(a != b for a, b in pairwise(cells))
    return changes == n_distinct - 1


def _finish_wide(guess: Guess) -> None:
    _take_label_by_cells(guess, [guess.left[0], guess.left[-1], *guess.left[1:-1]])
    stems = Counter(_stem(column) for column in guess.left)
    for column in [column for column in guess.left if column.is_text]:
        # text in a column that counts along with others is a mistake to be shown, not a column to be passed over
        counts_along = (stem := _stem(column)) is not None and stems[stem] > 1
        if len(guess.left) > 1 and not counts_along:
            guess.drop(column, f"{column.name!r} is left out: it holds text, which is no value of a series.")
    values = _wide_values(guess)
    run = repr(values[0]) if len(values) == 1 else f"{values[0]!r} … {values[-1]!r}"
    guess.reasons[guess.left[0].position] = f"{run} are taken for {_what_values_are(values)}; a row is a series."


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
    _take_label_by_cells(guess, candidates)
    for column in [column for column in guess.left if column.is_text]:
        if len(guess.left) > 1:
            guess.drop(column, f"{column.name!r} is left out: it holds text, which is no value of a channel.")
    for column in guess.left:
        guess.reasons[column.position] = (
            f"{column.name!r} is taken for a channel: it holds numbers, a row a time point."
        )


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
        guess.warnings.append(f"No column is called label; {fitting[0].name!r} was taken for it. Please check.")


def _is_one_of_many(column: Column, guess: Guess) -> bool:
    """Whole numbers among nothing but whole numbers, or under a counting name, are values rather than classes."""
    if column.is_text:
        return False
    if column.is_named:
        counted = number_of(column.name)
        return counted is not None and _counting_columns(guess.left)
    others = [other for other in guess.left if other is not column]
    return all(other.is_whole for other in others[:20])


def _warn(guess: Guess, kind: str) -> None:
    if kind == "long" and "id" not in guess.roles:
        guess.warnings.append("No column says which series a row belongs to: the whole file is taken for one series.")
    if "label" not in guess.roles:
        guess.warnings.append("No column holds the class: the series can be looked at, but not learned from.")
