"""``.ts`` files as the uploader reads them; ``tests/data/test_ts_files.py`` has the format itself."""

import json

import pytest

from tests.data.formats.reading import inspect, read, refused, told, values
from timemil_core.errors import DataError

HEADER = "#comment\n@problemName Toy\n@timestamps false\n@univariate false\n@equalLength false\n"
CLASSES = "@classLabel true Up Down\n@data\n"


@pytest.mark.pitfall(1)
def test_training_and_test_file_make_one_set():
    made = read(
        {
            "Toy_TEST.ts": HEADER + CLASSES + "7:8:up\n",
            "Toy_TRAIN.ts": HEADER + CLASSES + "1,2:3,4:up\n5:6:down\n",
        }
    )
    assert (made.name, made.class_names, made.split.tolist()) == ("Toy", ("Down", "Up"), ["train", "train", "test"])
    assert values(made) == [[[1, 2], [3, 4]], [[5], [6]], [[7], [8]]]
    assert made.series_ids == ("train 1", "train 2", "test 1")


@pytest.mark.pitfall(2)
def test_without_a_class_label():
    text = HEADER + "@classLabel false\n@data\n1,2:3,4\n5:6\n"
    made = read(text, name="Toy.ts")
    assert (values(made), made.class_names) == ([[[1, 2], [3, 4]], [[5], [6]]], ())
    assert any("names no classes" in line.text for line in inspect(text, name="Toy.ts").lines)


def test_a_ts_file_is_known_by_its_content():
    assert (
        inspect(HEADER + CLASSES + "1:2:up\n", name="toy.txt").title
        == "a .ts file of the UEA and UCR archives, a line a series"
    )


def test_pattern_locations_beside_it_are_instance_labels():
    files = {
        "Toy_TRAIN.ts": HEADER + CLASSES + "1,2,3:3,4,5:up\n",
        "Toy_TRAIN_metadata.json": json.dumps([{"signature_locations": [[1, 3]]}]),
    }
    assert [marks.tolist() for marks in read(files).instance_labels] == [[False, True, True]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER + "@targetlabel true\n@data\n1:2:0.5\n", "holds a number to predict"),
        (
            HEADER.replace("stamps false", "stamps true") + CLASSES + "(0,-1.5):(0,2.5):up\n",
            "a time stamp with each value",
        ),
        (HEADER + CLASSES + "1:two:up\n", "'two' is not a number"),
        (HEADER + CLASSES + "1,2:3:up\n", "differ in their number of values: 2, 1"),
        (HEADER + CLASSES, "holds no series"),
        (HEADER, "holds no series"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(DataError, match=message) as caught:
        read(text, name="Toy.ts")
    assert caught.value.where.startswith("Toy.ts")
    assert "TextIOWrapper" not in str(caught.value)


def test_the_error_of_one_of_two_files_names_it():
    files = {"T_TRAIN.ts": HEADER + CLASSES + "1:2:up\n", "T_TEST.ts": HEADER + CLASSES + "1:x:up\n"}
    assert refused(files).where == "T_TEST.ts, line 8, channel 2"
    assert len(read(files, bad_files="leave out")) == 1


BARE = "@problemName Toy\n@timeStamps false\n@univariate true\n"


def lines_of(text):
    return " ".join(str(line) for line in told(text, name="Toy.ts"))


@pytest.mark.pitfall(15)
def test_classes_that_differ_in_case_stay_apart():
    made = read(BARE + "@classLabel true A a J j\n@data\n1,2:A\n3,4:a\n5,6:J\n7,8:j\n", name="Toy.ts")
    assert [made.label_name(index) for index in range(4)] == ["A", "a", "J", "j"]


def test_a_class_in_another_spelling_than_the_headers_is_joined_and_told():
    text = BARE + "@classLabel true Up 1\n@data\n1,2:up\n3,4:1.0\n"
    assert read(text, name="Toy.ts").class_names == ("1", "Up")
    assert "Classes are spelled as in the header: '1.0' as '1', 'up' as 'Up'." in lines_of(text)


def test_without_a_word_on_classes_words_and_single_cells_behind_the_channels_are_classes():
    for labels in ("xy", "12"):
        text = BARE + f"@data\n1,2,3:{labels[0]}\n4,5,6:{labels[1]}\n"
        made = read(text, name="Toy.ts")
        assert (values(made), made.class_names) == ([[[1, 2, 3]], [[4, 5, 6]]], tuple(labels))
        assert "The header tells of no classes" in lines_of(text)
        assert "names no classes" not in lines_of(text)


@pytest.mark.parametrize("header", [BARE, BARE.replace("true", "false"), BARE + "@classLabel false\n"])
def test_without_classes_no_value_is_taken_for_one(header):
    made = read(header + "@data\n1,2,3\n4,5,6\n", name="Toy.ts")
    assert (values(made), made.class_names) == ([[[1, 2, 3]], [[4, 5, 6]]], ())


def test_a_line_that_ends_in_values_where_a_class_is_announced_asks_for_the_tag():
    error = refused(BARE + "@classLabel true a b\n@data\n1,2:a\n1,2:3,4\n", name="Toy.ts")
    assert error.where == "Toy.ts, line 7"
    assert "'@classLabel false'" in error.remedy
    assert "'@classLabel false'" in refused(BARE + "@classLabel true a\n@data\n1,2,3\n", name="Toy.ts").remedy


def test_comments_among_the_data_are_passed_over_and_rows_are_counted_with_them():
    text = BARE + "@classLabel true a b\n@data\n# here they come\n1,2:a\n\n#\n3,4:b\n"
    assert values(read(text, name="Toy.ts")) == [[[1, 2]], [[3, 4]]]
    assert refused(text + "1,x:a\n", name="Toy.ts").where == "Toy.ts, line 11, channel 1"


@pytest.mark.parametrize(
    ("tags", "rows", "said"),
    [
        ("@dimensions 3\n", "1,2:3,4:a\n5,6:7,8:b\n", "The header tells of 3 channels, the lines hold 2."),
        ("@univariate true\n", "1,2:3,4:a\n5,6:7,8:b\n", "The header tells of 1 channel, the lines hold 2."),
        ("@seriesLength 3\n", "1,2:a\n3,4:b\n", "The header tells of 3 time points, the lines hold 2."),
        (
            "@equalLength true\n",
            "1,2:a\n3:b\n",
            "The header tells of equal lengths, the lines hold 1 to 2 time points.",
        ),
        ("", "1,2:a\n3,4:c\n", "Lines hold classes that the header does not name: 'c'."),
    ],
)
def test_what_the_header_says_otherwise_than_the_lines_is_a_warning(tags, rows, said):
    lines = told(f"@problemName Toy\n{tags}@classLabel true a b\n@data\n{rows}", name="Toy.ts")
    assert said in [line.text for line in lines if line.kind == "warning"]


def test_labels_of_a_public_set_are_called_what_its_archive_says() -> None:
    text = "@univariate true\n@classLabel true 1 2\n@data\n1,2,3:1\n4,5,6:2\n7,8,9:1\n"
    made = read(text, name="GunPoint_TRAIN.ts")
    assert made.class_names == ("Gun", "Point")
    assert any("1 is 'Gun', 2 is 'Point'" in line.text for line in told(text, name="GunPoint_TRAIN.ts"))
