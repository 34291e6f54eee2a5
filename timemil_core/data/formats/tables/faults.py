"""Cells that cannot be read, found while a table streams by: the first of each kind with its place, and how many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from timemil_core.data.formats.tables.layout import Written
from timemil_core.errors import DataError

SHOWN = 80  # characters of a cell


@dataclass(eq=False)
class Fault:
    """One kind of mistake in one column: its first row and text, how often it occurs, and what to say of it."""

    row: int
    column: str
    text: str
    count: int
    describe: Callable[[str, int], tuple[str, str]]


class Faults:
    """Gathers mistakes; reading goes on to the end of the file so that they can be counted."""

    def __init__(self, written: Written) -> None:
        self.written = written
        self._found: dict[tuple[str, str], Fault] = {}

    def add(
        self,
        kind: str,
        column: str,
        wrong: npt.NDArray[np.bool_],
        rows: npt.NDArray[np.int64],
        texts: pd.Series[str],
        describe: Callable[[str, int], tuple[str, str]],
    ) -> None:
        """Count the cells that are wrong, ``(n_rows,)``; ``rows`` are their numbers in the file."""
        places = np.flatnonzero(wrong)
        if not places.size:
            return
        first = int(places[0])
        new = Fault(int(rows[first]), column, str(texts.iloc[first])[:SHOWN], 0, describe)
        self._found.setdefault((kind, column), new).count += int(places.size)

    def refuse(self) -> None:
        """Refuse the table for the mistake that comes first.

        Raises
        ------
        DataError
            Names file, row and column.
        """
        if not self._found:
            return
        fault = min(self._found.values(), key=lambda one: one.row)
        problem, remedy = fault.describe(fault.text, fault.count)
        raise DataError(
            problem, where=f"{self.written.source.name}, row {fault.row}, column {fault.column!r}", remedy=remedy
        )


def not_a_number(text: str, count: int) -> tuple[str, str]:
    """Describe a cell that should have held a number."""
    more = f" Such cells in this column: {count:,}." if count > 1 else ""
    return (
        f"{text!r} is not a number.{more}",
        "Mend the cell, leave the column out, or have unreadable cells read as missing values.",
    )


def no_time(_text: str, count: int) -> tuple[str, str]:
    """Describe a row without a time."""
    return (
        f"The time is missing here; rows without a time: {count:,}.",
        "Fill them in, or read the table without a time column, in the order of its rows.",
    )


def not_a_time(text: str, count: int) -> tuple[str, str]:
    """Describe a cell of the time column that is none."""
    more = f" Such cells in this column: {count:,}." if count > 1 else ""
    return (
        f"{text!r} is not a time.{more}",
        "Write numbers, or time stamps such as 2024-01-31 12:00:00.5, throughout.",
    )
