"""Curves of a model whose logit is the sum of all values: each can be worked out by hand."""

import numpy as np
import pytest

from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.curves import Cell, Removals, aopcr, mean_rise, steps_within
from timemil_core.explain.evaluation.fillers import Donors
from timemil_core.explain.question import Question

QUESTION = Question(0, None, "A", None)
SERIES = np.array([[4.0, 0, 0, 0, 0, 0, 0, 0, 0, 1]], dtype=np.float32)
BEST = np.array([0, 9, 1, 2, 3, 4, 5, 6, 7, 8])


def summed(copies):
    total = copies.sum(axis=(1, 2)).astype(float)
    return np.stack([total, -total], axis=1)


def removals(**changes):
    settings = {"fillers": ("other series",), "donors": Donors((np.zeros((1, 5), np.float32),)), "shares": (0.1, 0.2)}
    return Removals(summed, SERIES, **{"question": QUESTION, **settings, **changes})


def test_deletion_falls_and_insertion_rises_by_what_is_taken():
    found = removals().curves([BEST, BEST[::-1]])
    assert found.cells == (Cell("other series", "deletion"), Cell("other series", "insertion"))
    assert found.numbers[0].tolist() == [[5, 1, 0], [5, 5, 5]]
    assert found.numbers[1].tolist() == [[0, 4, 5], [0, 0, 0]]
    # areas over the shares 0, .1, .2: (0 + 4) / 2 and (4 + 5) / 2, mean 3.25
    assert found.changes == pytest.approx(np.array([[3.25, 0], [3.25, 0]]))
    assert found.full == 5 and found.empty == {"other series": 0}
    assert found.probabilities[0, 0] == pytest.approx(1 / (1 + np.exp([-5.0, -1, 0])), abs=0.02)


def test_the_contrast_with_another_class_is_what_is_watched():
    found = removals(question=Question(0, 1, "A", "B")).curves([BEST])
    assert found.numbers[0].tolist() == [[10, 2, 0]]


def test_random_fillers_are_averaged_over_draws():
    noisy = removals(fillers=("noise",), n_draws=50, shares=(0.2,)).curves([BEST])
    alone = removals(fillers=("noise",), n_draws=1, shares=(0.2,)).curves([BEST])
    assert abs(noisy.numbers[0, 0, 1]) < abs(alone.numbers[0, 0, 1])


def test_aopcr_is_the_published_definition():
    # floor(s T) of 10 points for s = .05 … .5: 0 1 1 2 2 3 3 4 4 5; falls 0 4 4 5 5 5 5 5 5 5 = 43, over K + 1 = 11.
    nothing = removals()
    generator = np.random.default_rng(nothing.seed)
    counts = [0, 1, 1, 2, 2, 3, 3, 4, 4, 5]
    random = np.mean([sum(SERIES[0][order[:n]].sum() for n in counts) / 11
                      for order in (generator.permutation(10) for _ in range(3))])  # fmt: skip
    assert aopcr(nothing, BEST) == {"other series": pytest.approx(43 / 11 - random)}


def test_mean_rise_is_the_area_over_the_start():
    shares = np.array([0, 0.5, 1.0])
    assert mean_rise(shares, np.array([[1.0, 3, 3], [2.0, 2, 2]])) == pytest.approx([1.5, 0])


def test_long_series_are_tried_at_fewer_steps_and_draws():
    assert steps_within(100, 40, 2, 10**9) == ((0.05, 0.1, 0.2, 0.3), 3)
    assert steps_within(100, 40, 2, 40 * 2 * 4 * 2 * 100) == ((0.05, 0.1, 0.2, 0.3), 1)
    assert steps_within(10**6, 40, 2, 1) == ((0.2,), 1)


def test_something_has_to_stand_in_place():
    with pytest.raises(SettingsError, match="at least one filler"):
        removals(fillers=())
