import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from timemil_core.explain.evaluation.truth import flatness, ground_truth_scores


def test_flatness_of_flat_and_of_one_hot():
    assert flatness(np.full(50, 0.3)) == pytest.approx(1)
    assert flatness(np.eye(50)[7]) == 0


def test_flatness_by_hand():
    # Shares 1/2, 1/4, 1/4, 0: entropy 1.5 bits of 2.
    assert flatness(np.array([4.0, 2.0, 2.0, 0.0])) == pytest.approx(0.75)
    assert flatness(np.array([4.0, 2.0, 2.0, -5.0])) == pytest.approx(0.75)


@pytest.mark.parametrize("weights", [[0.2], [0.0, 0.0], [-1.0, -2.0]])
def test_flatness_where_nothing_can_stand_out(weights):
    assert flatness(np.array(weights)) == 1.0


@given(st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=1, max_size=30))
def test_flatness_lies_between_0_and_1_and_knows_no_scale(weights):
    values = np.array(weights)
    assert 0 <= flatness(values) <= 1
    assert flatness(values * 8) == pytest.approx(flatness(values), abs=1e-9)


def test_ground_truth_scores_by_hand():
    values = np.array([0.5, 0.4, 0.3, 0.2, -0.1])
    truth = np.array([True, False, True, False, False])
    scores = ground_truth_scores(values, truth)
    # Pairs (relevant, other): 0.5 beats three, 0.3 beats two of three. Hits at ranks 1 and 3.
    assert scores.auroc == pytest.approx(5 / 6)
    assert scores.average_precision == pytest.approx((1 / 1 + 2 / 3) / 2)
    assert scores.ndcg == pytest.approx(1 / (1 + 1 / math.log2(3)))
    assert scores.pointing_game is True
    assert scores.mass_inside == pytest.approx(0.8 / 1.4)
    assert scores.share_of_time == pytest.approx(0.4)


def test_a_flat_map_scores_what_chance_scores():
    truth = np.array([True, True, False, False, False, False, False, False])
    scores = ground_truth_scores(np.full(8, 0.1), truth)
    assert scores.auroc == pytest.approx(0.5)
    assert scores.average_precision == pytest.approx(0.25)
    assert scores.ndcg == pytest.approx(0.25)
    assert scores.mass_inside == pytest.approx(0.25)
    assert scores.pointing_game is False


def test_a_map_without_anything_positive_holds_no_mass():
    scores = ground_truth_scores(np.array([-1.0, -2.0]), np.array([True, False]))
    assert math.isnan(scores.mass_inside)
    assert scores.auroc == 1


@pytest.mark.parametrize("truth", [[True, True], [False, False]])
def test_there_is_no_score_without_two_kinds_of_time_points(truth):
    assert ground_truth_scores(np.array([0.1, 0.9]), np.array(truth)) is None
