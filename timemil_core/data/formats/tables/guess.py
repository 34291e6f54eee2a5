"""A guess in the making: the columns that are left, the roles that are taken, and why."""

from __future__ import annotations

from dataclasses import dataclass, field

from timemil_core.data.formats.tables.profile import Column
from timemil_core.data.formats.tables.roles import Role
from timemil_core.data.report_line import ReportLine, note, warning

CHOICES: dict[Role, str] = {
    "id": "id_column",
    "group": "group_column",
    "time": "time_column",
    "channel": "channel_column",
    "label": "label_column",
    "instance label": "instance_label_column",
    "split": "split_column",
}


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

    def explain(self, column: Column, role: Role, reason: str) -> None:
        """Say why a column has its role."""
        self.say(column, f"{column.name!r} is taken for the {role}: {reason}.", CHOICES[role])

    def say(self, column: Column, sentence: str, choice: str) -> None:
        """Say what a column is."""
        self.lines[column.position] = note(sentence, choice=choice)

    def drop(self, column: Column, line: ReportLine) -> None:
        """Leave a column out of the values, saying why."""
        self.left.remove(column)
        self.lines[column.position] = line

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
