"""Comparators: fitted again they say the same, alone and among others; what cannot be is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import FloatArray, IntArray
from timemil_core.errors import ModelError, SettingsError
from timemil_core.models.building import FITTED_AT_ONCE, NETWORKS
from timemil_core.models.comparators.classifiers import NearestNeighbour
from timemil_core.models.comparators.network import ComparatorConfig, ComparatorNetwork, fit_comparator
from timemil_core.models.ridge import fit_ridge, likeliest_stretch
from timemil_core.models.storage import load_model, save_model
from timemil_core.models.trained import TrainedModel


def steps(n_series: int = 12, length: int = 30) -> tuple[list[FloatArray], IntArray]:
    """Return two classes: a step up early, or late; of two channels, one without any."""
    rng = np.random.default_rng(0)
    labels = np.arange(n_series) % 2
    series = rng.normal(0, 0.1, (n_series, 2, length)).astype(np.float32)
    for one, label in zip(series, labels, strict=True):
        one[0, 5 if label else 20 :] += 1
    return list(series), labels


def model_of(network: ComparatorNetwork) -> TrainedModel:
    preparation = Preparation("none", np.zeros(2), np.ones(2))
    return TrainedModel(network, preparation, ("late", "early"), ("a", "b"))


@pytest.mark.parametrize("name", ["ed-1nn", "dtw-1nn-d", "dtw-1nn-i", "quant"])
def test_kept_and_opened_it_says_the_same(name: str, tmp_path: Path) -> None:
    series, labels = steps()
    network = fit_comparator(name, series, labels, 2, seed=3)
    values = torch.from_numpy(np.stack(series))
    said = network(values)
    assert (said.argmax(dim=1).numpy() == labels).all()
    torch.testing.assert_close(torch.cat([network(one[None]) for one in values]), said)
    save_model(model_of(network), tmp_path / "model")
    opened = load_model(tmp_path / "model")
    torch.testing.assert_close(opened.network(values), said)
    assert opened.fingerprint == model_of(network).fingerprint


def test_what_says_something_else_than_when_it_was_kept_is_refused() -> None:
    series, labels = steps()
    network = fit_comparator("ed-1nn", series, labels, 2)
    other = ComparatorNetwork(network.config)
    other.load_state_dict({**network.state_dict(), "said": network.said + 1})
    with pytest.raises(ModelError, match="differs by 1"):
        other(torch.from_numpy(np.stack(series)))


def test_shorter_series_are_held_at_their_end_and_of_longer_ones_no_more_is_read() -> None:
    series, labels = steps()
    network = fit_comparator("ed-1nn", [*series[:-1], series[-1][:, :20]], labels, 2)
    short = torch.from_numpy(series[1][None, :, :25])
    held = torch.cat([short, short[:, :, -1:].expand(1, 2, 5)], dim=2)
    torch.testing.assert_close(network(short), network(held))
    mask = torch.zeros(1, 30, dtype=torch.bool)
    mask[:, :25] = True
    torch.testing.assert_close(network(torch.from_numpy(series[1][None]), mask), network(short))
    longer = torch.cat([torch.from_numpy(series[1][None]), torch.full((1, 2, 9), 50.0)], dim=2)
    torch.testing.assert_close(network(longer), network(longer[:, :, :30]))


def test_warping_reads_longer_series_to_their_end() -> None:
    series, labels = steps()
    network = fit_comparator("dtw-1nn-d", series, labels, 2)
    slower = torch.from_numpy(np.repeat(np.stack(series), 2, axis=2))
    assert network(slower).argmax(dim=1).tolist() == labels.tolist()
    ending_otherwise = torch.cat([slower, torch.full((len(series), 2, 9), 50.0)], dim=2)
    assert not torch.equal(network(ending_otherwise), network(slower))


def test_a_neighbour_s_margin_is_worked_out_by_hand() -> None:
    def distances(series: np.ndarray, others: np.ndarray) -> np.ndarray:
        return np.abs(series[:, 0, :1] - others[:, 0, 0][None])

    nearest = NearestNeighbour(distances)
    nearest.fit(np.array([0.0, 1.0, 4.0, 5.0]).reshape(4, 1, 1), np.array([0, 0, 1, 1]), 2)
    logits = nearest.logits(np.array([1.5, 3.5]).reshape(2, 1, 1))
    assert logits[0, 0] == pytest.approx(-logits[0, 1])  # 2.5 − 0.5 either way
    assert logits[0, 0] == pytest.approx(logits[1, 1])
    assert logits[0, 0] > 0


def test_the_ridge_orders_as_scikit_learn_s_and_its_logits_are_probabilities() -> None:
    from sklearn.linear_model import RidgeClassifier

    rng = np.random.default_rng(1)
    labels = np.arange(60) % 3
    features = rng.normal(size=(60, 20)) + labels[:, None] * rng.normal(size=20)
    head = fit_ridge(features, labels, 3)
    logits = head.logits(features)
    scaled = (features - features.mean(axis=0)) / features.std(axis=0)
    theirs = RidgeClassifier(1.0).fit(scaled, labels).decision_function(scaled)
    assert np.corrcoef(logits.ravel(), theirs.ravel())[0, 1] > 0.9
    assert (logits.argmax(axis=1) == labels).mean() > 0.8
    worse = fit_ridge(features + rng.normal(size=features.shape) * 20, labels, 3).logits(features)
    assert np.abs(worse).mean() < np.abs(logits).mean()


def test_the_stretch_is_the_likeliest_of_a_grid() -> None:
    rng = np.random.default_rng(2)
    targets = np.where(rng.random((80, 2)) < 0.5, 1.0, -1.0)
    decisions = targets * 0.3 + rng.normal(0, 0.5, targets.shape)
    found = likeliest_stretch(decisions, targets)
    grid = np.exp(np.linspace(-3, 5, 400))
    losses = [np.logaddexp(0, -targets * decisions * one).mean() for one in grid]
    assert found == pytest.approx(grid[int(np.argmin(losses))], rel=0.1)  # the targets' smoothing moves it a little
    assert likeliest_stretch(targets, targets) < 100  # no fault at all: not without end


def test_settings_of_a_network_that_nobody_knows_are_refused() -> None:
    with pytest.raises(SettingsError):
        ComparatorConfig.from_json(
            {"n_channels": 1, "n_classes": 2, "network": "oracle", "n_series": 3, "n_timepoints": 4}
        )
    assert {"minirocket", "ed-1nn", "muse"} <= set(FITTED_AT_ONCE)
    assert "own" in NETWORKS
