"""Stepping through series: which are kept by a filter, and which come before and after."""

from __future__ import annotations

import numpy as np
import pytest

from app.common.navigator import ALL, CLASS, TEST, WRONG, choices, matching, neighbours
from timemil_core.data.series_set import SeriesSet

NONE = np.empty(0, dtype=np.int64)


@pytest.fixture
def series_set() -> SeriesSet:
    return SeriesSet(
        name="small",
        series=tuple(np.zeros((1, 3), dtype=np.float32) for _ in range(4)),
        labels=np.array([0, 1, 0, -1]),
        class_names=("rest", "walk", "run"),
        series_ids=("a", "b", "c", "d"),
        channel_names=("x",),
        split=np.array(["train", "train", "test", "test"]),
    )


def test_filters_offered_are_those_that_can_match(series_set: SeriesSet) -> None:
    assert choices(series_set) == [ALL, TEST, WRONG, f"{CLASS}rest", f"{CLASS}walk"]
    assert TEST not in choices(series_set.part("train"))


@pytest.mark.parametrize(
    ("choice", "kept"),
    [(ALL, [0, 1, 2, 3]), (TEST, [2, 3]), (f"{CLASS}rest", [0, 2]), (WRONG, [1])],
)
def test_a_filter_keeps(series_set: SeriesSet, choice: str, kept: list[int]) -> None:
    assert matching(series_set, choice, np.array([1])).tolist() == kept


def test_nothing_wrong_keeps_nothing(series_set: SeriesSet) -> None:
    assert matching(series_set, WRONG, NONE).tolist() == []


@pytest.mark.parametrize(
    ("index", "around"), [(0, (None, 2)), (2, (0, 5)), (5, (2, None)), (3, (2, 5)), (9, (5, None))]
)
def test_neighbours_of_a_series_in_the_filter_or_not(index: int, around: tuple[int | None, int | None]) -> None:
    assert neighbours(np.array([0, 2, 5]), index) == around


def test_no_neighbours_where_nothing_is_kept() -> None:
    assert neighbours(NONE, 3) == (None, None)
