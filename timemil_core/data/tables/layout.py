"""What a table seems to hold (``TableGuess``) and what its user says it holds (``TableLayout``)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from timemil_core.errors import DataError


@dataclass(frozen=True)
class TableLayout:
    """Which column is what: everything that the user can correct.

    Attributes
    ----------
    kind
        ``"long"``: a row a time point, a column a channel. ``"wide"``: a row a series, a column a time point.
    id_column
        Which series a row belongs to. None: in a long table the whole file is one series, in a wide one rows are
        numbered.
    time_column
        Long: by which the rows of a series are sorted. None: in the order of the file.
    label_column
        The class; None where it is not known.
    channel_columns
        Long: one a channel. Wide: the values in time order, channel after channel where there are several.
    instance_label_column
        Long: 0/1, or a class name, at each time point.
    split_column
        ``train`` or ``test``.
    sampling_rate
        In Hz; None: from the time column where it can tell.
    """

    kind: Literal["long", "wide"]
    id_column: str | None
    time_column: str | None
    label_column: str | None
    channel_columns: tuple[str, ...]
    instance_label_column: str | None = None
    split_column: str | None = None
    sampling_rate: float | None = None

    def roles(self) -> dict[str, str]:
        """Return the column of each role that is given, channels left out."""
        given = {
            "id": self.id_column,
            "time": self.time_column,
            "label": self.label_column,
            "instance label": self.instance_label_column,
            "split": self.split_column,
        }
        return {role: column for role, column in given.items() if column is not None}

    def check(self, columns: tuple[str, ...], filename: str) -> None:
        """Refuse a layout that the table cannot have.

        Raises
        ------
        DataError
            Where a column is absent, has two roles, is a channel and something else, or there is no channel.
        """
        roles = self.roles()
        used = [*roles.values(), *self.channel_columns]
        known, times = set(columns), Counter(used)
        if absent := [name for name in used if name not in known]:
            raise DataError(f"There is no column {absent[0]!r}.", where=filename, remedy="Choose one that there is.")
        if not self.channel_columns:
            raise DataError(
                "No column holds the series' values.", where=filename, remedy="Choose at least one column of numbers."
            )
        if twice := [name for name, count in times.items() if count > 1]:
            taken = [role for role, column in roles.items() if column == twice[0]]
            raise DataError(
                f"Column {twice[0]!r} is used twice ({', '.join([*taken, 'channel'][:2])}).",
                where=filename,
                remedy="A model would learn the answer from it: give each column one role.",
            )
        if self.sampling_rate is not None and not 0 < self.sampling_rate < float("inf"):
            raise DataError(
                f"A sampling rate of {self.sampling_rate} Hz is impossible.", remedy="Give a positive number, or none."
            )


@dataclass(frozen=True, eq=False)
class TableGuess:
    """What ``inspect_table`` found.

    Attributes
    ----------
    separator, encoding, decimal
        As the file is written; the separator ``" "`` stands for any run of blanks.
    has_header
        Whether the first row names the columns.
    columns
        Every column's name; unnamed ones are ``column 1`` …
    head
        The first rows (at most 20), as text, all columns.
    layout
        The guess.
    reasons
        A sentence a column, or a run of alike columns: what it was taken for and why.
    warnings
        What the user should know before believing a result.
    n_preamble
        Rows before the header (comments) that are passed over.
    """

    filename: str
    separator: str
    encoding: str
    decimal: str
    has_header: bool
    columns: tuple[str, ...]
    head: pd.DataFrame
    layout: TableLayout
    reasons: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    n_preamble: int = 0

    @property
    def first_row(self) -> int:
        """The spreadsheet's number of the first row of data."""
        return self.n_preamble + self.has_header + 1
