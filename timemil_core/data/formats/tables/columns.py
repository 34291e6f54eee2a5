"""A column of a table's first rows: what its cells look like."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

from timemil_core.data.files.tokens import NumberStyle, is_missing, is_stamp
from timemil_core.data.formats.tables.names import INDEX_NAMES, plain

CLOCK_TIME = re.compile(r"\d{1,4}:\d{2}")
BLOCK = 5  # rows at least in a stretch of one label, on average
FEWEST_TICKS = 5
MOST_CLASSES = 60
CLOCKWORK, MOSTLY_RISING = 0.8, 0.95  # shares of a clock's steps that are near the median, and that go forwards
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
    def are_stamps(self) -> bool:
        """Whether all cells are dates or clock times."""
        return len(self.present) == len(self.cells) > 0 and all(is_stamp(cell.strip()) for cell in self.cells)

    @property
    def are_dates(self) -> bool:
        """Whether all cells are dates without a clock time."""
        return self.are_stamps and not any(":" in cell for cell in self.cells)

    @property
    def are_clock_times(self) -> bool:
        """Whether all cells are clock times without a date."""
        return self.are_stamps and all(CLOCK_TIME.match(cell.strip()) for cell in self.cells)

    @property
    def is_index(self) -> bool:
        """Whether the column numbers the rows, and is called so or not at all."""
        name = plain(self.name) or self.name.strip()
        return self.counts_rows and (not self.is_named or name in INDEX_NAMES or name.startswith("unnamed"))

    @cached_property
    def comes_in_blocks(self) -> bool:
        """Whether equal cells stand together in several stretches, as an activity does in a recording."""
        n_blocks = sum(1 for _ in groupby(self.cells))
        return n_blocks > 1 and len(self.cells) >= BLOCK * n_blocks and len(self.present) == len(self.cells)

    def ticks_within(self, groups: Sequence[Hashable]) -> bool:
        """Tell whether the numbers rise in nearly equal steps, as a clock does, within runs of equal groups."""
        if self.numbers is None or len(self.numbers) < len(self.cells):
            return False
        rows = list(zip(groups, self.numbers, strict=True))
        steps = sorted(b - a for (group, a), (other, b) in pairwise(rows) if group == other)
        if len(steps) < FEWEST_TICKS or steps[len(steps) // 2] <= 0:
            return False
        middle = steps[len(steps) // 2]
        n_near = sum(0.5 * middle <= step <= 1.5 * middle for step in steps)
        return n_near >= CLOCKWORK * len(steps) and sum(step > 0 for step in steps) >= MOSTLY_RISING * len(steps)

    @cached_property
    def is_split(self) -> bool:
        """Whether the column holds words such as train and test only."""
        return bool(self.present) and {cell.lower() for cell in self.present} <= set(SPLIT_WORDS)

    @property
    def could_be_label(self) -> bool:
        """Whether the values could be classes: few, and words or whole numbers."""
        is_few = 1 <= self.n_distinct <= max(2, min(len(self.present) // 2, MOST_CLASSES))
        return is_few and (self.is_text or self.is_whole)

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
