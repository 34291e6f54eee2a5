import numpy as np
import pytest

from timemil_core.explain.deletion import aopc, deletion_scores, insertion_scores, mean_rise
from timemil_core.explain.evaluation.fillers import interpolation
from timemil_core.explain.evaluation.places import elsewhere, importance_order
from timemil_core.explain.question import Question

CLASS_0 = Question(0, None, "first", None)


def sum_score(weights):
    """Class 0's logit is weights · series, class 1's is minus that."""

    def score(copies):
        logit = copies[:, 0].astype(float) @ weights
        return np.stack([logit, -logit], axis=1)

    return score


def zero(prepared, removed):
    return np.where(removed[:, None, :], 0.0, prepared[None]).astype(np.float32)


def pulse():
    series = np.zeros((1, 100), dtype=np.float32)
    series[0, 40:50] = 1
    return series


def test_curve_of_a_linear_score_by_hand():
    series = np.array([[4.0, 3.0, 2.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0]], dtype=np.float32)
    scores = deletion_scores(sum_score(np.ones(10)), series, series[0], CLASS_0, zero, n_random=20, n_steps=5)
    np.testing.assert_allclose(scores.shares, [0, 0.1, 0.2, 0.3, 0.4, 0.5])
    np.testing.assert_allclose(scores.curve, [10.5, 6.5, 3.5, 1.5, 0.5, 0])
    # Falls 0, 4, 7, 9, 10, 10.5; trapezoids of equal width: (0 / 2 + 4 + 7 + 9 + 10 + 10.5 / 2) / 5.
    assert scores.area == pytest.approx(7.05)
    assert np.all(scores.random_curves[:, 0] == 10.5)


def test_comprehensiveness_and_sufficiency_by_hand():
    series = np.array([[1.0, 0.5, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], dtype=np.float32)
    scores = deletion_scores(sum_score(np.ones(10)), series, series[0], CLASS_0, zero)

    def chance(logit):  # sigmoids of logit and −logit sum to 1
        return 1 / (1 + np.exp(-logit))

    assert scores.comprehensiveness == pytest.approx(chance(1.75) - chance(0.25), abs=1e-6)
    assert scores.sufficiency == pytest.approx(chance(1.75) - chance(1.5), abs=1e-6)


def test_the_true_map_beats_every_random_place_and_its_opposite_none():
    series, score = pulse(), sum_score(np.ones(100))
    true = deletion_scores(score, series, series[0], CLASS_0, interpolation)
    opposite = deletion_scores(score, series, -series[0], CLASS_0, zero)
    assert np.all(true.area > true.random_areas)
    assert not np.any(opposite.area > opposite.random_areas)


@pytest.mark.parametrize("curves", [deletion_scores, insertion_scores])
def test_a_random_smooth_map_lies_within_the_band_of_random_places(curves):
    generator = np.random.default_rng(0)
    series, score = pulse(), sum_score(np.ones(100))
    ranks = []
    for seed in range(30):
        smooth = np.convolve(generator.normal(size=120), np.ones(21), mode="valid")
        scores = curves(score, series, smooth, CLASS_0, zero, seed=seed)
        ranks.append(scores.rank)
    assert 0.3 < np.mean(ranks) < 0.7
    assert np.mean(np.array(ranks) >= 0.95) < 0.3


def test_equal_values_are_removed_by_chance_not_by_time():
    order = importance_order(np.zeros(50), np.random.default_rng(0))
    assert sorted(order) == list(range(50))
    assert list(order) != list(range(50))
    assert importance_order(np.array([0.1, 0.9, -2.0]), np.random.default_rng(0)).tolist() == [1, 0, 2]


@pytest.mark.parametrize("curves", [deletion_scores, insertion_scores])
def test_a_model_that_likes_long_stretches_does_not_flatter_smooth_maps(curves):
    generator = np.random.default_rng(0)
    series = (2 + generator.normal(size=(1, 60))).astype(np.float32)

    def score(copies):  # grows faster than the stretch of 20 time points that has most of it left
        stretches = np.lib.stride_tricks.sliding_window_view(copies[:, 0].astype(float), 20, axis=1).sum(axis=2)
        most = stretches.max(axis=1) ** 2
        return np.stack([most, -most], axis=1)

    ranks = []
    for seed in range(200):
        smooth = np.convolve(generator.normal(size=66), np.ones(7), mode="valid")
        ranks.append(curves(score, series, smooth, CLASS_0, zero, seed=seed, n_steps=5).rank)
    assert np.mean(np.array(ranks) >= 0.95) < 0.16  # 2 in 21 are due, about 19 of 200; more than 31 in 1 of 200 cases


def test_other_places_keep_how_a_map_is_made():
    order = importance_order(np.array([0.0, 9, 8, 0.5, 0.2]), np.random.default_rng(0))  # 1 2 3 4 0
    found = {tuple(map(int, one)) for one in elsewhere(order, 100, np.random.default_rng(1))}
    moved = {(2, 3, 4, 0, 1), (3, 4, 0, 1, 2), (4, 0, 1, 2, 3), (0, 1, 2, 3, 4)}
    turned = {(4, 3, 2, 1, 0), (0, 4, 3, 2, 1), (1, 0, 4, 3, 2), (2, 1, 0, 4, 3), (3, 2, 1, 0, 4)}
    assert found == moved | turned


def test_places_are_drawn_without_repeating_one():
    order = importance_order(np.arange(30.0), np.random.default_rng(0))
    found = elsewhere(order, 20, np.random.default_rng(1))
    assert len({tuple(one) for one in found}) == 20
    assert all(sorted(one) == list(range(30)) for one in found)


def test_a_series_of_one_time_point_has_no_other_place_and_beats_none():
    scores = deletion_scores(sum_score(np.ones(1)), np.ones((1, 1), np.float32), np.ones(1), CLASS_0, zero)
    assert scores.n_beaten == 0
    assert scores.chance == 1


def test_mean_rise_of_a_straight_line_is_half_its_end():
    shares = np.linspace(0, 0.5, 5)
    np.testing.assert_allclose(mean_rise(shares, np.array([5 - 4 * shares, 5 + 0 * shares])), [-1.0, 0.0])


def test_aopcr_by_hand():
    # Falls 0, 4, 7, 9, 10, 10.5 of the test above, over K + 1 = 6.
    series = np.array([[4.0, 3.0, 2.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0]], dtype=np.float32)
    assert aopc(np.array([10.5, 6.5, 3.5, 1.5, 0.5, 0])) == pytest.approx(40.5 / 6)
    scores = deletion_scores(sum_score(np.ones(10)), series, series[0], CLASS_0, zero, n_random=3, n_steps=5)
    random = np.mean([np.mean(curve[0] - curve) for curve in scores.random_curves])
    assert scores.aopcr == pytest.approx(40.5 / 6 - random)


def test_insertion_of_a_linear_score_by_hand():
    series = np.array([[4.0, 3.0, 2.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0]], dtype=np.float32)
    scores = insertion_scores(sum_score(np.ones(10)), series, series[0], CLASS_0, zero, n_steps=5)
    np.testing.assert_allclose(scores.curve, [0, 4, 7, 9, 10, 10.5])
    assert scores.area == pytest.approx(7.05)
    assert np.all(scores.area >= scores.random_areas)
    opposite = insertion_scores(sum_score(np.ones(10)), series, -series[0], CLASS_0, zero, n_steps=5)
    assert opposite.area < opposite.random_areas.mean()


def test_of_a_contrast_the_difference_of_two_logits_is_watched():
    series, score = pulse(), sum_score(np.ones(100))
    one = deletion_scores(score, series, series[0], CLASS_0, zero)
    two = deletion_scores(score, series, series[0], Question(0, 1, "first", "second"), zero)
    np.testing.assert_allclose(two.curve, 2 * one.curve)  # class 1's logit is minus class 0's


def test_the_same_seed_gives_the_same_scores():
    series, score = pulse(), sum_score(np.ones(100))
    first, second = (deletion_scores(score, series, series[0], CLASS_0, interpolation, seed=4) for _ in range(2))
    np.testing.assert_array_equal(first.random_curves, second.random_curves)
