"""A table's cells, some thousand rows at a time, so that memory is spent on numbers; what is wrong in them, counted."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from timemil_core.data.files.contract import Progress
from timemil_core.data.formats.tables.layout import Written
from timemil_core.errors import DataError

IntArray = npt.NDArray[np.int64]
CHUNK_CELLS = 2_000_000
NO_ROW, ADD_ROWS = "There is no row of data.", "Add the rows of data."
FEWEST_ROWS = 256  # a chunk of a very wide table: each costs time for each of its columns
TOO_LONG = re.compile(r"Expected (\d+) fields in line (\d+), saw (\d+)")
NEVER_CLOSED = re.compile(r"EOF inside string starting at row (\d+)")
# the parser's time grows with these times the columns; the rest of MISSING is found where a column stays text
FREQUENT_MISSING = ["", "?", "NA", "NaN", "nan", "-"]


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some rows: their cells by a column's position, and their numbers in the file ``(n_rows,)``."""

    frame: pd.DataFrame
    rows: IntArray
    n_empty: int
    line_end: str = ""

    def texts(self, position: int) -> pd.Series[str]:
        """Return a column's cells as text, empty ones as ''."""
        cells = self.frame[position]
        if cells.dtype != "str":
            return cells.astype(object).where(cells.notna(), "").astype("str")
        texts = cells.fillna("")
        return texts.str.rstrip(self.line_end) if self.line_end and position == self.frame.columns[-1] else texts


def chunks_of(written: Written, number_positions: set[int], progress: Progress) -> Iterator[Chunk]:
    """Yield a table's rows without empty ones; columns outside ``number_positions`` stay text.

    Raises
    ------
    DataError
        Where a row has more cells than there are columns, a quotation mark is never closed, or cells cannot be split.
    """
    n_columns = len(written.columns)
    n_read = 0
    try:
        with warnings.catch_warnings(), written.source.open() as file:
            # pandas warns where it would cut rows off
            warnings.simplefilter("error", pd.errors.ParserWarning)
            for frame in _reader(written, number_positions, file):
                rows = np.arange(n_read, n_read + len(frame), dtype=np.int64) + written.first_row
                n_read += len(frame)
                beyond = np.flatnonzero(frame[n_columns].fillna("").str.strip().ne("").to_numpy(dtype=bool))
                if beyond.size:
                    raise _too_many_cells(written, int(rows[beyond[0]]))
                frame = frame.drop(columns=n_columns)
                frame = frame.fillna(
                    {position: "" for position in range(n_columns) if position not in number_positions}
                )
                empty = _empty_rows(frame)
                kept = ~empty
                yield Chunk(frame.loc[kept], rows[kept], int(empty.sum()), written.line_end)
                progress(min(n_read / written.n_lines, 1.0), f"{n_read:,} of about {written.n_lines:,} rows read")
    except pd.errors.EmptyDataError as error:
        raise DataError(NO_ROW, where=written.source.name, remedy=ADD_ROWS) from error
    except (pd.errors.ParserError, pd.errors.ParserWarning, OverflowError) as error:
        raise _unparsable(written, str(error)) from error
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        raise _unparsable(written, str(error)) from error


def _reader(written: Written, number_positions: set[int], file: object) -> Iterator[pd.DataFrame]:
    n_columns = len(written.columns)
    reader = pd.read_csv(
        file,
        sep=r"\s+" if written.separator == " " else written.separator,
        decimal=written.style.decimal,
        header=None,
        names=list(range(n_columns + 1)),  # one more: what stands there is too much
        index_col=False,
        skiprows=written.first_row - 1,
        skip_blank_lines=False,
        skipinitialspace=True,
        dtype={position: "str" for position in range(n_columns + 1) if position not in number_positions},
        na_values=dict.fromkeys(sorted(number_positions), FREQUENT_MISSING),
        keep_default_na=False,
        float_precision="high",
        low_memory=False,
        encoding=written.encoding,
        chunksize=max(CHUNK_CELLS // n_columns, FEWEST_ROWS),
    )
    with reader:
        yield from reader


def _empty_rows(frame: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Return which rows hold nothing; columns are asked only as long as such rows are possible."""
    empty = np.ones(len(frame), dtype=np.bool_)
    for position in frame.columns:
        cells = frame[position]
        is_number = pd.api.types.is_numeric_dtype(cells.dtype)
        is_blank = cells.isna() if is_number else cells.isna() | cells.astype("str").str.strip().eq("")
        empty &= is_blank.to_numpy(dtype=bool)
        if not empty.any():
            break
    return empty


def _unparsable(written: Written, message: str) -> DataError:
    if match := TOO_LONG.search(message):
        return _too_many_cells(written, int(match[2]))
    if match := NEVER_CLOSED.search(message):
        return DataError(
            "A quotation mark that is opened here is never closed.",
            where=f"{written.source.name}, row {int(match[1]) + 1}",
            remedy="Close it, or take it away.",
        )
    return DataError(
        f"The table cannot be split into cells ({message.strip()}).",
        where=written.source.name,
        remedy='Check the separator, and look for a quotation mark (") that is not closed.',
    )


def _too_many_cells(written: Written, row: int) -> DataError:
    return DataError(
        f"The row has more cells than the table's {len(written.columns)} columns.",
        where=f"{written.source.name}, row {row}",
        remedy="Check the separator and the decimal mark, and quote text that holds the separator.",
    )


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
