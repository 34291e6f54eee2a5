import json

import numpy as np
import pytest

from tests.data.builders import write_toy_ts
from timemil_core.data.files.source import from_path
from timemil_core.data.ts_files import peek_header, read_ts
from timemil_core.errors import DataError

TRAIN = "1,2,3:4,5,6:up\n7,8,9:1,1,1:down\n"
TEST = "0,0,0:2,2,2:Up\n"


def test_both_files_are_read_with_their_split_and_the_headers_spelling(tmp_path):
    made = read_ts(*write_toy_ts(tmp_path, TRAIN, TEST))
    assert made.name == "Toy"
    assert made.split.tolist() == ["train", "train", "test"]
    assert made.class_names == ("Down", "Up")
    assert [made.label_name(index) for index in range(3)] == ["Up", "Down", "Up"]
    assert made.series_ids == ("train 1", "train 2", "test 1")
    np.testing.assert_array_equal(made.series[0], [[1, 2, 3], [4, 5, 6]])


def test_padding_of_missing_values_is_cut_off_and_told(tmp_path):
    made = read_ts(*write_toy_ts(tmp_path, "1,?,3,?:4,5,NaN,NaN:up\n7,8,9,1:1,1,1,1:down\n", TEST, equal=False))
    np.testing.assert_array_equal(made.series[0], [[1, np.nan, 3], [4, 5, np.nan]])
    assert made.lengths.tolist() == [3, 4, 3]
    assert any("1 series were cut off" in sentence for sentence in made.provenance)


def test_the_training_file_alone_will_do(tmp_path):
    train, _ = write_toy_ts(tmp_path, TRAIN, TEST)
    assert read_ts(train).split.tolist() == ["train", "train"]


def test_the_header_is_read_alone(tmp_path):
    train, _ = write_toy_ts(tmp_path, TRAIN, TEST)
    header = peek_header(from_path(train))
    assert header.class_names == ("Up", "Down")
    assert (header.n_channels, header.length, header.is_regression) == (None, None, False)


def test_signature_locations_become_instance_labels(tmp_path):
    train, test = write_toy_ts(tmp_path, TRAIN, TEST)
    for path, entries in ((train, [[[0, 2]], []]), (test, [[[1, 1]]])):
        content = [{"signature_locations": pairs} for pairs in entries]
        path.with_name(f"{path.stem}_metadata.json").write_text(json.dumps(content))
    made = read_ts(train, test)
    assert [truth.tolist() for truth in made.instance_labels] == [
        [True, True, False],  # the end is left out
        [False, False, False],
        [False, True, False],  # equal ends are one point
    ]


def test_signature_locations_of_one_file_only_are_left_out_and_told(tmp_path):
    train, test = write_toy_ts(tmp_path, TRAIN, TEST)
    content = [{"signature_locations": []}] * 2
    train.with_name("Toy_TRAIN_metadata.json").write_text(json.dumps(content))
    made = read_ts(train, test)
    assert made.instance_labels is None
    assert any("left out" in sentence for sentence in made.provenance)


@pytest.mark.parametrize(
    "content", ["not json", "[]", '[{"signature_locations": [[0, 9]]}, {}]', '[{"signature_locations": [[1]]}, {}]']
)
def test_metadata_that_does_not_fit_is_refused(tmp_path, content):
    train, _ = write_toy_ts(tmp_path, TRAIN, TEST)
    train.with_name("Toy_TRAIN_metadata.json").write_text(content)
    with pytest.raises(DataError) as caught:
        read_ts(train)
    assert "Toy_TRAIN_metadata.json" in caught.value.where


@pytest.mark.parametrize("rows", ["", "1,2,x:4,5,6:up\n", "1,2:4,5,6:up\n", "1,2,3:4,5,6:up\n1,2,3:up\n"])
def test_a_broken_file_is_refused_by_name(tmp_path, rows):
    train, _ = write_toy_ts(tmp_path, rows, TEST)
    with pytest.raises(DataError) as caught:
        read_ts(train)
    assert caught.value.where.startswith("Toy_TRAIN.ts")


def test_a_regression_file_is_refused(tmp_path):
    path = tmp_path / "R_TRAIN.ts"
    path.write_text("@problemName R\n@univariate true\n@equalLength true\n@targetLabel true\n@data\n1,2:0.5\n")
    with pytest.raises(DataError, match="not classes"):
        read_ts(path)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_ts(tmp_path / "nowhere_TRAIN.ts")
