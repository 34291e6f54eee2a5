"""From UTF-8 content to columns of text and of numbers, each cell with the row that a spreadsheet would show."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from timemil_core.data.formulas import unguarded
from timemil_core.data.series_set import IntArray
from timemil_core.data.tables.layout import TableGuess
from timemil_core.data.tables.tokens import MISSING
from timemil_core.errors import DataError

DoubleArray = npt.NDArray[np.float64]
TOO_LONG = re.compile(r"Expected (\d+) fields in line (\d+), saw (\d+)")
NEVER_CLOSED = re.compile(r"EOF inside string starting at row (\d+)")
# the parser's time grows with these times the columns; the rest of MISSING is found where a column stays text
FREQUENT_MISSING = ["", "?", "NA", "NaN", "nan", "-"]
TRUTH_WORDS = {"true": "1", "false": "0"}


@dataclass(frozen=True, eq=False)
class Table:
    """Parsed columns. ``rows`` are the spreadsheet's row numbers, ``(n_rows,)``; notes say what was passed over."""

    guess: TableGuess
    frame: pd.DataFrame
    rows: IntArray
    notes: tuple[str, ...]

    def texts(self, column: str) -> npt.NDArray[np.object_]:
        """Return a text column's cells, ``(n_rows,)`` of str, without guards against spreadsheets."""
        cells = self.frame[self._positions[column]].to_numpy(dtype=object)
        return np.array([unguarded(cell) for cell in cells], dtype=object)

    def numbers(self, columns: Sequence[str]) -> DoubleArray:
        """Return columns of numbers, ``(n_rows, n_columns)``; NaN where missing or infinite.

        Raises
        ------
        DataError
            Where a cell is neither a number nor a sign for a missing value: names row, column and text.
        """
        values = np.empty((len(self.rows), len(columns)))
        for target, column in enumerate(columns):
            values[:, target] = self._column_of_numbers(column)
        values[~np.isfinite(values)] = np.nan
        return values

    def where(self, index: int | np.integer[Any], column: str) -> str:
        """Return the place of a cell in words."""
        return f"{self.guess.filename}, row {self.rows[index]}, column {column!r}"

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {column: position for position, column in enumerate(self.guess.columns)}

    def _column_of_numbers(self, column: str) -> DoubleArray:
        cells = self.frame[self._positions[column]]
        if pd.api.types.is_numeric_dtype(cells.dtype):
            return cells.to_numpy(dtype=np.float64)
        return self._numbers_from_texts(cells, column)

    def _numbers_from_texts(self, cells: pd.Series[Any], column: str) -> DoubleArray:
        """Convert what pandas left as text: blanks around signs for missing, truth values, and true mistakes."""
        texts = cells.astype(object).where(cells.notna(), "").astype(str).str.strip()
        plain = texts.str.lower().map(TRUTH_WORDS).fillna(texts)
        if self.guess.decimal == ",":
            plain = plain.str.replace(",", ".", regex=False)
        numbers = pd.to_numeric(plain, errors="coerce").to_numpy(dtype=np.float64)
        wrong = np.flatnonzero(np.isnan(numbers) & ~texts.isin(MISSING).to_numpy())
        if wrong.size:
            first = int(wrong[0])
            more = f" Such cells in this column: {wrong.size:,}." if wrong.size > 1 else ""
            raise DataError(
                f"{texts.iloc[first][:80]!r} is not a number.{more}",
                where=self.where(first, column),
                remedy="Mend the cell, leave it empty where the value is missing, or leave the column out.",
            )
        return numbers


def parse_table(content: bytes, guess: TableGuess, number_columns: Sequence[str]) -> Table:
    """Parse UTF-8 content as the guess says it is written; all columns but ``number_columns`` stay text.

    Raises
    ------
    DataError
        Where a row has more cells than there are columns, a quotation mark is never closed, or no row is left.
    """
    frame = _read(content, guess, set(number_columns))
    n_columns = len(guess.columns)
    rows = np.arange(len(frame), dtype=np.int64) + guess.first_row
    beyond = np.flatnonzero(frame[n_columns].fillna("").str.strip().ne("").to_numpy())
    if beyond.size:
        raise _too_many_cells(guess, int(rows[beyond[0]]))
    frame = frame.drop(columns=n_columns)
    empty = _empty_rows(frame)
    if empty.all():
        raise DataError("There is no row of data.", where=guess.filename)
    note = (f"Empty rows, passed over: {int(empty.sum()):,}.",) if empty.any() else ()
    return Table(guess, frame.loc[~empty].reset_index(drop=True), rows[~empty], note)


def _read(content: bytes, guess: TableGuess, number_columns: set[str]) -> pd.DataFrame:
    n_columns = len(guess.columns)
    numbers = {position for position, name in enumerate(guess.columns) if name in number_columns}
    try:
        with warnings.catch_warnings():
            # pandas warns where it would cut rows off
            warnings.simplefilter("error", pd.errors.ParserWarning)
            return pd.read_csv(
                io.BytesIO(content),
                sep=r"\s+" if guess.separator == " " else guess.separator,
                decimal=guess.decimal,
                header=None,
                names=list(range(n_columns + 1)),  # one more: what stands there is too much
                index_col=False,
                skiprows=guess.n_preamble + guess.has_header,
                skip_blank_lines=False,
                skipinitialspace=True,
                dtype={position: "str" for position in range(n_columns + 1) if position not in numbers},
                na_values=dict.fromkeys(sorted(numbers), FREQUENT_MISSING),
                keep_default_na=False,
                float_precision="round_trip",
                low_memory=False,
            ).fillna({position: "" for position in range(n_columns + 1) if position not in numbers})
    except pd.errors.EmptyDataError as error:
        raise DataError("There is no row of data.", where=guess.filename) from error
    except (pd.errors.ParserError, pd.errors.ParserWarning, ValueError, OverflowError) as error:
        raise _unparsable(guess, str(error)) from error


def _unparsable(guess: TableGuess, message: str) -> DataError:
    if match := TOO_LONG.search(message):
        return _too_many_cells(guess, int(match[2]))
    if match := NEVER_CLOSED.search(message):
        return DataError(
            "A quotation mark that is opened here is never closed.",
            where=f"{guess.filename}, row {int(match[1]) + 1}",
            remedy="Close it, or take it away.",
        )
    return DataError(
        f"The table cannot be split into cells ({message.strip()}).",
        where=guess.filename,
        remedy='Check the separator, and look for a quotation mark (") that is not closed.',
    )


def _too_many_cells(guess: TableGuess, row: int) -> DataError:
    return DataError(
        f"The row has more cells than the table's {len(guess.columns)} columns.",
        where=f"{guess.filename}, row {row}",
        remedy="Check the separator and the decimal mark, and quote text that holds the separator.",
    )


def _empty_rows(frame: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Return which rows hold nothing; columns are asked only as long as such rows are possible."""
    empty = np.ones(len(frame), dtype=np.bool_)
    for position in frame.columns:
        cells = frame[position]
        is_number = pd.api.types.is_numeric_dtype(cells.dtype)
        is_blank = cells.isna() if is_number else cells.isna() | cells.astype(str).str.strip().eq("")
        empty &= is_blank.to_numpy(dtype=bool)
        if not empty.any():
            break
    return empty
