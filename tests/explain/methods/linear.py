"""A linear model, of which every attribution can be worked out by hand."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from timemil_core.data.preparation import Preparation
from timemil_core.models.abilities import Abilities, Ability
from timemil_core.models.network import Network
from timemil_core.models.trained import TrainedModel


class LinearNetwork(Network):
    """Logit c is ``Σ weights[c] · values + bias[c]``."""

    def __init__(self, weights: np.ndarray, bias: np.ndarray) -> None:
        super().__init__()
        self.weights = nn.Parameter(torch.tensor(weights, dtype=torch.float32))
        self.bias = nn.Parameter(torch.tensor(bias, dtype=torch.float32))

    @property
    def abilities(self) -> Abilities:
        return frozenset({Ability.LOGITS, Ability.GRADIENTS})

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        return torch.einsum("bct,kct->bk", values, self.weights) + self.bias


def linear_model(weights: np.ndarray, bias: np.ndarray | None = None) -> TrainedModel:
    """Return a model of weights ``(n_classes, n_channels, n_timepoints)`` that takes values as they are."""
    n_classes, n_channels, _ = weights.shape
    network = LinearNetwork(weights, np.zeros(n_classes) if bias is None else bias)
    return TrainedModel(
        network=network.eval(),
        preparation=Preparation("none", np.zeros(n_channels), np.ones(n_channels)),
        class_names=tuple("ABC"[:n_classes]),
        channel_names=tuple(f"channel {index}" for index in range(n_channels)),
    )
