"""Spreadsheets: a sheet is read as the table that it shows."""

import base64
import io
import zipfile
import zlib
from datetime import datetime, timedelta

import numpy as np
import openpyxl
import pytest

from tests.data.formats.reading import inspect, read, refused, told, value_of, values

ROWS = [["id", "time", "x", "label"], ["a", 0, 1.5, "walk"], ["a", 1, None, "walk"], ["b", 0, 3, "run"]]


def workbook(sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


@pytest.mark.pitfall(1)
def test_a_sheet_is_read_as_a_long_table():
    content = workbook({"Sheet": ROWS})
    made = read(content, name="mine.xlsx")
    assert (made.name, made.series_ids, made.class_names) == ("mine", ("a", "b"), ("run", "walk"))
    np.testing.assert_array_equal(made.series[0], [[1.5, np.nan]])
    looked_at = inspect(content, name="mine.xlsx")
    assert looked_at.title == "a spreadsheet's sheet, long: a row a time point"
    assert "The first row names the columns." in [line.text for line in looked_at.lines]


def test_how_we_write_a_sheet_out_is_neither_told_nor_asked():
    looked_at = inspect(workbook({"Sheet": ROWS}), name="mine.xlsx")
    assert not any("separated" in line.text or "UTF" in line.text for line in looked_at.lines)
    assert not {"separator", "encoding"} & {choice.name for choice in looked_at.choices}


def test_numbers_that_a_sheet_holds_as_text_may_have_a_decimal_comma():
    cells = [["ab"[place // 4], place % 4, f"{place},5", "wr"[place // 4]] for place in range(8)]
    rows = [["id", "time", "x", "label"], *cells]
    assert values(read(workbook({"s": rows}), name="a.xlsx"))[0] == [[0.5, 1.5, 2.5, 3.5]]


def test_the_first_sheet_that_holds_something_is_read_and_another_can_be_chosen():
    content = workbook({"empty": [], "one": ROWS, "two": [["id", "time", "z", "label"], ["c", 0, 9, "jump"]]})
    assert value_of(inspect(content, name="a.xlsx"), "sheet") == "one"
    assert any("Sheets that are left out: 'two'" in line.text for line in told(content, name="a.xlsx"))
    assert values(read(content, name="a.xlsx", sheet="two")) == [[[9]]]
    assert "There is no 'three' to choose" in refused(content, name="a.xlsx", sheet="three").problem


@pytest.mark.pitfall(8)
def test_dates_of_cells_are_times():
    start = datetime(2024, 1, 31, 12)
    rows = [["id", "date", "x", "label"], *(["a", start + timedelta(seconds=place), place, "w"] for place in range(4))]
    assert read(workbook({"s": rows}), name="a.xlsx").sampling_rate == 1.0


def test_a_mistake_is_placed_as_the_spreadsheet_shows_it():
    content = workbook({"s": [["recorded in May"], [], *ROWS, ["b", 1, "broken", "run"]]})
    error = refused(content, name="a.xlsx", has_header=True)
    assert error.where.startswith("a.xlsx, sheet 's'")


def test_whole_numbers_truth_values_and_long_fractions_are_written_in_full():
    rows = [["id", "time", "x", "on", "label"], ["a", 0, 1 / 3, True, "w"], ["a", 1, 2**60, False, "w"]]
    made = read(workbook({"s": rows}), name="a.xlsx", channel_columns=("x", "on"))
    np.testing.assert_array_equal(made.series[0], np.array([[1 / 3, 2**60], [1, 0]], dtype=np.float32))


def test_a_workbook_without_cells_is_refused():
    assert "No sheet holds anything" in refused(workbook({"empty": []}), name="a.xlsx").problem


@pytest.mark.pitfall(23)
def test_too_many_cells_are_refused_while_they_are_read(monkeypatch):
    monkeypatch.setenv("TIMEMIL_MAX_SHEET_CELLS", "5")
    assert "The sheet has more than 5 cells" in refused(workbook({"s": ROWS}), name="a.xlsx").problem


@pytest.mark.pitfall(25)
@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"])
@pytest.mark.parametrize("harm", [b"", b"<a", b'<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>', b"\xff" * 100])
def test_damaged_or_hostile_parts_are_refused(part, harm):
    content = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook({"s": ROWS}))) as source,
        zipfile.ZipFile(content, "w") as target,
    ):
        for name in source.namelist():
            target.writestr(name, harm if name == part else source.read(name))
    error = refused(content.getvalue(), name="a.xlsx")
    assert error.where.startswith("a.xlsx")


@pytest.mark.pitfall(25)
def test_a_spreadsheet_that_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setenv("TIMEMIL_MAX_ARCHIVE_BYTES", "1000")
    assert "at most 1,000 are read" in refused(workbook({"s": ROWS}), name="a.xlsx").problem


def sheets(**tables):
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in tables.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def series_rows(first, n_series=2):
    rows = [["id", "time", "x", "label"]]
    return rows + [[first + k, t, k + t / 4, "ab"[k % 2]] for k in range(n_series) for t in range(5)]


def test_notes_before_the_table_do_not_hide_its_sheet():
    content = sheets(Notes=[["Measured in May"], ["by ann"]], Data=series_rows(1))
    assert len(read(content, name="a.xlsx")) == 2
    line = next(line for line in told(content, name="a.xlsx") if line.choice == "sheet")
    assert (line.kind, "'Notes'" in line.text) == ("warning", True)


def test_sheets_called_train_and_test_are_the_parts():
    made = read(sheets(train=series_rows(1, 4), test=series_rows(9)), name="a.xlsx")
    assert (made.split == "test").tolist() == [False] * 4 + [True] * 2


def test_sheets_of_the_same_columns_are_series_each():
    rows = [["time", "x", "y"], *([t, t / 2, t / 3] for t in range(6))]
    content = sheets(walk0=rows, run1=rows, walk2=rows, run3=rows)
    assert (len(read(content, name="a.xlsx")), read(content, name="a.xlsx").class_names) == (4, ("run", "walk"))
    assert len(read(content, name="a.xlsx", sheet="run1")) == 1


def open_document(sheets):
    """A spreadsheet as LibreOffice writes it: cells of typed values, repeated ones counted."""

    def cell(value):
        if value is None:
            return "<table:table-cell/>"
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'

    tables = "".join(
        f'<table:table table:name="{name}">'
        + "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
        + "</table:table>"
        for name, rows in sheets.items()
    )
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        book.writestr("META-INF/manifest.xml", "<manifest/>")
        book.writestr(
            "content.xml",
            f"<office:document-content {names}><office:body><office:spreadsheet>{tables}</office:spreadsheet>"
            "</office:body></office:document-content>",
        )
    return content.getvalue()


# A sheet "data" of LETTERS below, as xlwt 1.3 writes it for Excel of before 2007, packed.
OLDER = (
    "eNrtmD1oFEEUx/+z3zmSyyUmQiKEEDBqTKHY2CSngqYyRBtFBd3LXRFyJnIc+FUYjSkFwUqxCaSxidr4gQraCQoRUwiCkGiZSlCwSLK+efvhjm6R"
    "Aw0q+5Z5O/Nm5jdvZ97OfryZa1qYvt++iJ+kHzpWvTpYMZugVBcWcqB6z5PZ8OxQ8lL5p6TOoYW0TDxpeG3LNZTrvQgN94wXpIGPlE7gDAbHx0qd"
    "6yj72AdXSB/6SAvcJksWbexVM+th1htY3+WWT1nvYcs11n3UdkEcw1x+sGd3EMVHtS6uy0JyH3Kf92zZiVa8lFF86brw25rYWxlxy39nRYdRjxnQ"
    "ug2UxkoVt7yAFlrAGXz1OoEv4Z36vDO1r69dgOzfVLudYL+hGcAEvFMc4FOox7wuawwU3aq7jB3Uz99WKThHitS4OnK6RDFwzgTKbqFUprxL6Syl"
    "AqVKRm7RfEvnlFu6gUO9nnQRjZxv4oDPEX35zue3BwtD+ZNsmeDx/M1+s/QPHi7LHtQ5yzX+I0DW9HCP7ayvMHUT59tZt1CY0rl7qDXIHJjkNle5"
    "tpvG2cUyn98Sy2+l/NTSoUcdU5/y2yg/O7B4oWX2XX4aXTRykfrLYxK9olfcuinlcT48i2Bj+MC67ZdNwtFyge9e8ERrxAoynG1i7Zfk7IiopAVz"
    "5Zd0KukBSySwBLPk7Dwjb0Q0077WgjaSYgYULYGiKRR/vSy2vYoomkLREyi6QtGZkmGbFVF0hWIkUAyFYjAly7bjWkgxFIqZQDGjcSXFjM1LJvLF"
    "ZIodUKwEiqVQrNi8LOkhxVIodgLFVih2bF6ykS+2QnESKI5CcWLzctEMKU5E6dea8UBeMD2efkgGqaSSSiqppJJKKusswv+4CF4fwa9p8pXGDv7r"
    "rFBaTX+T/LdyGON0VOnDdD/G6FzB+ZriZyNMEbLEGvuE/wulHKHRKxhFgf0YrTl+6eNIxK9nzR1zv+8WqnX81Vr8/MPjfwcrUue8"
)
LETTERS = [["id", "time", "x", "label"], *(["ab"[n // 4], n % 4, n * 0.5, "rw"[n // 4]] for n in range(8))]


def test_a_workbook_of_before_2007_is_read_as_the_same_sheet_of_today():
    made = read(zlib.decompress(base64.b64decode(OLDER)), name="mine.xls")
    same = read(workbook({"data": LETTERS}), name="mine.xlsx")
    assert values(made) == values(same) == [[[0, 0.5, 1, 1.5]], [[2, 2.5, 3, 3.5]]]
    assert made.series_ids == same.series_ids == ("a", "b")


def test_an_open_document_is_read_as_the_same_sheet_of_another_program():
    content = open_document({"notes": [["measured in May"]], "data": LETTERS})
    made, same = read(content, name="mine.ods", sheet="data"), read(workbook({"data": LETTERS}), name="mine.xlsx")
    assert values(made) == values(same) == [[[0, 0.5, 1, 1.5]], [[2, 2.5, 3, 3.5]]]
    assert (made.series_ids, made.class_names) == (same.series_ids, same.class_names)
