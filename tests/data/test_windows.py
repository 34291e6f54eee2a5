import numpy as np
import pytest

from tests.data.builders import small_set
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.splitting import with_split
from timemil_core.data.timestamps import Timestamps
from timemil_core.data.windows import cut_into_windows, majority_label
from timemil_core.errors import DataError


def recordings(*lengths: int, **changes: object) -> SeriesSet:
    """One channel that counts time points, classes in turn, marks at even time points."""
    n = len(lengths)
    content: dict[str, object] = {
        "series": tuple(np.arange(length, dtype=np.float32)[None] for length in lengths),
        "labels": np.arange(n) % 2,
        "series_ids": tuple("abcdef"[:n]),
        "channel_names": ("sensor",),
        "split": np.full(n, "train"),
        "instance_labels": tuple(np.arange(length) % 2 == 0 for length in lengths),
    }
    return small_set(**{**content, **changes})


def test_windows_hold_the_values_between_their_ends():
    made = cut_into_windows(recordings(10, 4), length=4, step=3)
    assert [values[0].tolist() for values in made.series] == [[0, 1, 2, 3], [3, 4, 5, 6], [6, 7, 8, 9], [0, 1, 2, 3]]
    assert made.series_ids == ("a @0", "a @3", "a @6", "b @0")
    assert made.labels.tolist() == [0, 0, 0, 1]
    assert made.instance_labels is not None
    assert made.instance_labels[1].tolist() == [False, True, False, True]


def test_what_is_left_out_is_told():
    made = cut_into_windows(recordings(11, 3), length=4)
    assert [values.shape[1] for values in made.series] == [4, 4, 3]
    assert made.provenance[-3:] == (
        "2 series were cut into 3 windows of 4 time points, without overlap; windows take their series' class, and "
        "windows of one recording stay on one side of a split.",
        "3 time points behind the last full windows were left out.",
        "1 series shorter than a window stay whole.",
    )


@pytest.mark.pitfall(17)
def test_windows_of_one_recording_never_fall_on_both_sides():
    made = cut_into_windows(recordings(40, 40, 40, 40, 40, 40), length=8, step=2)
    assert made.groups is not None
    assert set(made.groups) == set("abcdef")
    for in_order in (False, True):
        divided = with_split(made, 0.3, in_order=in_order)
        sides = [{made.groups[index] for index in divided.indices(side)} for side in ("train", "test")]
        assert all(sides)
        assert not sides[0] & sides[1]


def test_the_groups_of_a_set_outrank_its_recordings():
    made = cut_into_windows(recordings(4, 4, groups=("ann", "ann")), length=2)
    assert made.groups == ("ann",) * 4


@pytest.mark.pitfall(2)
def test_windows_take_the_class_of_most_of_their_annotated_points():
    annotated = [np.array([0, 0, 1, 1, 1, -1, -1, -1]), np.array([-1, -1, 1, 0])]
    made = cut_into_windows(recordings(8, 4), length=4, point_labels=annotated)
    assert made.labels.tolist() == [0, 1, 0]  # of equals, the first class
    assert made.instance_labels is not None
    assert made.instance_labels[0].tolist() == [True, True, False, False]
    assert made.instance_labels[1].tolist() == [True, False, False, False]


def test_a_window_without_an_annotated_point_has_no_class():
    made = cut_into_windows(recordings(4), length=2, point_labels=[np.array([1, 1, -1, -1])])
    assert made.labels.tolist() == [1, -1]
    assert made.instance_labels is not None
    assert not made.instance_labels[1].any()


def test_a_majority_without_votes_is_unknown():
    assert majority_label(np.array([-1, -1])) == -1
    assert majority_label(np.array([2, -1, 0, 2])) == 2


def test_times_are_cut_with_their_values():
    times = Timestamps((np.array([0.0, 1.0, 4.0, 9.0]),), unit=1.0)
    made = cut_into_windows(recordings(4, timestamps=times, sampling_rate=None), length=2)
    assert made.timestamps is not None
    assert [one.tolist() for one in made.timestamps.values] == [[0.0, 1.0], [4.0, 9.0]]


def test_impossible_windows_are_refused():
    with pytest.raises(DataError, match="at least 1"):
        cut_into_windows(recordings(4), length=0)
    with pytest.raises(DataError, match="larger step"):
        cut_into_windows(recordings(2_000_000), length=2, step=1)
