"""Small models and series for the tests of what is explained."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import FloatArray, SeriesSet
from timemil_core.explain.importance import methods_for
from timemil_core.models.config import fully_supervised, preset
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel

SMALL: dict[str, Any] = {"embedding_width": 8, "n_heads": 2, "head_size": 4, "n_landmarks": 4}


def build_model(n_channels: int = 2, n_classes: int = 3, seed: int = 0, **changes: Any) -> TrainedModel:
    """Return a small untrained model with its supervised counterpart, both with lively weights."""
    torch.manual_seed(seed)
    config = preset("default", n_channels=n_channels, n_classes=n_classes, **{**SMALL, **changes})
    training = [build_series(n_channels, 30, seed=index) for index in range(4)]
    return TrainedModel(
        network=_lively(TimeMIL(config)),
        preparation=Preparation.fit(training),
        class_names=tuple(f"class {index}" for index in range(n_classes)),
        channel_names=tuple(f"channel {index}" for index in range(n_channels)),
        supervised=_lively(TimeMIL(fully_supervised(config))),
    )


def build_series(n_channels: int = 2, n_timepoints: int = 40, seed: int = 0) -> FloatArray:
    """Return normal noise with mean 3 and deviation 2, ``(n_channels, n_timepoints)``."""
    noise = np.random.default_rng(seed).normal(3, 2, (n_channels, n_timepoints))
    return noise.astype(np.float32)


def build_set(n_series: int = 12, n_classes: int = 3, n_channels: int = 2) -> SeriesSet:
    """Return series of lengths 20 to 31, classes in turn, the second half in the test part."""
    return SeriesSet(
        name="small",
        series=tuple(build_series(n_channels, 20 + index % 12, seed=index) for index in range(n_series)),
        labels=np.arange(n_series) % n_classes,
        class_names=tuple(f"class {index}" for index in range(n_classes)),
        series_ids=tuple(f"s{index}" for index in range(n_series)),
        channel_names=tuple(f"channel {index}" for index in range(n_channels)),
        split=np.where(np.arange(n_series) < n_series // 2, "train", "test"),
    )


def _lively(network: TimeMIL) -> TimeMIL:
    # Batch statistics that are not the trivial 0 and 1, so that a reset of them shows.
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm1d):
            module.running_mean.normal_()
            module.running_var.uniform_(0.5, 2.0)
    return network.eval()


def keys_for(**changes: Any) -> list[str]:
    """Return the keys of the methods that apply to a small model."""
    return [method.key for method in methods_for(build_model(**changes))]
