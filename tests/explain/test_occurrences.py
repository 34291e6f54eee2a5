"""A planted shape is found where it is planted."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import DataError
from timemil_core.explain.occurrences import occurrences

SHAPE = np.array([[0.0, 8.0, -8.0, 8.0, 0.0]] * 2, dtype=np.float32)


def planted(at: dict[int, int]) -> SeriesSet:
    series_set = build_set()
    series = [one.copy() for one in series_set.series]
    for index, start in at.items():
        series[index][:, start : start + 5] = SHAPE
    return dataclasses.replace(series_set, series=tuple(series))


def test_a_shape_is_found_in_the_other_series_that_have_it_nearest_first() -> None:
    series_set = planted({2: 4, 5: 11, 9: 0})
    found = occurrences(build_model(), series_set, 2, (4, 9))
    assert {(one.index, one.place) for one in found[:2]} == {(5, (11, 16)), (9, (0, 5))}
    assert found[0].distance == pytest.approx(0, abs=1e-3)
    assert found[2].distance > 0.5
    assert len({one.index for one in found}) == len(found) == 10


def test_the_span_itself_and_what_overlaps_it_is_no_other_occurrence() -> None:
    found = occurrences(build_model(), planted({2: 4}), 2, (4, 9))
    assert all(one.place[0] >= 9 or one.place[1] <= 4 for one in found if one.index == 2)


def test_the_distance_is_in_standard_deviations_of_the_training_data() -> None:
    model, series_set = build_model(), planted({0: 0, 1: 3})
    moved = series_set.series[1].copy()
    moved[:, 3:8] += 2 * model.preparation.deviations[:, None].astype(np.float32)
    series_set = dataclasses.replace(series_set, series=(series_set.series[0], moved, *series_set.series[2:]))
    [found] = [one for one in occurrences(model, series_set, 0, (0, 5)) if one.place == (3, 8) and one.index == 1]
    assert found.distance == pytest.approx(2, rel=1e-3)


def test_a_span_of_two_points_is_no_shape() -> None:
    with pytest.raises(DataError, match="2 of the 3"):
        occurrences(build_model(), build_set(), 0, (0, 2))
