"""``.ts`` files as the uploader reads them; ``tests/data/test_ts_files.py`` has the format itself."""

import json

import pytest

from tests.data.formats.reading import inspect, read, refused, values
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
    assert inspect(HEADER + CLASSES + "1:2:up\n", name="toy.txt").title == "a .ts file of the UEA and UCR archives"


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
        (HEADER.replace("stamps false", "stamps true") + CLASSES + "(0,-1.5):(0,2.5):up\n", "lose the signs"),
        (HEADER + CLASSES + "1:two:up\n", "not a .ts file that aeon can read"),
        (HEADER + CLASSES + "1,2:3:up\n", "not a .ts file that aeon can read"),
        (HEADER + CLASSES, "holds no series"),
        (HEADER, "holds no series"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(DataError, match=message) as caught:
        read(text, name="Toy.ts")
    assert caught.value.where == "Toy.ts"
    assert "TextIOWrapper" not in str(caught.value)


def test_the_error_of_one_of_two_files_names_it():
    files = {"T_TRAIN.ts": HEADER + CLASSES + "1:2:up\n", "T_TEST.ts": HEADER + CLASSES + "1:x:up\n"}
    assert refused(files).where == "T_TEST.ts"
    assert len(read(files, bad_files="leave out")) == 1
