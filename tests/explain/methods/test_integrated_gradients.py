import numpy as np
import pytest

from tests.explain.builders import build_model, build_series
from timemil_core.explain.evaluation.scoring import network_score, prepared_series
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import explain
from timemil_core.explain.methods import integrated_gradients as module
from timemil_core.models.config import POOLING_NAMES


@pytest.mark.parametrize("pooling", POOLING_NAMES)
@pytest.mark.parametrize("baseline", ["series mean", "training mean", "noise"])
def test_completeness_holds(pooling, baseline):
    model, series = build_model(pooling=pooling), build_series()
    logits = examine(model, series).logits
    importance = explain(model, series, "integrated-gradients", 1, baseline=baseline, n_steps=128)
    difference = importance.total - importance.parts["baseline"]
    assert importance.total == pytest.approx(logits[1], abs=1e-4)
    assert importance.values.sum() == pytest.approx(difference, abs=0.05 * abs(difference) + 0.01)
    assert importance.values.sum() + sum(importance.parts.values()) == pytest.approx(importance.total, abs=1e-6)
    np.testing.assert_allclose(importance.per_channel.sum(axis=0), importance.values)


def test_the_error_is_told_and_falls_with_more_steps():
    model, series = build_model(), build_series()
    errors = [
        abs(explain(model, series, "integrated-gradients", 0, n_steps=n).parts["integration error"]) for n in (2, 128)
    ]
    assert errors[1] < errors[0]


def test_the_usual_baseline_is_noise_and_the_map_the_mean_over_its_draws():
    model, series = build_model(), build_series()
    prepared = prepared_series(model, series)
    usual = explain(model, series, "integrated-gradients", 0, smoothing=1)
    noises = [np.random.default_rng(draw).standard_normal(prepared.shape).astype(np.float32) for draw in range(8)]
    logits = network_score(model.network)(np.stack(noises))[:, 0]
    assert usual.parts["baseline"] == pytest.approx(logits.mean(), abs=1e-4)
    assert "noise" in usual.note


def test_draws_that_pass_one_by_one_give_the_same_map(monkeypatch):
    model, series = build_model(), build_series()
    together = explain(model, series, "integrated-gradients", 0, n_steps=8)
    told = []
    monkeypatch.setattr(module, "copies_at_once", lambda n_timepoints: 1)
    alone = explain(
        model, series, "integrated-gradients", 0, n_steps=8, progress=lambda done, of: told.append(done / of)
    )
    np.testing.assert_allclose(alone.values, together.values, atol=1e-5)
    assert alone.parts["baseline"] == pytest.approx(together.parts["baseline"], abs=1e-5)
    assert told == sorted(told) and len(told) == 65 and told[-1] == 1


def test_a_baseline_of_which_the_model_says_the_same_is_told():
    model, series = build_model(), build_series()
    flat = np.broadcast_to(series.mean(axis=1, keepdims=True), series.shape).astype(np.float32)
    assert "almost the same" in explain(model, flat, "integrated-gradients", 0, baseline="series mean").note
    assert "almost the same" not in explain(model, 5 * series, "integrated-gradients", 0).note


def test_steps_of_draws_lie_between_each_other_s():
    np.testing.assert_allclose(module.midpoints(1, 2), [[0.25, 0.75]])
    steps = module.midpoints(2, 2)
    np.testing.assert_allclose(steps, [[0.125, 0.625], [0.375, 0.875]])


def test_where_the_sum_misses_by_more_than_a_twentieth_three_times_as_many_steps_are_taken(monkeypatch):
    model, series = build_model(), 5 * build_series()
    fine = explain(model, series, "integrated-gradients", 0, baseline="series mean", n_steps=96).values
    usual = explain(model, series, "integrated-gradients", 0, baseline="series mean", n_steps=32).values
    assert not np.allclose(fine, usual, rtol=1e-4)
    for most_off, expected in ((np.inf, usual), (0.0, fine)):
        monkeypatch.setattr(module, "MOST_OFF", most_off)
        told = []
        found = explain(
            model, series, "integrated-gradients", 0, baseline="series mean",
            progress=lambda done, of, told=told: told.append(done / of),
        )  # fmt: skip
        np.testing.assert_allclose(found.values, expected, rtol=1e-5, atol=1e-7)
        assert ("misses that sum by" in found.note) == (most_off == 0.0)
        assert told == sorted(told) and told[-1] == 1


def test_noise_as_the_usual_baseline_is_complete_within_a_twentieth():
    for seed in range(4):
        importance = explain(build_model(seed=seed), build_series(seed=seed), "integrated-gradients")
        error, apart = importance.parts["integration error"], importance.total - importance.parts["baseline"]
        assert abs(error) <= 0.05 * max(abs(apart), 0.1 * abs(importance.total)) or "misses" in importance.note
