"""How a table is written: encoding, separator, decimal mark, header, preamble."""

import io

import pytest

from tests.data.formats.reading import inspect, read, refused, told, value_of, values
from timemil_core.data.files.source import Source
from timemil_core.data.files.text import scan

LONG = "id,time,x,label\na,0,1.5,walk\na,1,2.5,walk\nb,0,3.5,run\nb,1,4.5,run\n"
EXPECTED = [[[1.5, 2.5]], [[3.5, 4.5]]]


def texts(*arguments, **choices):
    return " ".join(str(line) for line in told(*arguments, **choices))


@pytest.mark.pitfall(7)
@pytest.mark.parametrize(("separator", "name"), [(";", ";"), ("\t", "\t"), ("|", "|"), ("  ", " ")])
def test_separators(separator, name):
    text = LONG.replace(",", separator)
    assert value_of(inspect(text), "separator") == name
    assert values(read(text)) == EXPECTED


@pytest.mark.pitfall(7)
def test_blanks_within_names_do_not_separate():
    text = "id,right hand,label\nthe first,1.5,to walk\nthe first,2.5,to walk\nthe other,3.5,to run\n"
    assert value_of(inspect(text), "separator") == ","
    text = "0,5 0,7 walk\n0,6 0,9 walk\n1,5 1,7 run\n1,5 1,25 run\n"
    assert value_of(inspect(text), "separator") == " "


@pytest.mark.pitfall(7)
def test_a_decimal_comma_between_semicolons():
    text = LONG.replace(",", ";").replace(".", ",")
    assert value_of(inspect(text), "decimal") == ","
    assert values(read(text)) == EXPECTED


@pytest.mark.pitfall(7)
@pytest.mark.parametrize(
    ("cells", "marks"),
    [
        (["1.234,5", "2,5", "-1.234.567,25"], (",", ".")),
        (["1'234.5", "2.5", "-1'234'567.25"], (".", "'")),
        (["1 234,5", "2,5", "-1 234 567,25"], (",", " ")),
    ],
)
def test_marks_between_thousands_are_taken_away_and_told(cells, marks):
    text = "id;time;x;label\n" + "".join(f"a;{place};{cell};w\n" for place, cell in enumerate(cells))
    found = inspect(text)
    assert (value_of(found, "decimal"), value_of(found, "thousands")) == marks
    assert values(read(text)) == [[[1234.5, 2.5, -1234567.25]]]
    assert "Thousands are marked by" in texts(text)


@pytest.mark.pitfall(7)
def test_quoted_english_thousands_between_commas():
    text = 'id,time,x,label\na,0,"1,234.5",w\na,1,2.5,w\n'
    assert values(read(text)) == [[[1234.5, 2.5]]]


@pytest.mark.pitfall(7)
def test_a_comma_that_may_as_well_mark_thousands_is_a_warning_and_can_be_changed():
    text = "id;time;x;label\na;0;1,234;w\na;1;12,500;w\nb;0;7;r\n"
    assert values(read(text))[0] == [[pytest.approx(1.234), 12.5]]
    line = next(line for line in told(text) if line.kind == "warning" and line.choice == "thousands")
    assert "may as well mark thousands" in line.text
    changed = {"decimal": ".", "thousands": ","}
    assert values(read(text, **changed)) == [[[1234, 12500]], [[7]]]
    assert not [line for line in told(text, **changed) if "may as well" in line.text]


@pytest.mark.pitfall(7)
def test_a_point_where_a_comma_is_the_decimal_mark_is_refused_rather_than_misread():
    error = refused("id;time;x;label\na;0;1,5;w\na;1;1.5;w\na;2;2,25;w\n", decimal=",")
    assert error.problem.startswith("'1.5' is not a number")


@pytest.mark.pitfall(7)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_encodings(encoding):
    made = read(LONG.replace("walk", "größer").encode(encoding))
    assert values(made) == EXPECTED
    assert made.class_names == ("größer", "run")
    assert made.series_ids == ("a", "b")


@pytest.mark.pitfall(7)
def test_western_text_is_read_and_told():
    content = "id,time,größe,label\na,0,1,w\na,1,2,w\n".encode("latin-1")
    assert read(content).channel_names == ("größe",)
    assert "The text is not UTF-8; read as Western" in texts(content)
    assert read(content, encoding="latin-1").channel_names == ("größe",)
    assert "cannot be read as utf-8" in refused(content, encoding="utf-8").problem


@pytest.mark.pitfall(7)
@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends_of_other_systems(ending):
    assert values(read(LONG.replace("\n", ending))) == EXPECTED


@pytest.mark.pitfall(6)
@pytest.mark.parametrize("first", [",", "Unnamed: 0,"])
def test_an_unnamed_column_that_numbers_the_rows_is_left_out_and_told(first):
    rows = [line if not index else f"{index - 1},{line}" for index, line in enumerate(LONG.splitlines())]
    text = "\n".join([first + rows[0], *rows[1:]])
    assert read(text).channel_names == ("x",)
    assert "is left out: it has no name and merely numbers the rows" in texts(text)


@pytest.mark.pitfall(6)
def test_a_header_that_is_one_name_short_as_r_writes_it():
    text = '"time" "x" "y"\n"1" 0 1 4\n"2" 1 2 5\n"3" 2 3 6\n'
    assert read(text).channel_names == ("x", "y")
    assert "The header is one name short" in texts(text)


def test_rows_that_end_with_a_separator():
    text = LONG.replace("walk\n", "walk,\n").replace("run\n", "run,\n")
    assert values(read(text)) == EXPECTED


def test_comments_before_the_header_count_as_rows():
    assert values(read("# recorded in May\n# by us\n" + LONG)) == EXPECTED
    error = refused("# recorded in May\n# by us\n" + LONG.replace("2.5", "two"))
    assert error.where == "data/file.csv, row 5, column 'x'"


def test_line_ends_of_several_systems_in_one_file():
    text = LONG.replace("walk\n", "walk\r").replace("run\n", "run\r\n")
    assert values(read(text)) == EXPECTED


def test_excels_separator_note():
    assert values(read("sep=;\n" + LONG.replace(",", ";"))) == EXPECTED


@pytest.mark.pitfall(6)
def test_names_that_occur_twice_are_told_apart():
    text = "id,time,x,x,label\na,0,1,1,w\na,1,2,1,w\nb,0,2,1,r\n"
    assert read(text).channel_names == ("x", "x (2)")
    assert "Two columns are called 'x'; the later is called 'x (2)' here" in texts(text)


@pytest.mark.pitfall(6)
def test_a_header_that_was_taken_for_data_can_be_told():
    text = "1,2,3,4\n5,6,7,8\n9,6,7,8\n9,5,7,8\n"
    assert value_of(inspect(text), "has_header") is True  # 1, 2, 3, 4 count up
    assert len(read(text, has_header=False)) == 4
    assert len(read(text, has_header=True)) == 3


def test_what_is_given_is_not_guessed():
    assert value_of(inspect(LONG, separator=","), "separator") == ","
    assert "one column only" in refused(LONG, separator=";").problem


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b" \n\r\n\t", "empty"),
        (b"\xef\xbb\xbf\n", "empty"),
        (b"id,time,x,label\n", "no row of data"),
        (b"# only\n# comments\n", "no table"),
        (b"name\nPeter\nPaul\n", "one column only"),
        (b"a,b\n1,\x00\n", "neither text"),
        (b"\xff\xfeabc", "utf-16"),
    ],
)
def test_what_is_no_table_is_refused(content, message):
    error = refused(content)
    assert message in error.problem
    assert error.where == "data/file.csv"


def test_a_file_is_gone_through_once_however_often_it_is_looked_at():
    content = b"id,time,x,label\na,0,1,w\nb,0,2,r\n"
    opened = []

    def opener():
        opened.append(1)
        return io.BytesIO(content)

    source = Source("a.csv", len(content), opener)
    scan(source)
    once = len(opened)
    assert scan(source).n_lines == 4
    assert len(opened) == once
    assert scan(source, "latin-1").encoding == "latin-1"
    assert len(opened) > once
