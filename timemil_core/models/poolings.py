"""MIL poolings, one contract: ``forward(instances, mask, return_attention) -> (bag, weights)``.

Shapes: instances ``(n_series, n_timepoints, L)``, mask ``(n_series, n_timepoints)`` or None, bag ``(n_series, L)``
(or ``(n_series, n_classes)`` where ``gives_logits``), weights None unless asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot

from timemil_core.models.config import ModelConfig
from timemil_core.models.encodings import build_encoding
from timemil_core.models.masking import masked_mean, masked_softmax
from timemil_core.models.time_aware import TimeAwareLayers


@dataclass(frozen=True)
class PoolingWeights:
    """How much of each instance went into the bag.

    Attributes
    ----------
    instances
        ``(n_series, n_timepoints)``, non-negative for all but Nyström's rows; exactly 0 in the padding.
    class_token_rows
        Time-aware pooling only: for each layer ``(n_series, n_heads, 1 + n_timepoints)``, the class token first.
    """

    instances: Tensor
    class_token_rows: tuple[Tensor, ...] = ()


Pooled = tuple[Tensor, PoolingWeights | None]


class Pooling(nn.Module, ABC):
    """From a bag of instances to one vector."""

    gives_logits = False

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.encoding = build_encoding(config)

    @abstractmethod
    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""


class MeanPooling(Pooling):
    """The mean of all instances; every weight is 1 / T."""

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""
        bag = masked_mean(self.encoding(instances, mask), mask)
        if not return_attention:
            return bag, None
        ones = instances.new_ones(instances.shape[:2]) if mask is None else mask.to(instances.dtype)
        return bag, PoolingWeights(ones / ones.sum(dim=1, keepdim=True))


class MaxPooling(Pooling):
    """The maximum of each feature; an instance's weight is the share of features whose maximum it holds."""

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""
        encoded = self.encoding(instances, mask)
        if mask is not None:
            encoded = encoded.masked_fill(~mask[..., None], float("-inf"))
        bag, holder = encoded.max(dim=1)
        if not return_attention:
            return bag, None
        return bag, PoolingWeights(one_hot(holder, instances.shape[1]).to(bag.dtype).mean(dim=1))


class AttentionPooling(Pooling):
    """ABMIL (Ilse et al. 2018, equations 7 and 8): a softmax of ``wᵀ tanh(V h_t)`` weighs the instances."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.score = nn.Sequential(
            nn.Linear(config.embedding_width, config.embedding_width),
            nn.Tanh(),
            nn.Linear(config.embedding_width, 1),
        )

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""
        encoded = self.encoding(instances, mask)
        weights = masked_softmax(self.score(encoded)[..., 0], mask)
        bag = torch.einsum("bt,btl->bl", weights, encoded)
        return bag, PoolingWeights(weights) if return_attention else None


class ConjunctivePooling(Pooling):
    """MILLET's conjunctive pooling (Early et al. 2024, section 3.2): the mean of attention times instance logits.

    The bag is the logits. ``instance_logits`` gives the per-class evidence a_t z_t of each instance.
    """

    gives_logits = True
    HIDDEN_WIDTH = 8

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        width, hidden = config.embedding_width, self.HIDDEN_WIDTH
        self.score = nn.Sequential(nn.Linear(width, hidden), nn.Tanh(), nn.Linear(hidden, 1), nn.Sigmoid())
        self.instance_classifier = nn.Linear(width, config.n_classes)
        self.dropout = nn.Dropout(config.dropout)

    def instance_logits(self, instances: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return attention ``(n_series, n_timepoints)`` and a_t z_t ``(n_series, n_timepoints, n_classes)``."""
        encoded = self.dropout(self.encoding(instances, mask))
        weights = self.score(encoded)[..., 0]
        if mask is not None:
            weights = weights * mask
        return weights, weights[..., None] * self.instance_classifier(encoded)

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""
        weights, evidence = self.instance_logits(instances, mask)
        bag = masked_mean(evidence, mask)
        return bag, PoolingWeights(weights) if return_attention else None


class TimeAwarePooling(Pooling):
    """The paper's pooling (Algorithm 1): a class token attends to the instances through transformer layers."""

    def __init__(self, config: ModelConfig) -> None:
        nn.Module.__init__(self)  # each layer owns its encoding
        self.layers = TimeAwareLayers(config)

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances; the weights are the last layer's class token row, mean of heads, instances only."""
        bag, rows = self.layers(instances, mask, return_rows=return_attention)
        if not return_attention:
            return bag, None
        return bag, PoolingWeights(rows[-1].mean(dim=1)[:, 1:], rows)


POOLINGS: dict[str, Callable[[ModelConfig], Pooling]] = {
    "mean": MeanPooling,
    "max": MaxPooling,
    "attention": AttentionPooling,
    "conjunctive": ConjunctivePooling,
    "time-aware": TimeAwarePooling,
}


def build_pooling(config: ModelConfig) -> Pooling:
    """Return a new pooling as configured."""
    return POOLINGS[config.pooling](config)
