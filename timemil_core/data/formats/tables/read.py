"""A table read: its numbers as float32, its texts as codes, and for each row its number in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from timemil_core.data.files.contract import Progress, unheard
from timemil_core.data.files.source import Source, from_bytes
from timemil_core.data.files.tokens import MISSING
from timemil_core.data.formats.tables.chunks import ADD_ROWS, NO_ROW, Chunk, Faults, chunks_of, not_a_number
from timemil_core.data.formats.tables.layout import TableLayout, Written
from timemil_core.data.formats.tables.times import TimeCells, as_numbers
from timemil_core.data.formulas import unguarded
from timemil_core.data.limits import limits
from timemil_core.data.report_line import ReportLine, repair, warning
from timemil_core.data.series_set import FloatArray, IntArray
from timemil_core.data.wording import counted
from timemil_core.errors import DataError

CodeArray = npt.NDArray[np.int32]
DoubleArray = npt.NDArray[np.float64]
ONE_BYTE = ("utf-8", "cp1252", "latin-1")  # encodings in which ASCII is itself
TRUTH_WORDS = {"true": "1", "false": "0"}


@dataclass(eq=False)
class Coded:
    """A column of text: for each row ``(n_rows,)`` the position of its text among the different ones."""

    codes: CodeArray
    texts: list[str]

    def text(self, row: int | np.integer[Any]) -> str:
        """Return the text of a row, counted among those that are kept."""
        return self.texts[self.codes[row]]

    def part(self, start: int, stop: int) -> Coded:
        """Return some rows with the texts that occur in them, in the order of their appearance."""
        codes, distinct = pd.factorize(self.codes[start:stop])
        return Coded(codes.astype(np.int32), [self.texts[code] for code in distinct])


@dataclass(eq=False)
class Table:
    """Parsed columns.

    Attributes
    ----------
    written
        How the table is written.
    values
        The number columns in the layout's order, ``(n_rows, n_columns)``; NaN where missing or infinite.
    rounding
        What rounding to float32 lost.
    coded
        The text columns that the layout names.
    time
        The cells of the time column.
    rows
        The rows' numbers in the file, ``(n_rows,)``.
    lines
        What was passed over.
    """

    written: Written
    values: FloatArray
    rounding: Rounding
    coded: dict[str, Coded]
    time: TimeCells | None
    rows: IntArray
    lines: list[ReportLine] = field(default_factory=list)

    def part(self, start: int, stop: int, written: Written) -> Table:
        """Return some rows as a table of their own, of which nothing is to be told."""
        return Table(
            written=written,
            values=self.values[start:stop],
            rounding=Rounding(self.values.shape[1]),
            coded={name: one.part(start, stop) for name, one in self.coded.items()},
            time=None if self.time is None else self.time.part(start, stop),
            rows=np.arange(stop - start) + written.first_row,
        )

    def where(self, row: int | np.integer[Any], column: str) -> str:
        """Return the place of a cell in words; ``row`` counts the rows that are kept."""
        return f"{self.written.source.name}, row {self.rows[row]}, column {column!r}"


def read_table(written: Written, layout: TableLayout, progress: Progress) -> Table:
    """Read a table, some thousand rows at a time.

    Raises
    ------
    DataError
        Where a row has too many cells, a quotation mark is never closed, a cell is no number, a time is missing or
        none, or no row is left: names file, row and column.
    """
    gathering = _Gathering(written, layout)
    for chunk in chunks_of(written, gathering.number_positions, progress):
        gathering.take(chunk)
    return gathering.table()


def read_together(written: Written, layout: TableLayout, sources: Sequence[Source]) -> list[Table] | None:
    """Read small tables that begin alike as one, and cut it apart; None where one of them has anything to tell.

    What is wrong in a file, or passed over, is told with its row: then they must be read one by one.
    """
    heads, bodies = zip(*(_head_and_body(source, written) for source in (written.source, *sources)), strict=True)
    if len(set(heads)) > 1 or not all(map(_is_plain, bodies)) or written.encoding not in ONE_BYTE:
        return None
    content = heads[0] + b"".join(bodies[1:])
    stops = np.cumsum([body.count(b"\n") for body in bodies[1:]])
    whole = replace(written, source=from_bytes(written.source.name, content), n_lines=content.count(b"\n") + 1)
    gathering = _Gathering(whole, layout)
    try:
        for chunk in chunks_of(whole, gathering.number_positions, unheard):
            gathering.take(chunk)
        table = gathering.table()
    except DataError:
        return None
    if table.lines or len(table.rows) != stops[-1]:
        return None
    tables = [
        table.part(int(start), int(stop), replace(written, source=source, n_lines=int(stop - start)))
        for start, stop, source in zip(np.append(0, stops), stops, sources, strict=False)
    ]
    return None if any(map(table.rounding.may_concern, (one.values for one in tables))) else tables


def _head_and_body(source: Source, written: Written) -> tuple[bytes, bytes]:
    content = source.read().replace(b"\r\n", b"\n")
    content += b"" if content.endswith(b"\n") else b"\n"
    lines = content.split(b"\n", written.first_row - 1)
    return content[: len(content) - len(lines[-1])], lines[-1]


def _is_plain(body: bytes) -> bool:
    """Tell whether each line is a row: no cell may hold a line's end, and characters are bytes."""
    return bool(body) and body.isascii() and not any(mark in body for mark in b'"\r\0')


class _Gathering:
    """Columns that grow chunk by chunk, in arrays of the file's size."""

    def __init__(self, written: Written, layout: TableLayout) -> None:
        self.written, self.layout = written, layout
        self.place = {name: position for position, name in enumerate(written.columns)}
        self.numbers = [self.place[name] for name in layout.channel_columns]
        self.number_positions = set(self.numbers)
        self.values = np.empty((written.n_lines, len(self.numbers)), dtype=np.float32)
        self.rows = np.empty(written.n_lines, dtype=np.int64)
        names = {role: name for role, name in layout.roles().items() if role not in ("time", "date")}
        self.coders = {name: _Coder(written, name) for name in names.values()}
        self.faults = Faults(written)
        self.time = None if layout.time_column is None else TimeCells(layout.time_column, written.style, self.faults)
        self.rounding = Rounding(len(self.numbers))
        self.n_rows = self.n_empty = self.n_unreadable = 0

    def take(self, chunk: Chunk) -> None:
        """Add a chunk's rows."""
        kept = slice(self.n_rows, self.n_rows + len(chunk.rows))
        self.values[kept] = self.rounding.round(self._numbers(chunk))
        self.rows[kept] = chunk.rows
        for name, coder in self.coders.items():
            coder.take(chunk.texts(self.place[name]))
        if self.time is not None:
            cells = chunk.texts(self.place[self.time.column])
            if (date := self.layout.date_column) is not None:
                cells = chunk.texts(self.place[date]).str.strip() + " " + cells.str.strip()
            self.time.take(cells, chunk.rows)
        self.n_rows = kept.stop
        self.n_empty += chunk.n_empty

    def _numbers(self, chunk: Chunk) -> DoubleArray:
        """Return the chunk's numbers ``(n_rows, n_columns)``, NaN where missing or infinite."""
        frame = chunk.frame
        kinds = [frame[position].dtype.kind for position in self.numbers]
        numbers = np.empty((len(frame), len(self.numbers)))
        plain = [column for column, kind in enumerate(kinds) if kind in "iuf"]
        numbers[:, plain] = frame[[self.numbers[column] for column in plain]].to_numpy(dtype=np.float64)
        for column in sorted(set(range(len(kinds))) - set(plain)):
            numbers[:, column] = self._from_texts(chunk, column)
        numbers[~np.isfinite(numbers)] = np.nan
        return numbers

    def _from_texts(self, chunk: Chunk, column: int) -> DoubleArray:
        """Convert what pandas left as text: grouped digits, signs for missing, truth values, and true mistakes."""
        texts = chunk.texts(self.numbers[column]).str.strip()
        numbers = as_numbers(texts.str.lower().map(TRUTH_WORDS).fillna(texts), self.written.style)
        wrong = np.isnan(numbers) & ~texts.isin(MISSING).to_numpy(dtype=bool)
        if self.layout.unreadable == "missing":
            self.n_unreadable += int(wrong.sum())
        else:
            name = self.layout.channel_columns[column]
            self.faults.add("number", name, wrong, chunk.rows, texts, not_a_number)
        return numbers

    def table(self) -> Table:
        """Return the whole table, or refuse it for its first mistake."""
        self.faults.refuse()
        if not self.n_rows:
            raise DataError(NO_ROW, where=self.written.source.name, remedy=ADD_ROWS)
        return Table(
            written=self.written,
            values=self.values[: self.n_rows],
            rounding=self.rounding,
            coded={name: coder.finished() for name, coder in self.coders.items()},
            time=self.time,
            rows=self.rows[: self.n_rows],
            lines=self._lines(),
        )

    def _lines(self) -> list[ReportLine]:
        lines = []
        if self.n_empty:
            lines.append(repair(f"Empty rows, passed over: {self.n_empty:,}."))
        if self.n_unreadable:
            cells = counted(self.n_unreadable, "cell")
            lines.append(repair(f"{cells} that are no numbers were read as missing values.", choice="unreadable"))
        return lines


class _Coder:
    """Gives every different text of a column a number."""

    def __init__(self, written: Written, column: str) -> None:
        self.written, self.column = written, column
        self.codes = np.empty(written.n_lines, dtype=np.int32)
        self.place: dict[str, int] = {}
        self.n_rows = 0

    def take(self, cells: pd.Series[str]) -> None:
        """Add a chunk's cells."""
        codes, distinct = pd.factorize(cells)
        numbers = [self.place.setdefault(unguarded(str(text)), len(self.place)) for text in distinct]
        if len(self.place) > (most := limits().series):
            raise DataError(
                f"The column holds more than {most:,} different texts.",
                where=f"{self.written.source.name}, column {self.column!r}",
                remedy="Choose another column for this.",
            )
        stop = self.n_rows + len(codes)
        self.codes[self.n_rows : stop] = np.asarray(numbers, dtype=np.int32)[codes]
        self.n_rows = stop

    def finished(self) -> Coded:
        """Return the whole column."""
        return Coded(self.codes[: self.n_rows], list(self.place))


def positions_of(columns: Sequence[str], chosen: Sequence[str]) -> list[int]:
    """Return where the chosen columns stand among columns."""
    place = {name: position for position, name in enumerate(columns)}
    return [place[name] for name in chosen]


NOTICEABLE = 0.01  # rounding error in shares of the channel's own standard deviation


class Rounding:
    """Rounds columns of numbers to float32, chunk after chunk, and keeps what it takes to tell what was lost."""

    def __init__(self, n_columns: int) -> None:
        self.n_too_large = 0
        self.counts = np.zeros(n_columns)
        self.firsts = np.full(n_columns, np.nan)
        self.errors = np.zeros(n_columns)
        self.sums = np.zeros(n_columns)  # of the differences to the first value: an epoch keeps its digits
        self.squares = np.zeros(n_columns)

    def round(self, values: DoubleArray) -> FloatArray:
        """Return ``(n_rows, n_columns)`` rounded; NaN where missing or too large for float32."""
        with np.errstate(over="ignore"):
            rounded = values.astype(np.float32)
        too_large = np.isinf(rounded)
        if too_large.any():
            self.n_too_large += int(too_large.sum())
            values = np.where(too_large, np.nan, values)
            rounded[too_large] = np.nan
        errors = np.abs(values - rounded)
        self._note_firsts(values)
        differences = values - self.firsts
        self.counts += np.isfinite(values).sum(axis=0)
        self.errors = np.fmax(self.errors, np.fmax.reduce(errors, axis=0, initial=0.0))
        self.sums += np.nansum(differences, axis=0)
        self.squares += np.nansum(np.square(differences), axis=0)
        return rounded

    def may_concern(self, values: FloatArray) -> bool:
        """Tell whether some rows could have lost what ``lines`` would tell of, had they been rounded by themselves."""
        if not self.n_too_large and not self.errors.any():
            return False
        spread = np.fmax.reduce(values, axis=0) - np.fmin.reduce(values, axis=0)
        least = spread / (2 * len(values)) ** 0.5  # that the standard deviation of so many values can be
        return bool(self.n_too_large) or bool(((self.errors > NOTICEABLE * least) & (spread > 0)).any())

    def _note_firsts(self, values: DoubleArray) -> None:
        unknown = np.flatnonzero(np.isnan(self.firsts))
        if unknown.size and len(values):
            known = ~np.isnan(values[:, unknown])
            has_any = known.any(axis=0)
            self.firsts[unknown[has_any]] = values[known.argmax(axis=0)[has_any], unknown[has_any]]

    def lines(self, channels: Mapping[str, Sequence[int]]) -> Iterator[ReportLine]:
        """Tell what was lost; ``channels`` are the positions of each channel's columns."""
        if self.n_too_large:
            yield repair(f"Values too large for a network, treated as missing: {self.n_too_large:,}.")
        for name, positions in channels.items():
            columns = np.asarray(positions)
            error = float(self.errors[columns].max(initial=0.0))
            if error > 0 and error > NOTICEABLE * self._deviation(columns) > 0:
                first = self.firsts[columns][np.isfinite(self.firsts[columns])][0]
                yield warning(
                    f"{name!r} has values so large ({first:.6g}) that small differences between them are rounded away.",
                    remedy="Subtract a constant from it before uploading.",
                )

    def _deviation(self, columns: npt.NDArray[np.intp]) -> float:
        """Return the standard deviation over several columns, each summed up from its own first value."""
        known = columns[self.counts[columns] > 0]
        counts = self.counts[known]
        means = self.sums[known] / counts
        total = counts.sum()
        offsets = self.firsts[known] - self.firsts[known][0] + means
        mean = float((counts * offsets).sum() / total)
        within = self.squares[known] - counts * means**2
        return float(np.sqrt(max((within + counts * (offsets - mean) ** 2).sum() / total, 0.0)))
