import numpy as np
import pytest

from timemil_core.explain.evaluation.places import first_of, importance_order, in_relative_time, other_places


def generator() -> np.random.Generator:
    return np.random.default_rng(0)


def test_a_place_is_the_same_map_moved_or_turned_round_and_moved():
    order = importance_order(np.array([0.0, 5, 4, 0, 0, 0]) + np.arange(6) * 1e-3, generator())
    places = other_places(order, 100, generator())
    assert len(places.orders) == 11  # 2 T - 1: all there are
    marked = {tuple(sorted(one[:2].tolist())) for one in places.orders}
    assert marked == {(a, (a + 1) % 6) if a < 5 else (0, 5) for a in range(6)}
    assert all(sorted(one.tolist()) == list(range(6)) for one in places.orders)


def test_the_distance_is_how_far_the_marks_have_gone():
    values = np.zeros(50)
    values[10] = 1
    order = importance_order(values + 1e-3 * np.exp(-0.1 * (np.arange(50) - 10.0) ** 2), generator())
    places = other_places(order, 99, generator())
    moved = np.array([one[0] for one in places.orders]) - 10
    expected = np.minimum(moved % 50, -moved % 50)
    assert places.distances == pytest.approx(
        expected, abs=1 + 1e-9
    )  # an even number of marks has its middle between two


def test_few_places_are_the_first_of_more():
    order = np.arange(40)
    few, many = (other_places(order, n, generator()) for n in (5, 30))
    assert np.array_equal(few.orders, many.orders[:5])


def test_steps_take_the_first_so_many():
    assert first_of(np.array([2, 0, 1]), np.array([1, 2])).tolist() == [[False, False, True], [True, False, True]]


def test_another_series_map_is_stretched_to_the_same_share_of_time():
    short = np.array([0.0, 1.0])
    assert in_relative_time(short, 2) is not None
    assert in_relative_time(short, 4) == pytest.approx([0, 0.25, 0.75, 1])
    assert in_relative_time(np.array([0.0, 0, 1, 1]), 2) == pytest.approx([0, 1])
