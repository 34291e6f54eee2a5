import dataclasses

import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_series, build_set
from timemil_core.errors import SettingsError
from timemil_core.explain.deletion import DeletionScores, InsertionScores
from timemil_core.explain.evaluation.scoring import network_score, prepared_series
from timemil_core.explain.examination import examine
from timemil_core.explain.faithfulness import (
    default_steps,
    deletion_test,
    insertion_test,
    steps_of_a_test,
    uniform_attention_check,
)
from timemil_core.explain.importance import explain
from timemil_core.explain.question import Question
from timemil_core.explain.verdicts import deletion_sentence, insertion_sentence, level_of


def test_deletion_of_a_model_starts_at_its_logit_and_keeps_its_shapes():
    model, series = build_model(), build_series()
    test = deletion_test(model, series, explain(model, series).values, 1, filler="noise", n_random=20, n_steps=4)
    assert test.curve[0] == pytest.approx(examine(model, series).logits[1], abs=1e-5)
    assert test.shares.shape == test.curve.shape == test.random_mean.shape == (5,)
    assert test.random_areas.shape == (20,)
    assert np.all(test.random_low <= test.random_mean + 1e-9) and np.all(test.random_mean <= test.random_high + 1e-9)
    assert test.chance == pytest.approx((1 + 20 * (1 - test.rank)) / 21)
    assert test.quantity == "logit of class 'class 1'" and test.filler == "noise"


def test_occlusion_beats_its_own_opposite():
    model, series = build_model(), build_series(n_timepoints=60)
    importance = explain(model, series, "occlusion")
    real, opposite = (
        deletion_test(model, series, sign * importance.values, importance.target_class) for sign in (1, -1)
    )
    assert real.area_over_random > 0 > opposite.area_over_random
    assert real.rank > opposite.rank


def scores_with(area, random_areas):
    shares = np.array([0.0, 0.5])
    curves = np.array([[0.0, -2 * one] for one in [area, *random_areas]])
    return DeletionScores(shares, curves[0], curves[1:], 0.0, 0.0)


WALKING = Question(0, None, "walking", None)


@pytest.mark.parametrize(
    "area, n_beaten, says",
    [
        (
            1.5,
            20,
            "more than at 20 of 20 random places (by 1.5 on average, random ones by 1): by this test the map points at",
        ),
        (1.5, 19, "A map that means nothing does as well in about 10% of cases."),
        (1.5, 17, "weak evidence only"),
        (
            1.5,
            9,
            "no more than the same marks at random places do (it beats 9 of 20): do not read it as",
        ),
        (-0.5, 20, "does not lower the logit of class 'walking'"),
    ],
)
def test_the_sentence_says_what_was_measured(area, n_beaten, says):
    random_areas = np.full(20, area + 0.5)
    random_areas[:n_beaten] = area - 0.5
    assert says in deletion_sentence(scores_with(area, random_areas), WALKING)


@pytest.mark.parametrize(
    "area, n_beaten, level", [(1, 20, "strong"), (1, 17, "weak"), (1, 3, "none"), (-1, 20, "none")]
)
def test_levels(area, n_beaten, level):
    random_areas = np.full(20, area + 0.5)
    random_areas[:n_beaten] = area - 0.5
    assert level_of(scores_with(area, random_areas)) == level


@pytest.mark.parametrize("n_places, level", [(2, "none"), (3, "weak"), (13, "strong")])
def test_a_short_series_has_too_few_places_for_much(n_places, level):
    assert level_of(scores_with(1.0, np.zeros(n_places))) == level  # all are beaten


@pytest.mark.parametrize(
    "area, n_beaten, says",
    [
        (1.5, 20, "is enough to move the model. A map that means nothing does as well in about 5% of cases."),
        (1.5, 17, "weak evidence only"),
        (1.5, 2, "no more than the same marks at random places do (it beats 2 of 20)"),
        (-1.5, 2, "does not raise the logit of class 'walking'"),
    ],
)
def test_the_sentence_of_insertion(area, n_beaten, says):
    random_areas = np.full(20, area + 0.5)
    random_areas[:n_beaten] = area - 0.5
    shares = np.array([0.0, 0.5])
    curves = np.array([[0.0, 2 * one] for one in [area, *random_areas]])
    assert says in insertion_sentence(InsertionScores(shares, curves[0], curves[1:]), WALKING)


def test_insertion_of_a_model_starts_where_nothing_is_left():
    model, series = build_model(), build_series()
    test = insertion_test(model, series, explain(model, series).values, 1, filler="local mean", n_steps=4)
    mean = np.broadcast_to(prepared_series(model, series).mean(axis=1, keepdims=True), (2, 40))
    assert test.curve[0] == pytest.approx(network_score(model.network)(mean[None])[0, 1], abs=1e-4)
    assert test.shares.shape == test.curve.shape == test.random_mean.shape == (5,)
    assert "Restoring" in test.sentence and test.filler == "local mean"


def test_a_contrast_watches_the_lead_of_one_class():
    model, series = build_model(), build_series()
    test = deletion_test(model, series, series[0], 1, against=2, n_steps=2)
    logits = examine(model, series).logits
    assert test.curve[0] == pytest.approx(logits[1] - logits[2], abs=1e-4)
    assert test.quantity == "logit of class 'class 1' less that of 'class 2'"


def test_long_series_take_fewer_steps():
    assert [default_steps(n, 20) for n in (1, 100, 500, 1000, 20_000)] == [10, 10, 5, 4, 4]
    assert [steps_of_a_test(n, 20) for n in (1, 150, 300, 500, 1000, 20_000)] == [10, 10, 5, 3, 2, 2]


def test_a_map_of_another_length_is_refused():
    with pytest.raises(SettingsError, match=r"shape \(39,\)"):
        deletion_test(build_model(), build_series(), np.zeros(39), 0)


def test_uniform_attention_changes_nothing_where_the_head_is_deaf_to_it():
    model, series_set = build_model(n_layers=1), build_set()
    check = uniform_attention_check(model, series_set)
    predicted = model.predict(series_set.series).labels
    assert check.accuracy == pytest.approx((predicted == series_set.labels).mean())
    assert check.n_series == 12
    with torch.no_grad():  # a model whose attention output is 0 hears nothing of where it looks
        model.network.pooling.layers.layers[-1].attention.output.weight.zero_()
    deaf = uniform_attention_check(model, series_set)
    assert deaf.accuracy == deaf.uniform == deaf.uniform_in_time


def test_uniform_attention_costs_a_model_that_lives_by_it_its_accuracy():
    model = build_model(n_classes=2, n_layers=1, positional_encoding="none", value_convolution="none")
    series_set = build_set(n_classes=2)
    head = model.network.classifier[-1]
    with torch.no_grad():  # sharp attention, and a head that parts the series in halves by what it brings
        model.network.pooling.layers.layers[-1].attention.to_query_key_value.weight[:8] *= 100
        model.network.pooling.layers.layers[-1].attention.output.weight *= 10
        logits = model.predict(series_set.series).logits
        head.bias[1] -= float(np.median(logits[:, 1] - logits[:, 0]))
    said = model.predict(series_set.series).labels
    assert set(said) == {0, 1}
    check = uniform_attention_check(model, dataclasses.replace(series_set, labels=said))
    assert check.accuracy == 1.0
    assert check.uniform < 1.0 and check.uniform_in_time < 1.0


def test_uniform_attention_needs_a_class_token_and_known_classes():
    assert uniform_attention_check(build_model(pooling="max"), build_set()) is None
    unknown = dataclasses.replace(build_set(), labels=np.full(12, -1))
    assert uniform_attention_check(build_model(), unknown) is None
