"""From trained networks to a scored model."""

from __future__ import annotations

from typing import Any

import torch

from timemil_core.models.config import ModelConfig, fully_supervised
from timemil_core.models.network import NetworkConfig
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


def score_on_test(data: RunData, trainers: Trainers, device: torch.device) -> dict[str, Any]:
    """Score the kept epochs on the test part: ``test_…`` and ``supervised_test_…``; empty without a test part."""
    test = data.examples(data.test, device)
    if test is None:
        return {}
    labels = data.series_set.labels[data.test]
    found = {}
    for network, trainer in trainers.items():
        logits = judge(trainer.kept_network().to(device), test).logits.numpy()
        prefix = "test" if network == "timemil" else f"{network}_test"
        found.update({f"{prefix}_{name}": value for name, value in scores(labels, logits).items()})
    return found


def trained_model(data: RunData, trainers: Trainers, facts: dict[str, Any]) -> TrainedModel:
    """Put the kept epochs together with what is needed to use them."""
    series_set = data.series_set
    supervised = trainers["supervised"].kept_network() if "supervised" in trainers else None
    assert supervised is None or isinstance(supervised, TimeMIL)
    return TrainedModel(
        network=trainers["timemil"].kept_network(),
        preparation=data.preparation,
        class_names=series_set.class_names,
        channel_names=series_set.channel_names,
        sampling_rate=series_set.sampling_rate,
        facts=facts,
        supervised=supervised,
        wavelet_path=trainers["timemil"].wavelet_path,
    )
