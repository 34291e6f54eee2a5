from dataclasses import replace

import numpy as np
import pytest

from tests.data.builders import small_set
from timemil_core.data.bundled import load_bundled
from timemil_core.data.grouping import group_candidates, with_groups
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import DataError


def set_of(ids: list[str], second_channel: list[float] | None = None) -> SeriesSet:
    numbers = second_channel or [0.5] * len(ids)
    return small_set(
        series=tuple(np.array([[index, 1.0], [one, one]], dtype=np.float32) for index, one in enumerate(numbers)),
        labels=np.arange(len(ids)) % 2,
        series_ids=tuple(ids),
        split=np.full(len(ids), "train"),
        instance_labels=None,
    )


def test_parts_of_ids_are_offered():
    candidates = group_candidates(set_of(["ann_1_a", "ann_2_a", "ann_2_b", "bob_1_a"]))
    assert list(candidates.values()) == [("ann_1", "ann_2", "ann_2", "bob_1"), ("ann", "ann", "ann", "bob")]


def test_one_mark_gives_one_candidate():
    assert list(group_candidates(set_of(["a-1", "a-2", "b-1"])).values()) == [("a", "a", "b")]


def test_a_channel_that_keeps_a_whole_number_is_offered():
    candidates = group_candidates(set_of(["1", "2", "3", "4"], [7, 7, 7, 9]))
    assert candidates == {"channel right hand": ("7", "7", "7", "9")}


def test_windows_that_overlap_are_offered_as_groups():
    recording = np.random.default_rng(0).normal(size=(2, 60)).astype(np.float32)
    base = set_of(["1", "2", "3"])
    cut = replace(base, series=(recording[:, :30], recording[:, 20:50], recording[::-1, 20:50]))
    assert group_candidates(cut) == {"overlapping windows": ("1", "1", "3")}


def test_class_and_split_are_no_groups():
    assert group_candidates(set_of(["1", "2", "3", "4"], [3, 4, 3, 4])) == {}
    assert group_candidates(load_bundled("BasicMotions")) == {}


def test_ids_without_marks_or_all_different_offer_nothing():
    assert group_candidates(set_of(["a1", "b2", "c3"])) == {}
    assert group_candidates(set_of(["a_1", "b_1", "c_1"])) == {}
    assert group_candidates(set_of(["_1", "_2", "a_3"])) == {}


def test_the_groups_of_the_set_come_first():
    given = with_groups(set_of(["a_1", "a_2", "b_1"]), ["x", "y", "y"], "column 'subject'")
    assert next(iter(group_candidates(given).values())) == ("x", "y", "y")
    assert given.provenance[-1] == "Series belong to 2 groups (column 'subject')."


def test_groups_can_be_taken_away_and_must_fit():
    given = with_groups(set_of(["a_1", "a_2", "b_1"]), ["x", "y", "y"])
    assert with_groups(given, None).groups is None
    with pytest.raises(DataError, match="3 series, but 1 groups"):
        with_groups(given, ["x"])
