from dataclasses import replace

import numpy as np
import pytest

from tests.data.checks.builders import FOLDER, read
from timemil_core.data.checks import report
from timemil_core.data.files.choices import Choice
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.shaping import shape
from timemil_core.data.timestamps import Timestamps
from timemil_core.errors import DataError

FILES = sorted(path.name for path in FOLDER.glob("*.csv"))


def choice(series_set: SeriesSet, name: str) -> Choice:
    return next(one for one in shape(series_set).choices if one.name == name)


def warned_of(series_set: SeriesSet, fragment: str) -> bool:
    return any(fragment in line.text for line in report(series_set) if line.kind == "warning")


@pytest.mark.parametrize("filename", FILES)
def test_without_a_choice_the_set_stays_as_it_is(filename):
    series_set = read(filename)
    assert shape(series_set).series_set is series_set


@pytest.mark.parametrize("filename", FILES)
def test_every_choice_that_a_report_points_to_is_there(filename):
    series_set = read(filename)
    offered = {one.name for one in shape(series_set).choices}
    assert {line.choice for line in report(series_set)} - {""} <= offered


@pytest.mark.parametrize(
    ("filename", "given", "fragment"),
    [
        ("19_label_left_in.csv", {"channels": ("speed",)}, "looks like the label"),
        ("19_time_left_in.csv", {"channels": ("speed",)}, "counts up"),
        ("13_constant_channel.csv", {"channels": ("speed",)}, "throughout all series ("),
        ("11_sentinel.csv", {"sentinels": ("9999",)}, "sign for a missing value"),
        ("10_padded_ends.csv", {"trim_ends": True}, "as padding does"),
        ("09_unequal_steps.csv", {"rate": 10.0}, "Steps between time points are unequal"),
        ("18_copies.csv", {"copies": "test"}, "exact copies of training series"),
        ("16_one_class.csv", {"split": "in order"}, "no test part"),
        ("16_class_only_in_test.csv", {"split": "by class", "test_share": 50.0}, "Only in the test part"),
        ("26_epoch_among_channels.csv", {"channels": ("speed",)}, "float32"),
    ],
)
def test_a_choice_mends_what_was_warned_of(filename, given, fragment):
    series_set = read(filename)
    assert warned_of(series_set, fragment)
    shaped = shape(series_set, given).series_set
    assert not warned_of(shaped, fragment)
    assert len(shaped.provenance) > len(series_set.provenance)


@pytest.mark.pitfall(17)
def test_groups_from_ids_and_a_split_by_them():
    series_set = read("17_subject_on_both_sides.csv")
    source = next(iter(choice(series_set, "groups").options))
    shaped = shape(series_set, {"groups": source, "split": "by class"}).series_set
    assert shaped.groups == ("ann",) * 3 + ("bob",) * 3 + ("cy",) * 2
    sides = [{shaped.groups[index] for index in shaped.indices(part)} for part in ("train", "test")]
    assert all(sides)
    assert not sides[0] & sides[1]
    assert not warned_of(shaped, "both sides")


def test_a_channel_can_name_the_groups_and_then_be_left_out():
    base = read("19_id_left_in.csv")
    series = tuple(np.stack([one[0], np.full_like(one[0], index // 2)]) for index, one in enumerate(base.series))
    subjects = replace(base, series=series)
    shaped = shape(subjects, {"groups": "channel number", "channels": ("speed",)}).series_set
    assert shaped.groups == ("0", "0", "1", "1", "2", "2")
    assert shaped.channel_names == ("speed",)
    assert shaped.series[3].shape == (1, 6)


def test_known_groups_are_the_choice_that_holds_and_can_be_given_up():
    base = replace(read("17_subject_on_both_sides.csv"), groups=("x",) * 4 + ("y",) * 4)
    held = choice(base, "groups")
    assert held.value == "own"
    assert shape(base, {"groups": None}).series_set.groups is None
    alone = replace(base, groups=("x",) * 8)
    assert choice(alone, "groups").value == "own"
    assert shape(alone).series_set is alone


def test_units_windows_and_lengths():
    base = read("00_nothing_wrong.csv")
    timed = shape(base, {"step": 20.0, "step_unit": "milliseconds"}).series_set
    assert timed.sampling_rate == 50.0
    cut = shape(base, {"window": 5.0, "window_step": 3.0}).series_set
    assert (len(cut), cut.lengths.max()) == (48, 5)
    assert cut.groups is not None
    assert len(set(cut.groups)) == 16
    uneven = replace(base, series=(base.series[0][:, :8], *base.series[1:]))
    assert set(shape(uneven, {"lengths": "truncate"}).series_set.lengths) == {8}
    assert set(shape(uneven, {"lengths": "stretch"}).series_set.lengths) == {12}


def test_the_unit_of_a_time_column_is_asked_for_and_then_resampling_is_offered():
    times = Timestamps(tuple(np.cumsum([0.0, *[100, 300] * 5, 100]) for _ in range(16)))
    base = replace(read("00_nothing_wrong.csv"), timestamps=times)
    assert "rate" not in {one.name for one in shape(base).choices}
    shaped = shape(base, {"time_unit": "milliseconds", "rate": 10.0}).series_set
    assert (shaped.sampling_rate, shaped.timestamps) == (10.0, None)
    assert set(shaped.lengths) == {22}


def test_channels_can_be_reordered():
    series_set = read("21_channels_swapped.csv")
    shaped = shape(series_set, {"channels": ("left", "right")}).series_set
    assert shaped.channel_names == ("left", "right")
    np.testing.assert_array_equal(shaped.series[2], series_set.series[2][[1, 0]])
    assert "reordered" in shaped.provenance[-1]


def test_one_of_each_copy_is_kept_and_training_series_first():
    series_set = read("18_copies.csv")
    assert shape(series_set, {"copies": "all"}).series_set.series_ids == ("s1", "s2", "s3", "s4", "s6", "s8")
    assert shape(series_set, {"copies": "test"}).series_set.series_ids == ("s1", "s2", "s3", "s4", "s5", "s6", "s8")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"colour": "red"}, "no choice 'colour'"),
        ({"channels": ()}, "at least one"),
        ({"channels": ("x",)}, "no 'x'"),
        ({"split": "by class", "test_share": 100.0}, "less than 100"),
        ({"split": "by mood"}, "by mood"),
        ({"window": -3.0}, "not a positive number"),
    ],
)
def test_a_choice_that_cannot_be_followed_is_refused(given, message):
    with pytest.raises(DataError, match=message):
        shape(read("00_nothing_wrong.csv"), given)
