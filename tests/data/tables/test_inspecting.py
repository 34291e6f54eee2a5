"""What a file is understood to be: how it is written, and what each column is."""

import dataclasses

import pytest

from timemil_core.data.tables import inspect_table
from timemil_core.data.tables.layout import TableLayout
from timemil_core.errors import DataError

LONG = "id,time,x,label\na,0,1.5,walk\na,1,2.5,walk\nb,0,3.5,run\nb,1,4.5,run\n"


def guess(text, **options):
    return inspect_table(text if isinstance(text, bytes) else text.encode(), "file.csv", **options)


def layout(text):
    return guess(text).layout


def test_a_long_table_by_its_names():
    found = guess(LONG)
    assert found.layout == TableLayout("long", "id", "time", "label", ("x",))
    assert found.columns == ("id", "time", "x", "label")
    assert (found.separator, found.decimal, found.encoding, found.has_header) == (",", ".", "utf-8", True)
    assert found.first_row == 2
    assert found.warnings == ()


def test_each_column_has_its_reason():
    reasons = " ".join(guess(LONG).reasons)
    for name, taken in (("id", "the id"), ("time", "the time"), ("x", "a channel"), ("label", "the label")):
        assert f"'{name}' is taken for {taken}" in reasons


def test_the_head_is_the_first_twenty_rows_as_text():
    rows = "".join(f"a,{index},0.50,w\n" for index in range(50))
    head = guess("id,time,x,label\n" + rows).head
    assert head.shape == (20, 4)
    assert head["x"].tolist() == ["0.50"] * 20


@pytest.mark.parametrize(("separator", "name"), [(";", ";"), ("\t", "\t"), ("|", "|"), ("  ", " ")])
def test_separators(separator, name):
    found = guess(LONG.replace(",", separator))
    assert found.separator == name
    assert found.layout == layout(LONG)


def test_a_decimal_comma_between_semicolons():
    found = guess(LONG.replace(",", ";").replace(".", ","))
    assert (found.separator, found.decimal) == (";", ",")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_encodings(encoding):
    found = guess(LONG.replace("walk", "gehen").encode(encoding))
    assert found.layout == layout(LONG)
    assert found.columns[0] == "id"


def test_western_text_is_read_and_told():
    found = guess("id,time,größe,label\na,0,1,w\na,1,2,w\n".encode("latin-1"))
    assert found.layout.channel_columns == ("größe",)
    assert any("not UTF-8" in sentence for sentence in found.reasons)


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends_of_other_systems(ending):
    assert layout(LONG.replace("\n", ending)) == layout(LONG)


def test_an_unnamed_column_that_numbers_the_rows_is_left_out_and_told():
    rows = [line if not index else f"{index - 1},{line}" for index, line in enumerate(LONG.splitlines())]
    for first in (",", "Unnamed: 0,"):
        found = guess("\n".join([first + rows[0], *rows[1:]]))
        assert found.layout == layout(LONG)
        assert any("merely numbers the rows" in reason for reason in found.reasons)


def test_a_header_that_is_one_name_short_as_r_writes_it():
    found = guess('"time" "x" "y"\n"1" 0 1 4\n"2" 1 2 5\n"3" 2 3 6\n')
    assert found.columns == ("column 1", "time", "x", "y")
    assert found.layout.channel_columns == ("x", "y")


def test_rows_that_end_with_a_separator():
    text = LONG.replace("walk\n", "walk,\n").replace("run\n", "run,\n")
    assert guess(text).columns == ("id", "time", "x", "label")


def test_comments_before_the_header_count_as_rows():
    found = guess("# recorded in May\n# by us\n" + LONG)
    assert (found.n_preamble, found.first_row) == (2, 4)
    assert found.layout == layout(LONG)


def test_excels_separator_note():
    assert layout("sep=;\n" + LONG.replace(",", ";")) == layout(LONG)


def test_a_ucr_file_without_header():
    found = guess("1\t0.5\t0.6\t0.7\n2\t0.1\t0.2\t0.3\n1\t0.1\t0.2\t0.4\n2\t0.1\t0.2\t0.4\n")
    assert not found.has_header
    assert found.layout == TableLayout("wide", None, None, "column 1", ("column 2", "column 3", "column 4"))
    assert any("column 1" in warning for warning in found.warnings)


def test_a_wide_table_in_the_order_of_its_numbers():
    names = ["x_1", "x_10", "x_2", *(f"x_{index}" for index in range(3, 10))]
    found = layout(f"id,{','.join(names)},label\na,{','.join('1' * 10)},w\nb,{','.join('2' * 10)},r\n")
    assert found.kind == "wide"
    assert found.channel_columns == tuple(f"x_{index}" for index in range(1, 11))


@pytest.mark.parametrize("pattern", ["acc_{channel}_{time}", "acc_{channel}[{time}]", "t{time}_acc_{channel}"])
def test_a_wide_table_of_several_channels(pattern):
    names = [pattern.format(channel=channel, time=time) for time in range(5) for channel in "xyz"]
    found = guess(f"id,{','.join(names)},label\na,{','.join('1' * 15)},w\nb,{','.join('2' * 15)},r\n")
    expected = tuple(pattern.format(channel=channel, time=time) for channel in "xyz" for time in range(5))
    assert (found.layout.kind, found.layout.channel_columns) == ("wide", expected)
    assert any("3 channels (acc_x, acc_y, acc_z) of 5 time points" in reason for reason in found.reasons)


def test_a_header_of_positions():
    found = layout("id,0,1,2,3,4,label\na,.1,.2,.3,.4,.5,w\nb,.1,.2,.3,.4,.5,r\n")
    assert (found.kind, found.channel_columns) == ("wide", ("0", "1", "2", "3", "4"))


def test_x_y_z_are_axes_and_not_a_label():
    assert layout("id,t,x,y,z\na,0,1,2,3\na,1,1,2,3\nb,0,1,2,3\n").channel_columns == ("x", "y", "z")


def test_a_label_without_a_telling_name_is_taken_with_a_warning():
    found = guess("id,time,x,kind\na,0,1,w\na,1,2,w\nb,0,3,r\nb,1,3,r\n")
    assert found.layout.label_column == "kind"
    assert any("kind" in warning for warning in found.warnings)


def test_an_id_without_a_telling_name_is_where_time_starts_anew():
    found = layout("participant,sec,acc,activity\np1,0,1,w\np1,1,2,w\np2,0,3,r\np2,1,3,r\n")
    assert (found.id_column, found.time_column, found.label_column) == ("participant", "sec", "activity")


def test_text_among_the_channels_is_left_out_and_told():
    found = guess("id,time,x,colour,label\na,0,1,red,w\na,1,2,blue,w\nb,0,2,blue,r\n")
    assert found.layout.channel_columns == ("x",)
    assert any("'colour' is left out" in reason for reason in found.reasons)


def test_split_and_instance_labels_by_name():
    found = layout("id,time,x,label,instance_label,split\na,0,1,w,0,train\na,1,1,w,1,train\nb,0,2,r,0,test\n")
    assert (found.instance_label_column, found.split_column) == ("instance_label", "split")


def test_a_table_without_id_is_one_series_and_says_so_loudly():
    found = guess("time,x,y\n0,1,2\n1,2,3\n2,3,4\n")
    assert found.layout.id_column is None
    assert any("whole file is taken for one series" in warning for warning in found.warnings)


def test_names_that_occur_twice_are_told_apart():
    found = guess("id,time,x,x,label\na,0,1,1,w\na,1,2,1,w\nb,0,2,1,r\n")
    assert found.layout.channel_columns == ("x", "x (2)")
    assert any("x (2)" in warning for warning in found.warnings)


def test_hostile_names_stay_text():
    found = guess("id,time,<script>alert(1)</script>,=cmd|' /C calc'!A0,label\na,0,1,2,w\na,1,1,2,w\n")
    assert found.layout.channel_columns == ("<script>alert(1)</script>", "=cmd|' /C calc'!A0")


def test_what_is_given_is_not_guessed():
    assert not guess(LONG, has_header=False).has_header
    with pytest.raises(DataError, match="one column only"):
        guess(LONG, separator=";")
    with pytest.raises(DataError, match="cannot be read as ascii"):
        guess(LONG.replace("walk", "größe"), encoding="ascii")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b" \n\r\n\t", "empty"),
        (b"id,time,x,label\n", "no row of data"),
        (b"# only\n# comments\n", "no table"),
        (b"x\n1\n2\n", "one column only"),
        (b"PK\x03\x04rest", "spreadsheet"),
        (b"\x1f\x8brest", "gzip"),
        (b"a,b\n1,\x00\n", "zero bytes"),
        (b"\xff\xfeabc", "utf-16"),
    ],
)
def test_what_is_no_table_is_refused(content, message):
    with pytest.raises(DataError, match=message) as caught:
        inspect_table(content, "file.csv")
    assert caught.value.where == "file.csv"


def test_limits_are_checked_before_reading(monkeypatch):
    monkeypatch.setattr("timemil_core.data.tables.limits.MAX_BYTES", 10)
    with pytest.raises(DataError, match="at most"):
        guess(LONG)
    monkeypatch.undo()
    monkeypatch.setattr("timemil_core.data.tables.limits.MAX_CELLS", 10)
    with pytest.raises(DataError, match="cells; at most 10"):
        guess(LONG)
    monkeypatch.undo()
    monkeypatch.setattr("timemil_core.data.tables.limits.MAX_COLUMNS", 3)
    with pytest.raises(DataError, match="4 columns; at most 3"):
        guess(LONG)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"label_column": "nothing"}, "no column 'nothing'"),
        ({"channel_columns": ()}, "No column holds"),
        ({"channel_columns": ("x", "label")}, "'label' is used twice"),
        ({"time_column": "id"}, "'id' is used twice"),
        ({"sampling_rate": -1.0}, "impossible"),
        ({"sampling_rate": float("inf")}, "impossible"),
    ],
)
def test_a_layout_that_the_table_cannot_have_is_refused(changes, message):
    found = guess(LONG)
    with pytest.raises(DataError, match=message):
        dataclasses.replace(found.layout, **changes).check(found.columns, "file.csv")
