"""Which column has been given which role, and what is said of each."""

from __future__ import annotations

from dataclasses import dataclass, field

from timemil_core.data.formats.tables.columns import Column
from timemil_core.data.formats.tables.names import Role
from timemil_core.data.report_line import ReportLine, note, repair, warning

VALUES = "channel_columns"  # the choice that lines on values point to


@dataclass
class Guess:
    """Which column is what so far; each column has a line that says so."""

    left: list[Column]
    roles: dict[Role, Column] = field(default_factory=dict)
    lines: dict[int, ReportLine] = field(default_factory=dict)
    warnings: list[ReportLine] = field(default_factory=list)

    def take(self, role: Role, column: Column, reason: str) -> None:
        """Give a column a role, once."""
        self.roles[role] = column
        self.left.remove(column)
        self.explain(column, role, reason)

    def take_for_label(self, column: Column, reason: str) -> None:
        """Give a column whose name does not say so the label's role, loudly."""
        self.take("label", column, reason)
        self.warn(
            f"No column is called label; {column.name!r} was taken for it.",
            "Please check, and choose another column if it is not.",
            "label_column",
        )

    def change(self, role: Role, to: Role, reason: str) -> None:
        """Give the column that has a role another one."""
        self.roles[to] = self.roles.pop(role)
        self.explain(self.roles[to], to, reason)

    def explain(self, column: Column, role: Role, reason: str) -> None:
        """Say why a column has its role."""
        self.say(column, f"{column.name!r} is taken for the {role}: {reason}.", f"{role.replace(' ', '_')}_column")

    def say(self, column: Column, sentence: str, choice: str) -> None:
        """Say what a column is."""
        self.lines[column.position] = note(sentence, choice=choice)

    def drop(self, column: Column, line: ReportLine) -> None:
        """Leave a column out of the values, saying why, unless it is the last."""
        if len(self.left) > 1:
            self.left.remove(column)
            self.lines[column.position] = line

    def drop_index(self, column: Column) -> None:
        """Leave a column out that numbers the rows."""
        self.drop(column, repair(f"{column.name!r} is left out: it merely numbers the rows.", choice=VALUES))

    def drop_text(self, column: Column, of: str) -> None:
        """Leave a column of text out of the values of a series, or of a channel."""
        text = f"{column.name!r} is left out: it holds text, which is no value of a {of}."
        remedy = "Choose it as a channel with unreadable cells as missing values, if it is one."
        self.drop(column, repair(text, remedy=remedy, choice=VALUES))

    def warn(self, sentence: str, remedy: str, choice: str) -> None:
        """Say something loudly."""
        self.warnings.append(warning(sentence, remedy=remedy, choice=choice))

    def name_of(self, role: Role) -> str | None:
        """Return the name of the column that has a role."""
        column = self.roles.get(role)
        return None if column is None else column.name

    def told(self) -> list[ReportLine]:
        """Return the lines in the table's order, then the warnings."""
        return [*(self.lines[position] for position in sorted(self.lines)), *self.warnings]
