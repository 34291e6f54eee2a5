"""One line of the reading report: what was found in a file or a set, what was done about it, how to have it otherwise.

Readers tell in such lines what a file was and what they repaired; the checks of a set tell what to know before a
result is believed. Page, command line and provenance show the same lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["note", "repair", "warning"]
LOUD = "Warning: "  # how a warning begins where it stands among other lines
FEW = 3  # lines that say the same
ROUTINE = frozenset(
    {"id_column", "label_column", "label_from", "labels", "sampling_rate", "cut"}
)  # of most first files
PARTICULAR = re.compile(r"'[^']*'|\"[^\"]*\"|\d[\d,.]*")


@dataclass(frozen=True)
class ReportLine:
    """A line of the report.

    Attributes
    ----------
    kind
        ``"note"``: what something was taken for. ``"repair"``: the data were changed or left out, and how.
        ``"warning"``: decides whether a result can be believed; shown loudly.
    text
        What was found and what was done, in plain sentences. May hold names from a file: escape it before it goes
        into HTML or Markdown.
    where
        File, sheet, row, column or series; empty for the whole set.
    remedy
        How to mend it, or to have it otherwise; empty where there is nothing to do.
    choice
        The name of the reader's choice (``Choice.name``) that changes this line; empty where there is none.
    """

    kind: Kind
    text: str
    where: str = ""
    remedy: str = ""
    choice: str = ""

    def __str__(self) -> str:
        return f"{LOUD}{self.told}" if self.kind == "warning" else self.told

    @property
    def told(self) -> str:
        """The line without the word that makes it loud."""
        place = f"{self.where}: " if self.where else ""
        advice = f" {self.remedy}" if self.remedy else ""
        return f"{place}{self.text}{advice}"


def condensed(lines: Iterable[ReportLine]) -> list[ReportLine]:
    """Return lines in the order in which they are read: warnings first, and of these what is particular to the files.

    Where more than a few say the same but for names and numbers, the first stands for all, with their count.
    """
    alike: dict[tuple[Kind, str, str], list[ReportLine]] = {}
    for line in dict.fromkeys(lines):
        alike.setdefault((line.kind, line.choice, PARTICULAR.sub("", line.text)), []).append(line)
    told: list[ReportLine] = []
    for group in alike.values():
        if len(group) <= FEW:
            told.extend(group)
        else:
            more = f" {len(group) - 1:,} more lines say the same of others."
            told.append(replace(group[0], text=group[0].text + more))
    return sorted(told, key=lambda line: (line.kind != "warning", line.kind == "warning" and line.choice in ROUTINE))


def note(text: str, *, where: str = "", remedy: str = "", choice: str = "") -> ReportLine:
    """Return a line that tells what something was taken for."""
    return ReportLine("note", text, where, remedy, choice)


def repair(text: str, *, where: str = "", remedy: str = "", choice: str = "") -> ReportLine:
    """Return a line that tells what was changed or left out."""
    return ReportLine("repair", text, where, remedy, choice)


def warning(text: str, *, where: str = "", remedy: str = "", choice: str = "") -> ReportLine:
    """Return a line that decides whether a result can be believed."""
    return ReportLine("warning", text, where, remedy, choice)
