"""What a column's first cells look like, whatever it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

from timemil_core.data.files.tokens import NumberStyle, is_missing

SPLIT_WORDS: dict[str, str] = {
    **dict.fromkeys(("train", "training", "tr", "val", "valid", "validation", "dev", "learn"), "train"),
    **dict.fromkeys(("test", "testing", "te", "eval", "evaluation", "holdout"), "test"),
}


@dataclass(frozen=True, eq=False)
class Column:
    """One column of the sample: position, name as in the table, whether the file named it, and its cells."""

    position: int
    name: str
    is_named: bool
    cells: Sequence[str]
    style: NumberStyle

    @cached_property
    def present(self) -> list[str]:
        """The cells that hold something."""
        return [cell for cell in self.cells if not is_missing(cell)]

    @cached_property
    def numbers(self) -> list[float] | None:
        """The cells as numbers, None where one that holds something is not a number, or none holds anything."""
        if not self.present or not all(self.style.is_number(cell) for cell in self.present):
            return None
        return [self.style.number(cell) for cell in self.present]

    @cached_property
    def is_text(self) -> bool:
        """Whether most of what the cells hold is not a number."""
        strange = sum(not self.style.is_number(cell) for cell in self.present)
        return strange > 0.5 * len(self.present)

    @cached_property
    def n_distinct(self) -> int:
        """How many different values there are."""
        return len(set(self.present if self.numbers is None else self.numbers))

    @property
    def repeats(self) -> bool:
        """Whether values come again."""
        return self.n_distinct < len(self.present)

    @cached_property
    def is_whole(self) -> bool:
        """Whether the column holds whole numbers only."""
        return self.numbers is not None and all(number.is_integer() for number in self.numbers)

    @cached_property
    def counts_rows(self) -> bool:
        """Whether the column merely numbers the rows: 0, 1, 2 … or 1, 2, 3 …"""
        numbers = self.numbers
        if not numbers or len(numbers) < 2 or len(numbers) < len(self.cells) or numbers[0] not in (0.0, 1.0):
            return False
        return all(b - a == 1 for a, b in pairwise(numbers))

    @cached_property
    def is_split(self) -> bool:
        """Whether the column holds words such as train and test only."""
        return bool(self.present) and {cell.lower() for cell in self.present} <= set(SPLIT_WORDS)

    @property
    def few_values(self) -> bool:
        """Whether there are so few different values that they could be classes."""
        return 1 <= self.n_distinct <= max(2, min(len(self.present) // 2, 60))

    @property
    def could_be_label(self) -> bool:
        """Whether the values could be classes: few, and words or whole numbers."""
        return self.few_values and (self.is_text or self.is_whole)

    def is_constant_within(self, groups: Sequence[str]) -> bool:
        """Tell whether the column keeps one value in each group (cells of another column)."""
        seen: dict[str, str] = {}
        return all(seen.setdefault(group, cell) == cell for group, cell in zip(groups, self.cells, strict=True))

    def rises_within(self, groups: Sequence[str]) -> bool:
        """Tell whether the column's numbers rise from row to row within runs of equal groups."""
        if self.numbers is None or len(self.numbers) < len(self.cells):
            return False
        rows = zip(groups, self.numbers, strict=True)
        sections = [[number for _, number in run] for _, run in groupby(rows, key=lambda row: row[0])]
        return any(len(run) > 1 for run in sections) and all(a < b for run in sections for a, b in pairwise(run))


def profile(
    names: Sequence[str], is_named: Sequence[bool], rows: Sequence[Sequence[str]], style: NumberStyle
) -> list[Column]:
    """Return the columns of a sample; short rows are filled with empty cells."""
    columns = []
    for position, name in enumerate(names):
        cells = [row[position] if position < len(row) else "" for row in rows]
        columns.append(Column(position, name, is_named[position], cells, style))
    return columns
