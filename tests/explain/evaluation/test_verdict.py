"""Verdicts of one series: a logit that hangs on one place, on none, and on all alike."""

import dataclasses

import numpy as np
import pytest

from tests.explain.builders import build_model, build_series
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.curves import Removals
from timemil_core.explain.evaluation.fillers import Donors
from timemil_core.explain.evaluation.verdict import (
    held_against_places,
    mid_rank,
    seed_of,
    series_verdict,
    standardised,
)
from timemil_core.explain.question import Question
from timemil_core.explain.windows import smoothed

T = 100
QUESTION = Question(0, None, "A", None)
NOTHING = Donors((np.zeros((1, T), np.float32),))


def hangs_on(start, stop, offset=0.0):
    def score(copies):
        return np.stack([copies[:, 0, start:stop].mean(axis=1).astype(float) * 4 + offset] * 2, axis=1)

    return Removals(score, np.ones((1, T), np.float32), QUESTION, ("other series",), NOTHING, shares=(0.1, 0.2))


def box(start, stop):
    values = np.zeros(T)
    values[start:stop] = 1
    return values


def test_the_true_place_is_beaten_by_none_that_lies_apart():
    verdict = held_against_places(hangs_on(30, 45), box(30, 45), 99)
    assert verdict.n_places == 99 and verdict.can_be_removed
    assert verdict.chance <= 0.05 and verdict.rank > 0.94
    assert verdict.n_as_good_apart == 0
    assert verdict.of_logit > 0.3


def test_a_wrong_place_is_as_good_as_any():
    verdict = held_against_places(hangs_on(30, 45), box(70, 85), 99)
    assert verdict.chance > 0.2 and verdict.excess <= 0
    assert verdict.n_as_good_apart > 10


def test_ranks_of_maps_that_mean_nothing_are_uniform():
    generator = np.random.default_rng(0)
    ranks = [
        held_against_places(
            dataclasses.replace(hangs_on(30, 45), seed=seed), smoothed(generator.standard_normal(T), 11), 39
        ).rank
        for seed in range(200)
    ]
    assert np.mean(ranks) == pytest.approx(0.5, abs=0.07)
    assert np.mean(np.array(ranks) > 0.95) < 0.1


def test_where_an_empty_series_has_most_of_the_logit_removal_cannot_speak():
    verdict = held_against_places(hangs_on(30, 45, offset=20), box(30, 45), 39)
    assert not verdict.can_be_removed
    assert verdict.testable.tolist() == [False, True]
    assert {cell.direction for cell in verdict.cell_ranks} == {"insertion"}


def test_mid_rank_shares_ties():
    assert mid_rank(np.array([1.0, 0, 0, 2])) == pytest.approx(2.5 / 4)
    assert mid_rank(np.zeros(5)) == pytest.approx(0.5)
    assert standardised(np.array([[3.0]]), np.array([[1.0, 3.0]])).tolist() == [[1.0]]
    assert standardised(np.array([[3.0]]), np.array([[3.0, 3.0]])).tolist() == [[0.0]]


def test_the_seed_belongs_to_the_series_so_that_a_verdict_is_the_same_each_time():
    model, series = build_model(), build_series()
    values = np.arange(40.0)
    first, again = (series_verdict(model, series, values, 0, n_places=19) for _ in range(2))
    assert np.array_equal(first.curves.numbers, again.curves.numbers)
    assert seed_of(series) != seed_of(build_series(seed=1))


def test_what_is_wrong_is_said():
    model, series = build_model(), build_series()
    with pytest.raises(SettingsError, match="does not fit a series of 40 time points"):
        series_verdict(model, series, np.zeros(7), 0)
    with pytest.raises(SettingsError, match="at least one other place"):
        series_verdict(model, series, np.zeros(40), 0, n_places=0)
    with pytest.raises(SettingsError, match="no filler 'void'"):
        series_verdict(model, series, np.zeros(40), 0, fillers=("void",))
    with pytest.raises(SettingsError, match="no training series of another class"):
        series_verdict(model, series, np.zeros(40), 0, fillers=("other series",))


def test_comprehensiveness_and_sufficiency_are_changes_of_the_probability():
    def score(copies):
        total = copies[:, 0, 30:45].mean(axis=1).astype(float) * 4
        return np.stack([total, -total], axis=1)

    removals = dataclasses.replace(hangs_on(30, 45), score=score)
    verdict = held_against_places(removals, box(30, 45), 19)
    probability = verdict.curves.probabilities[0, 0, 0]
    assert verdict.comprehensiveness == {"other series": pytest.approx(probability - 0.5)}
    assert verdict.sufficiency == {"other series": pytest.approx(0)}
