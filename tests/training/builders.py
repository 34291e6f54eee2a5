"""Small data and small networks, so that a training takes a second."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import torch

from timemil_core.data.series_set import SeriesSet
from timemil_core.data.store import keep
from timemil_core.data.synthetic import pulse_set
from timemil_core.models.config import ModelConfig
from timemil_core.training.config import TrainingConfig
from timemil_core.training.examples import Examples, make_examples

SMALL: dict[str, Any] = {"embedding_width": 16, "n_heads": 2, "head_size": 8}
CPU = torch.device("cpu")


def short_training(**changes: Any) -> TrainingConfig:
    """Three epochs of four batches."""
    return TrainingConfig(**{"n_epochs": 3, "batch_size": 6, "device": "cpu", **changes})


def small_model(n_channels: int = 1, n_classes: int = 2, **changes: Any) -> ModelConfig:
    return ModelConfig(n_channels=n_channels, n_classes=n_classes, **{**SMALL, **changes})


def small_set(n_train: int = 30, n_test: int = 10) -> SeriesSet:
    """The paper's pulse, and ten points before and after where it may lie."""
    whole = pulse_set(n_train, n_test, seed=0)
    series = tuple(values[:, 45:95] for values in whole.series)
    return dataclasses.replace(whole, series=series, instance_labels=None)


def kept_small_set(n_train: int = 30, n_test: int = 10) -> str:
    """Store a small set in the workspace and return its reference."""
    return keep(small_set(n_train, n_test))


def examples_of(lengths: list[int], n_channels: int = 1, seed: int = 0) -> Examples:
    """Noise of the given lengths; classes alternate."""
    rng = np.random.default_rng(seed)
    series = [rng.normal(size=(n_channels, length)).astype(np.float32) for length in lengths]
    return make_examples(series, np.arange(len(lengths)) % 2, 2, CPU)
