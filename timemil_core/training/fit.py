"""Training in memory, without a run folder: what the estimator does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch

from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.models.at_once import Asked, FitConfig
from timemil_core.models.trained import TrainedModel
from timemil_core.training.at_once import fit_at_once
from timemil_core.training.config import TrainingConfig
from timemil_core.training.device import device_name, pick_device
from timemil_core.training.facts import training_facts
from timemil_core.training.metrics import EpochRecord
from timemil_core.training.outcome import (
    STAGES,
    Trainers,
    finished_networks,
    network_configs,
    score_on_test,
    trained_model,
)
from timemil_core.training.run_data import split_and_prepare
from timemil_core.training.trainer import Trainer


@torch.inference_mode(False)
@torch.enable_grad()
def fit_model(
    series_set: SeriesSet,
    config: Asked,
    training: TrainingConfig,
    *,
    on_epoch: Callable[[str, EpochRecord], None] = lambda stage, record: None,
) -> TrainedModel:
    """Train on the training part of a set; the same loop, seed and outcome as a run's.

    Parameters
    ----------
    series_set
        A test part is scored once, at the end; without one the model is not scored.
    config, training
        The network and how it is trained.
    on_epoch
        Told which network is in training, and each finished epoch; a network that is fitted at once has none.

    Returns
    -------
    TrainedModel
        On the device that it was trained on.

    Raises
    ------
    DataError
        Where there are no labelled training series of two classes.
    RunError
        Where training diverges.
    SettingsError
        Where this machine lacks the device, or several are asked for.
    """
    if training.devices > 1:
        raise SettingsError(
            f"devices is {training.devices}: several share the training of a run folder only.",
            remedy="Use python -m timemil_core train --devices, or the Train page.",
        )
    device = pick_device(training.device)
    data = split_and_prepare(series_set, training)
    fit, judged = data.examples(data.fit, device), data.examples(data.judged, device)
    assert fit is not None
    if isinstance(config, FitConfig):
        return fit_at_once(data, config.network, training, lambda done, of: None)
    trainers: Trainers = {}
    for network, network_config in network_configs(config, training).items():
        trainer = trainers[network] = Trainer(network_config, training, device)
        while not trainer.is_finished:
            on_epoch(STAGES[network], trainer.run_epoch(fit, judged, judged_on=data.judged_on))
    networks = finished_networks(data, trainers)
    found = score_on_test(data, networks, device)
    facts = training_facts(data, trainers["timemil"], trainers.get("supervised"), found, device_name(device))
    model = trained_model(data, trainers, networks, facts)
    supervised = None if model.supervised is None else model.supervised.to(device)
    return replace(model, network=model.network.to(device), supervised=supervised)
