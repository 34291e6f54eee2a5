"""Spreadsheets (.xlsx): a sheet is written out as the text table that it shows, and read as one.

Row numbers in messages are then the spreadsheet's own.
"""

from __future__ import annotations

import csv
import io
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import ParseError

from timemil_core.data.files.archives import unzipped
from timemil_core.data.files.choices import Choosing, Value
from timemil_core.data.files.contract import Reader, Understood
from timemil_core.data.files.source import Source, from_bytes
from timemil_core.data.files.streams import DAMAGE
from timemil_core.data.formats.many import understand_many
from timemil_core.data.formats.tables.reader import understand_written
from timemil_core.data.limits import limits
from timemil_core.data.report_line import note, warning
from timemil_core.data.wording import listed
from timemil_core.errors import DataError

CANNOT = (*DAMAGE, TypeError, AttributeError, ParseError, RecursionError, MemoryError, AssertionError)
WRITTEN: dict[str, Value] = {"encoding": "utf-8", "separator": ","}  # numbers that are texts may have any marks
ALL = "all sheets"
REMEDY = "Open it in a spreadsheet program and save it again, as .xlsx or as CSV."


def is_spreadsheet(source: Source, head: bytes) -> bool:
    """Tell whether a file is an Office Open XML workbook."""
    if not head.startswith(b"PK\x03\x04"):
        return False
    try:
        with source.open_seekable() as file, zipfile.ZipFile(file) as archive:
            return "xl/workbook.xml" in archive.NameToInfo
    except DAMAGE:  # our own errors among them
        return False


def understand_spreadsheet(sources: Sequence[Source], choose: Choosing) -> Understood:
    """Look at the sheet that is chosen, by default the first that holds something.

    Raises
    ------
    DataError
        Where the file is damaged, locked or too large, or no sheet holds a table.
    """
    source = sources[0]
    source.refuse_large()
    unzipped(source)  # refuses what would unpack to too much
    names = _sheet_names(source)
    heads = {name: head for name in names if (head := _first_rows(source, name))}
    if not heads:
        raise DataError("No sheet holds anything.", where=source.name, remedy="Choose another file.")
    tables = [name for name, head in heads.items() if len(head) > 1 and len(head[0]) > 1] or list(heads)
    alike = [name for name in tables if heads[name][0] == heads[tables[0]][0]]
    options = {name: name for name in names} | (
        {ALL: f"all {len(alike)} that have the same columns"} if alike[1:] else {}
    )
    sheet = choose.one("sheet", "Sheet", options, ALL if ALL in options else tables[0], reshapes=True)
    read = alike if sheet == ALL else [sheet]
    if sheet == ALL:
        bundles = [[from_bytes(f"{name}.csv", _as_csv(source, name))] for name in read]
        understood, _ = understand_many(Reader("sheet", lambda *_: True, _understand_sheet), bundles, [], choose)
    else:
        table = from_bytes(f"{source.name}, sheet {sheet!r}", _as_csv(source, sheet))
        understood = _understand_sheet([table], choose)
    if others := [name for name in heads if name not in read]:
        text = f"Read: {listed(read)}. Sheets that are left out: {listed(others)}."
        understood.lines.insert(
            0, warning(text, remedy="Choose another sheet, if it holds the series.", choice="sheet")
        )
    elif sheet == ALL:
        text = f"{len(read)} sheets have the same columns and were read as one set: {listed(read)}."
        understood.lines.insert(0, note(text, choice="sheet"))
    return understood


def _understand_sheet(sources: Sequence[Source], choose: Choosing) -> Understood:
    understood = understand_written(sources[0], choose, WRITTEN, "a spreadsheet's sheet")
    has_header = choose.made["has_header"].value
    header = "The first row names the columns." if has_header else "No row names the columns."
    understood.lines.insert(0, note(header, choice="has_header"))
    return understood


def _sheet_names(source: Source) -> list[str]:
    with _workbook(source) as book:
        return [sheet.title for sheet in book.worksheets]


def _first_rows(source: Source, sheet: str) -> list[tuple[str, ...]]:
    """Return the first two rows that hold something, without empty cells at their ends."""
    found: list[tuple[str, ...]] = []
    with _workbook(source) as book:
        for row in book[sheet].iter_rows(max_row=1000, values_only=True):
            cells = [_text(cell) for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            found += [tuple(cells)] if cells else []
            if len(found) == 2:
                break
    return found


@contextmanager
def _workbook(source: Source) -> Iterator[Any]:
    import openpyxl

    book = None
    try:
        with warnings.catch_warnings(), source.open_seekable() as file:
            warnings.simplefilter("ignore")  # of styles and extensions, which hold no data
            book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
            yield book
    except DataError:
        raise
    except CANNOT as error:
        raise DataError(f"The spreadsheet is damaged ({error}).", where=source.name, remedy=REMEDY) from error
    finally:
        if book is not None:
            book.close()


@lru_cache(maxsize=4)
def _as_csv(source: Source, sheet: str) -> bytes:
    """Return a sheet as CSV in UTF-8, empty rows included.

    Raises
    ------
    DataError
        Where it has more cells than may be read.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    n_cells, most = 0, limits().sheet_cells
    with _workbook(source) as book:
        for row in book[sheet].iter_rows(values_only=True):
            n_cells += max(len(row), 1)
            if n_cells > most:
                raise DataError(
                    f"The sheet has more than {most:,} cells.",
                    where=f"{source.name}, sheet {sheet!r}",
                    remedy="Save it as CSV, which is read faster. TIMEMIL_MAX_SHEET_CELLS changes the limit.",
                )
            writer.writerow([_text(cell) for cell in row])
    return text.getvalue().encode("utf-8", errors="replace")


def _text(cell: object) -> str:
    """Return a cell as a text table would show it: numbers in full, dates as ISO 8601."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, datetime | date | time):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell.total_seconds())
    return repr(cell) if isinstance(cell, float) else str(cell)
