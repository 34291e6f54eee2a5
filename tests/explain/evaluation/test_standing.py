import numpy as np
import pytest

from timemil_core.explain.evaluation.standing import (
    Outcome,
    chance_of,
    level_of,
    standing_of,
    swap_chance_of,
)


def outcome(rank=0.95, excess=4.0, logit=8.0, swapped=(), can=True, cells=None, attainable=5.0):
    return Outcome(0, rank, excess, attainable, logit, can, cells or {"noise, deletion": rank}, tuple(swapped))


def own_is_best(n):
    return [outcome(swapped=[5.0 if column == row else 0.0 for column in range(n)]) for row in range(n)]


def test_ranks_over_series_are_held_against_uniform_numbers():
    assert chance_of(1, 0.9) == pytest.approx(0.1)
    assert chance_of(2, 0.9) == pytest.approx(0.2**2 / 2)  # the corner of a unit square beyond a sum of 1.8
    assert chance_of(8, 0.5) == pytest.approx(0.5)


def test_maps_that_are_all_alike_are_no_better_than_each_other():
    assert swap_chance_of(np.ones((6, 6))) == 1
    assert swap_chance_of(np.arange(36.0).reshape(6, 6) * 0 + np.arange(6)[:, None]) == 1
    assert swap_chance_of(np.eye(8)) < 0.01


def test_one_class_is_swapped_among_all_series():
    swapped = np.eye(8)
    swapped[4:] = 0
    assert swap_chance_of(swapped, np.arange(4)) < 0.02
    assert swap_chance_of(swapped, np.arange(4, 8)) == 1


def test_true_maps_of_eight_series_are_strong_with_their_effect_told():
    found = standing_of(own_is_best(8))
    assert found.level == "strong"
    assert (found.n_series, found.mean_rank, found.testable) == (8, pytest.approx(0.95), 1)
    assert found.of_logit == pytest.approx(0.5) and found.of_attainable == pytest.approx(0.8)
    assert found.excess == pytest.approx(4)


def test_a_map_that_only_knows_where_patterns_are_is_not_strong():
    alike = [outcome(swapped=[5.0] * 8) for _ in range(8)]
    found = standing_of(alike)
    assert (found.level, found.swap_chance) == ("mixed", 1)


@pytest.mark.parametrize(
    ("numbers", "level"),
    [
        ({}, "strong"),
        ({"chance": 0.051}, "none"),
        ({"chance": 0.051, "testable": 0.4}, "cannot be tested"),
        ({"testable": 0.4}, "mixed"),
        ({"swap_chance": 0.06}, "mixed"),
        ({"of_logit": 0.04}, "mixed"),
        ({"of_attainable": 0.09}, "mixed"),
        ({"weakest_rank": 0.5}, "mixed"),
        ({"n_series": 3}, "mixed"),
    ],
)
def test_levels(numbers, level):
    usual = {"n_series": 8, "chance": 0.01, "swap_chance": 0.01, "of_logit": 0.5, "of_attainable": 0.8}
    assert level_of(**{**usual, **numbers}) == level


def test_a_filler_by_which_maps_do_no_better_than_chance_is_named():
    cells = {
        "noise, deletion": 0.99,
        "noise, insertion": 0.99,
        "masked out, deletion": 0.3,
        "masked out, insertion": 0.5,
    }
    maps = [outcome(swapped=[5.0 if c == r else 0.0 for c in range(8)], cells=cells) for r in range(8)]
    found = standing_of(maps)
    assert (found.level, found.weakest, found.weakest_rank) == ("mixed", "masked out", pytest.approx(0.4))


def test_a_series_that_nothing_moves_does_not_outweigh_one_that_hangs_on_few_points():
    moved, unmoved = outcome(excess=4, logit=4, swapped=[1, 0]), outcome(excess=0, logit=0.1, swapped=[0, 1])
    assert standing_of([moved, unmoved]).of_logit == pytest.approx(4 / 4.1)
