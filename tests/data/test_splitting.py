from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.builders import small_set
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.splitting import last_indices, validation_indices, validation_report, with_split
from timemil_core.errors import DataError, SettingsError


def set_of(labels: list[int]) -> SeriesSet:
    n = len(labels)
    return small_set(
        series=tuple(np.full((2, 3), index, dtype=np.float32) for index in range(n)),
        labels=np.array(labels),
        class_names=tuple("abc"[: max(labels) + 1]),
        series_ids=tuple(str(index) for index in range(n)),
        split=np.full(n, "train"),
        instance_labels=None,
    )


def test_a_third_of_each_class_is_set_aside():
    fit, held_out = validation_indices(np.array([0] * 30 + [1] * 60), 1 / 3, seed=0)
    assert sorted([*fit, *held_out]) == list(range(90))
    assert (np.sum(held_out < 30), np.sum(held_out >= 30)) == (10, 20)


def test_the_seed_decides():
    labels = np.arange(60) % 3
    assert validation_indices(labels, 0.2, 1)[1].tolist() == validation_indices(labels, 0.2, 1)[1].tolist()
    assert validation_indices(labels, 0.2, 1)[1].tolist() != validation_indices(labels, 0.2, 2)[1].tolist()


@given(
    st.lists(st.integers(-1, 4), min_size=1, max_size=40),
    st.floats(0, 0.95),
    st.integers(0, 3),
    st.integers(1, 6) | st.none(),
)
def test_every_class_stays_to_fit_and_no_group_is_divided(labels, share, seed, n_groups):
    labels = np.array(labels)
    groups = None if n_groups is None else [str(index % n_groups) for index in range(len(labels))]
    fit, held_out = validation_indices(labels, share, seed, groups)
    assert sorted([*fit, *held_out]) == list(range(len(labels)))
    assert set(labels[fit]) == set(labels)
    if groups is not None:
        assert not {groups[index] for index in fit} & {groups[index] for index in held_out}


def test_twelve_series_of_three_classes_give_one_of_each():
    _, held_out = validation_indices(np.repeat([0, 1, 2], 4), 0.2, 0)
    assert sorted(np.repeat([0, 1, 2], 4)[held_out]) == [0, 1, 2]


def test_nothing_is_held_out_of_too_few():
    assert validation_indices(np.array([0, 0, 1, 1]), 0.2, 0)[1].size == 0
    assert validation_indices(np.array([0, 1, 2]), 0.5, 0)[1].size == 0
    assert validation_indices(np.array([0, 0]), 0.0, 0)[1].size == 0


def test_groups_give_about_the_share():
    groups = [str(index // 10) for index in range(100)]
    _, held_out = validation_indices(np.arange(100) % 2, 0.2, 0, groups)
    assert len(held_out) == 20
    assert len({groups[index] for index in held_out}) == 2


def test_one_group_cannot_be_divided():
    assert validation_indices(np.array([0, 1] * 10), 0.3, 0, ["same"] * 20)[1].size == 0


def test_a_share_beyond_one_is_refused():
    with pytest.raises(SettingsError):
        validation_indices(np.array([0, 1]), 1.0, 0)
    with pytest.raises(DataError, match="2 series, but 1 groups"):
        validation_indices(np.array([0, 1]), 0.5, 0, ["a"])


def test_a_set_gets_a_test_part_and_says_so():
    made = with_split(set_of([0, 1] * 10), 0.3, seed=4)
    assert len(made.indices("test")) == 6
    assert np.bincount(made.part("test").labels).tolist() == [3, 3]
    assert "6 of 20 series were set aside for testing, by class, seed 4." in made.provenance
    assert any("both sides" in sentence for sentence in made.provenance)


def test_a_class_of_one_stays_for_training_and_is_named():
    made = with_split(set_of([0] * 10 + [1] * 10 + [2]), 0.3)
    assert made.split[20] == "train"
    assert any("'c'" in sentence for sentence in made.provenance)


def test_a_set_split_by_group_says_so():
    made = with_split(set_of([0, 1] * 10), 0.25, groups=[str(index // 4) for index in range(20)])
    assert not any("both sides" in sentence for sentence in made.provenance)
    assert len(made.indices("test")) in (4, 8)


def test_groups_of_the_set_itself_are_kept_together_without_being_asked_for():
    subjects = tuple(f"subject {index // 4}" for index in range(20))
    made = with_split(replace(set_of([0, 1] * 10), groups=subjects), 0.25)
    assert made.groups == subjects
    sides = {side: {subjects[index] for index in made.indices(side)} for side in ("train", "test")}
    assert sides["test"]
    assert not sides["train"] & sides["test"]
    assert any("whole groups (1 of 5)" in sentence for sentence in made.provenance)


def test_in_order_the_last_series_are_for_testing():
    made = with_split(set_of([0, 1] * 10), 0.25, in_order=True)
    assert made.indices("test").tolist() == [15, 16, 17, 18, 19]
    assert "5 of 20 series were set aside for testing, the last ones in the set's order." in made.provenance


def test_in_order_whole_groups_are_taken_by_when_they_begin():
    groups = ["a", "a", "b", "a", "b", "c", "b", "c"]
    assert last_indices(8, 0.25, groups).tolist() == [5, 7]
    assert last_indices(8, 0.7, groups).tolist() == [2, 4, 5, 6, 7]
    assert last_indices(8, 0.99, groups).tolist() == [2, 4, 5, 6, 7]


def test_in_order_something_is_left_on_either_side():
    assert last_indices(3, 0.01).tolist() == [2]
    assert last_indices(3, 0.99).tolist() == [1, 2]
    assert last_indices(1, 0.5).tolist() == []
    assert last_indices(3, 0.0).tolist() == []


@pytest.mark.pitfall(17)
@pytest.mark.parametrize("in_order", [False, True])
def test_one_recording_is_never_divided(in_order):
    windows = replace(set_of([0, 1] * 10), groups=("night 1",) * 20)
    with pytest.raises(DataError, match="one group, 'night 1'"):
        with_split(windows, 0.3, in_order=in_order)


def test_a_set_too_small_to_split_is_refused():
    with pytest.raises(DataError, match="too few"):
        with_split(set_of([0, 1]), 0.3)


def test_the_report_counts_and_names_what_is_absent():
    labels = np.array([0, 0, 1])
    assert validation_report(labels, np.array([], dtype=np.int64), ("a", "b")).startswith("Too few")
    assert validation_report(labels, np.array([], dtype=np.int64), ("a", "b"), by_group=True).startswith(
        "Too few series or groups"
    )
    assert "in whole groups" in validation_report(labels, np.array([0, 2]), ("a", "b"), by_group=True)
    assert "none of 'b'" in validation_report(labels, np.array([0]), ("a", "b"))
    assert validation_report(labels, np.array([0, 2]), ("a", "b")) == (
        "2 of 3 training series were held out for validation."
    )
