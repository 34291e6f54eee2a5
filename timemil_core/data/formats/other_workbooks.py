"""Workbooks of older and other programs (.xls, .ods): calamine reads them, and they are handed on as .xlsx."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

from timemil_core.data.files.archives import unzipped
from timemil_core.data.files.choices import Choosing
from timemil_core.data.files.contract import Understood
from timemil_core.data.files.source import Source, from_bytes
from timemil_core.data.files.streams import DAMAGE
from timemil_core.data.formats.spreadsheet import understand_spreadsheet
from timemil_core.data.limits import limits, refuse_beyond
from timemil_core.errors import DataError

OLE = b"\xd0\xcf\x11\xe0"
ODS = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
REMEDY = "Open it in a spreadsheet program and save it again, as .xlsx or as CSV."


def is_other_workbook(source: Source, head: bytes) -> bool:
    """Tell whether a file is a workbook of Excel before 2007, or an OpenDocument spreadsheet."""
    return head.startswith(OLE) or (head.startswith(b"PK\x03\x04") and ODS in head[:200])


def understand_other_workbook(sources: Sequence[Source], choose: Choosing) -> Understood:
    """Look at a workbook as ``understand_spreadsheet`` does.

    Raises
    ------
    DataError
        Where it is damaged, locked, too large, or no workbook.
    """
    return understand_spreadsheet([_as_xlsx(sources[0])], choose)


@lru_cache(maxsize=4)
def _as_xlsx(source: Source) -> Source:
    import openpyxl
    from python_calamine import CalamineWorkbook

    source.refuse_large()
    if not source.head(len(OLE)).startswith(OLE):
        unzipped(source)  # refuses what would unpack to too much
        with _readable(source):
            _refuse_repeated(source)
    book = openpyxl.Workbook(write_only=True)
    with _readable(source):
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(source.read()))
        for name in workbook.sheet_names:
            sheet = book.create_sheet(name[:31])
            for row in workbook.get_sheet_by_name(name).to_python(skip_empty_area=False):
                sheet.append([None if cell == "" else cell for cell in row])
        content = io.BytesIO()
        book.save(content)
    return from_bytes(source.name, content.getvalue())


@contextmanager
def _readable(source: Source) -> Iterator[None]:
    from python_calamine import CalamineError

    try:
        yield
    except DataError:
        raise
    except (*DAMAGE, CalamineError, TypeError, AttributeError, MemoryError, SyntaxError) as error:
        raise DataError(
            f"The file is no workbook that can be read ({error}).", where=source.name, remedy=REMEDY
        ) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of the compiled library; no Exception, but no reason to end
            raise
        raise DataError("The workbook is damaged.", where=source.name, remedy=REMEDY) from error


def _refuse_repeated(source: Source) -> None:
    """Refuse a sheet whose cells are few in the file but many when their repetitions are laid out."""
    from defusedxml.ElementTree import iterparse

    most, n_rows, widest = limits().sheet_cells, 0, 0
    with source.open_seekable() as file, zipfile.ZipFile(file) as archive, archive.open("content.xml") as content:
        for _, element in iterparse(content, events=("end",)):
            if element.tag == f"{TABLE}table":
                n_rows = widest = 0
            elif element.tag == f"{TABLE}table-row":
                width = _width(element)
                n_rows += int(element.get(f"{TABLE}number-rows-repeated", "1")) if width or n_rows < most else 0
                widest = max(widest, width)
                if width and n_rows * widest > most:
                    refuse_beyond("sheet_cells", n_rows * widest, source.name, of="The sheet")
                element.clear()


def _width(row: object) -> int:
    """Return the number of columns up to the last cell that holds something."""
    width = place = 0
    for cell in row:  # type: ignore[attr-defined]
        place += int(cell.get(f"{TABLE}number-columns-repeated", "1"))
        if cell.get(f"{OFFICE}value-type") is not None:
            width = place
    return width
