import numpy as np
import pytest

from timemil_core.explain.evaluation.attainable import Attainable, Concentration, search
from timemil_core.explain.evaluation.curves import Removals
from timemil_core.explain.evaluation.fillers import Donors
from timemil_core.explain.question import Question


def removals(weights):
    def score(copies):
        return np.stack([(copies[:, 0] * weights).sum(axis=1).astype(float)] * 2, axis=1)

    donors = Donors((np.zeros((1, 100), np.float32),))
    return Removals(score, np.ones((1, 100), np.float32), Question(0, None, "A", None), ("other series",), donors)


def test_the_search_takes_the_place_that_the_logit_hangs_on_first():
    weights = np.full(100, 0.01)
    weights[40:50] = 1
    found = search(removals(weights))
    assert found.values[40:50].min() > found.values[:40].max()
    assert found.best_tenth == pytest.approx(10) and found.logit == pytest.approx(10.9)
    held = Concentration.over([found])
    assert held.in_one_place and held.best_tenth == pytest.approx(10 / 10.9)
    assert held.random_tenth < 0.2


def test_evidence_that_lies_everywhere_is_spread():
    held = Concentration.over([search(removals(np.full(100, 0.05)))])
    assert held.best_tenth == pytest.approx(0.1) == held.random_tenth
    assert not held.in_one_place


def test_shares_are_added_up_over_series():
    some = [Attainable(np.zeros(1), 3.0, 1.0, 4.0), Attainable(np.zeros(1), 0.0, 0.0, 6.0)]
    assert Concentration.over(some) == Concentration(0.3, 0.1)
    assert Concentration.over([Attainable(np.zeros(1), 0.0, 0.0, 0.0)]) == Concentration(0.0, 0.0)
