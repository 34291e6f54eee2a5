"""Several networks as one: what they say is the mean, their maps too, and a sum stays a sum."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training.builders import kept_small_set
from timemil_core.data import catalogue
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.ranking import told_by_itself
from timemil_core.explain.importance import METHODS, explain, methods_for
from timemil_core.models.at_once import asked_for
from timemil_core.models.building import build
from timemil_core.models.ensemble.config import EnsembleConfig
from timemil_core.models.ensemble.network import EnsembleNetwork
from timemil_core.models.shelf import open_model
from timemil_core.models.trained import TrainedModel
from timemil_core.training.config import training_preset
from timemil_core.training.run import execute
from timemil_core.training.run_folder import create_run

SMALL = {"n_networks": 2, "embedding_width": 24}


def _trained(preset: str, **settings: object) -> TrainedModel:
    training = training_preset(preset, n_epochs=2, batch_size=8, device="cpu")
    run = create_run(kept_small_set(), preset=preset, model_settings={**SMALL, **settings}, training=training)
    execute(run)
    return open_model(run.reference)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("home")
        patch.setenv("TIMEMIL_HOME", str(folder))
        yield folder


@pytest.fixture(scope="module")
def model(home: Path) -> TrainedModel:
    return _trained("ensemble")


@pytest.fixture(scope="module")
def series(home: Path) -> list[np.ndarray]:
    return list(catalogue.load(kept_small_set()).series[:3])


def test_it_says_the_mean_of_its_networks_and_three_quarters_are_the_minirocket(
    model: TrainedModel, series: list[np.ndarray]
) -> None:
    first, second, minirocket = (member.predict(series).logits for member in model.members)
    np.testing.assert_allclose(model.predict(series).logits, (first + second) / 8 + 0.75 * minirocket, atol=1e-5)
    assert not np.allclose(first, second, atol=1e-2)  # drawn apart


def test_what_all_networks_add_is_the_logit(model: TrainedModel, series: list[np.ndarray]) -> None:
    assert told_by_itself(model) == "member-contributions"
    for one in series:
        found = explain(model, one, "member-contributions", 1)
        logit = float(model.predict([one]).logits[0, 1])
        assert found.total == pytest.approx(logit, abs=1e-4)
        assert found.values.sum() + sum(found.parts.values()) == pytest.approx(logit, abs=1e-4)
        own = [explain(member, one, told_by_itself(member) or "", 1).values for member in model.members]
        np.testing.assert_allclose(found.values, (own[0] + own[1]) / 8 + 0.75 * own[2], atol=1e-6)
        assert "rank correlation" in found.note


def test_attention_is_the_mean_of_the_networks_attention(home: Path, series: list[np.ndarray]) -> None:
    model = _trained("accurate", with_minirocket=False)
    assert "attention" in [method.key for method in methods_for(model)]
    found = explain(model, series[0], "attention")
    own = [explain(member, series[0], "attention").values for member in model.members]
    np.testing.assert_allclose(found.values, np.mean(own, axis=0), atol=1e-8)
    assert "mean of 2 networks" in found.name
    gradient = explain(model, series[0], "gradient-input")  # of the whole: no mean of maps is taken
    assert "mean of" not in gradient.name


def test_a_map_that_a_member_cannot_give_is_not_offered(model: TrainedModel) -> None:
    offered = {method.key for method in methods_for(model)}
    assert "attention" not in offered and "gradient-input" not in offered
    assert {"member-contributions", "occlusion"} <= offered
    assert offered <= set(METHODS)


def test_in_training_each_network_has_its_own_logits() -> None:
    network = build(asked_for("inception-time-5", n_channels=2, n_classes=3, n_networks=4, embedding_width=8), seed=0)  # type: ignore[arg-type]
    assert isinstance(network, EnsembleNetwork)
    values = torch.randn(5, 2, 30)
    assert network.train()(values).shape == (5, 4, 3)
    assert network.eval()(values).shape == (5, 3)
    assert len(network.trained_apart) == 4


def test_settings_that_cannot_be_meant_are_refused() -> None:
    for wrong in ({"n_networks": 0}, {"pooling": "none such"}, {"of": "none such"}, {"colour": "red"}):
        with pytest.raises(SettingsError):
            asked_for("ensemble", n_channels=2, n_classes=3, **wrong)


def test_a_minirocket_of_other_channels_is_refused() -> None:
    fitted = {"n_channels": 5, "n_classes": 3, "dilations": [1], "n_biases": [1], "network": "minirocket"}
    with pytest.raises(SettingsError, match="other channels"):
        EnsembleConfig(2, 3, minirocket=fitted)
