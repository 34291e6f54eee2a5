"""From trained networks to a scored model."""

from __future__ import annotations

from typing import Any

import torch

from timemil_core.jobs import Progress
from timemil_core.models.config import ModelConfig, fully_supervised
from timemil_core.models.ensemble.network import EnsembleNetwork
from timemil_core.models.minirocket.fitting import fit_minirocket
from timemil_core.models.network import Network, NetworkConfig
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel
from timemil_core.training.config import TrainingConfig
from timemil_core.training.loop import judge
from timemil_core.training.metrics import NetworkName
from timemil_core.training.run_data import RunData
from timemil_core.training.scores import scores
from timemil_core.training.status import SUPERVISED_STAGE, TIMEMIL_STAGE
from timemil_core.training.trainer import Trainer

STAGES: dict[NetworkName, str] = {"timemil": TIMEMIL_STAGE, "supervised": SUPERVISED_STAGE}
Trainers = dict[NetworkName, Trainer]


def network_configs(config: NetworkConfig, training: TrainingConfig) -> dict[NetworkName, NetworkConfig]:
    """Return the networks to train, in this order: TimeMIL and, where asked for, its supervised counterpart."""
    wanted: dict[NetworkName, NetworkConfig] = {"timemil": config}
    if training.with_supervised and isinstance(config, ModelConfig):
        wanted["supervised"] = fully_supervised(config)
    return wanted


def finished_networks(
    data: RunData, trainers: Trainers, progress: Progress = lambda done, of: None
) -> dict[NetworkName, Network]:
    """Return the kept epochs; an ensemble that asks for a MiniRocket has it fitted now, on what was trained on.

    ``progress`` is told of that fit.
    """
    networks = {name: trainer.kept_network() for name, trainer in trainers.items()}
    main = networks["timemil"]
    if isinstance(main, EnsembleNetwork) and main.config.with_minirocket:
        series = data.preparation.transform([data.series_set.series[index] for index in data.fit])
        labels, seed = data.series_set.labels[data.fit], trainers["timemil"].training.seed
        fitted = fit_minirocket(series, labels, data.series_set.n_classes, seed, progress)
        networks["timemil"] = main.beside(fitted)
    return networks


def score_on_test(data: RunData, networks: dict[NetworkName, Network], device: torch.device) -> dict[str, Any]:
    """Score the kept epochs on the test part: ``test_…`` and ``supervised_test_…``; empty without a test part."""
    test = data.examples(data.test, device)
    if test is None:
        return {}
    labels = data.series_set.labels[data.test]
    found = {}
    for name, network in networks.items():
        logits = judge(network.to(device), test).logits.numpy()
        prefix = "test" if name == "timemil" else f"{name}_test"
        found.update({f"{prefix}_{measure}": value for measure, value in scores(labels, logits).items()})
    return found


def trained_model(
    data: RunData, trainers: Trainers, networks: dict[NetworkName, Network], facts: dict[str, Any]
) -> TrainedModel:
    """Put the kept epochs together with what is needed to use them."""
    series_set = data.series_set
    supervised = networks["supervised"].cpu() if "supervised" in networks else None
    assert supervised is None or isinstance(supervised, TimeMIL)
    return TrainedModel(
        network=networks["timemil"].cpu(),
        preparation=data.preparation,
        class_names=series_set.class_names,
        channel_names=series_set.channel_names,
        sampling_rate=series_set.sampling_rate,
        facts=facts,
        supervised=supervised,
        wavelet_path=trainers["timemil"].wavelet_path,
    )
