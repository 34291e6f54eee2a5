"""Every network of the registry: padding moves nothing, a series is the same alone and in a batch, it can be kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.training.builders import kept_small_set
from timemil_core.data.preparation import Preparation
from timemil_core.models import building
from timemil_core.models.abilities import Abilities, Ability
from timemil_core.models.at_once import asked_for
from timemil_core.models.building import TRAINED_BY_EPOCHS, NetworkKind, build
from timemil_core.models.network import Network
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.shelf import open_model
from timemil_core.models.storage import load_model, save_model
from timemil_core.models.trained import TrainedModel
from timemil_core.training import config as training_config
from timemil_core.training.config import training_preset
from timemil_core.training.run import execute
from timemil_core.training.run_folder import create_run

NAMES = ("default", *TRAINED_BY_EPOCHS)


def built(name: str, n_channels: int = 3, n_timepoints: int = 40) -> Network:
    asked = asked_for(name, n_channels=n_channels, n_classes=4, n_timepoints=n_timepoints)
    network = build(asked, seed=0)  # type: ignore[arg-type]
    for module in network.modules():  # batch statistics that are not the trivial ones
        if isinstance(module, torch.nn.BatchNorm1d):
            torch.nn.init.uniform_(module.running_var, 0.5, 2.0)  # type: ignore[arg-type]
    return network.eval()


@pytest.mark.parametrize("name", NAMES)
def test_padding_moves_nothing_alone_or_in_a_batch(name: str) -> None:
    network = built(name)
    draw = torch.Generator().manual_seed(1)
    short, long = torch.randn(1, 3, 17, generator=draw), torch.randn(1, 3, 40, generator=draw)
    values = torch.randn(2, 3, 40, generator=draw) * 100  # what stands in the padding
    values[0, :, :17], values[1] = short[0], long[0]
    mask = torch.arange(40) < torch.tensor([[17], [40]])
    together = network(values, mask)
    torch.testing.assert_close(together, torch.cat([network(short), network(long)]), atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_timepoints, n_channels", [(1, 1), (8, 2), (300, 1), (30, 200)])
def test_short_and_long_few_and_many_channels(name: str, n_timepoints: int, n_channels: int) -> None:
    logits = built(name, n_channels, n_timepoints)(torch.randn(2, n_channels, n_timepoints))
    assert logits.shape == (2, 4)
    assert logits.isfinite().all()


@pytest.mark.parametrize("name", TRAINED_BY_EPOCHS)
def test_kept_and_opened_and_without_what_was_learned(name: str, tmp_path: Path) -> None:
    network = built(name)
    preparation = Preparation("none", np.zeros(3), np.ones(3))
    save_model(TrainedModel(network, preparation, tuple("abcd"), tuple("xyz")), tmp_path / "model")
    opened = load_model(tmp_path / "model").network
    values = torch.randn(2, 3, 20)
    torch.testing.assert_close(opened(values), network(values))
    one, same = network.untrained(5).eval(), network.untrained(5).eval()
    torch.testing.assert_close(one(values), same(values))
    assert not torch.allclose(one(values), network(values))


@pytest.mark.parametrize("name", [name for name in TRAINED_BY_EPOCHS if name not in ("ensemble", "accurate")])
def test_it_learns_by_the_one_trainer(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    training = training_preset(name, n_epochs=6, batch_size=6, learning_rate=3e-3, device="cpu")
    small = {"inception-time-5": {"n_networks": 2, "embedding_width": 24}, "mamba": {"n_blocks": 1}}.get(name, {})
    run = create_run(kept_small_set(), preset=name, model_settings=small, training=training)
    execute(run)
    assert run.metrics()[-1]["train_loss"] < 0.8 * run.metrics()[0]["train_loss"]
    assert open_model(run.reference).network.config.to_json()["network"] == name


class MeanAndLinear(Network):
    """A network of five lines, as CONTRIBUTING tells how to add one."""

    config: OtherConfig

    def __init__(self, config: OtherConfig) -> None:
        super().__init__()
        self.config = config
        self.linear = torch.nn.Linear(config.n_channels, config.n_classes)

    @property
    def abilities(self) -> Abilities:
        return frozenset({Ability.LOGITS, Ability.GRADIENTS})

    def untrained(self, seed: int) -> MeanAndLinear:
        return MeanAndLinear(self.config)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        return self.linear(values.mean(dim=2))


def test_a_new_network_is_a_file_and_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    kind = NetworkKind("Mean and a linear map", "this test", OtherConfig.from_json, MeanAndLinear)
    monkeypatch.setitem(building.NETWORKS, "mean-linear", kind)
    for module in ("timemil_core.models.building", "timemil_core.models.at_once", "timemil_core.training.config"):
        monkeypatch.setattr(f"{module}.TRAINED_BY_EPOCHS", (*TRAINED_BY_EPOCHS, "mean-linear"))
    for module in ("timemil_core.models.at_once", "timemil_core.training.config"):
        monkeypatch.setattr(f"{module}.TRAINABLE", (*training_config.TRAINABLE, "mean-linear"))
    training = training_preset("mean-linear", n_epochs=2, device="cpu")
    run = create_run(kept_small_set(), preset="mean-linear", training=training)
    execute(run)
    assert run.status().state == "finished"
    assert isinstance(open_model(run.reference).network, MeanAndLinear)
