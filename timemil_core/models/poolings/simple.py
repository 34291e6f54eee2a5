"""Poolings that average or choose instances: Mean, Max and Attention. Letters: timemil.py."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot

from timemil_core.models.config import ModelConfig
from timemil_core.models.masking import masked_mean, masked_softmax
from timemil_core.models.poolings.contract import Pooled, PooledParts, Pooling, PoolingWeights


class MeanPooling(Pooling):
    """The mean of all instances; every weight is 1 / T."""

    warms_up = False
    title = "Mean pooling weighs every time point alike"
    note = "Every weight is 1 / T: this pooling cannot tell time points apart."
    reference = "Ilse et al. 2018"

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""
        bag = masked_mean(self.encoding(instances, mask), mask)  # (B, L)
        if not return_attention:
            return bag, None
        ones = instances.new_ones(instances.shape[:2]) if mask is None else mask.to(instances.dtype)
        return bag, PoolingWeights(ones / ones.sum(dim=1, keepdim=True))  # (B, L), (B, T)

    def parts(self, instances: Tensor) -> PooledParts:
        """An instance adds 1 / T of itself."""
        return PooledParts(self.encoding(instances)[0] / instances.shape[1])


class MaxPooling(Pooling):
    """The maximum of each feature; an instance's weight is the share of features whose maximum it holds."""

    title = "Max pooling: share of features held"
    note = "The share of features whose maximum stands at the time point, whether the classifier uses them or not."
    reference = "Ilse et al. 2018"

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""
        encoded = self.encoding(instances, mask)  # (B, T, L)
        if mask is not None:
            encoded = encoded.masked_fill(~mask[..., None], float("-inf"))  # (B, T, L)
        bag, holder = encoded.max(dim=1)  # (B, L), (B, L)
        if not return_attention:
            return bag, None
        return bag, PoolingWeights(one_hot(holder, instances.shape[1]).to(bag.dtype).mean(dim=1))  # (B, L), (B, T)

    def parts(self, instances: Tensor) -> PooledParts:
        """An instance adds the features whose maximum it holds."""
        encoded = self.encoding(instances)[0]
        return PooledParts(encoded * one_hot(encoded.argmax(dim=0), len(encoded)).to(encoded.dtype).T)


class AttentionPooling(Pooling):
    """ABMIL (Ilse et al. 2018, equations 7 and 8): a softmax of ``wᵀ tanh(V h_t)`` weighs the instances."""

    title = "Attention pooling (ABMIL)"
    note = "The weights with which the instances were averaged; they sum to 1."
    reference = "Ilse et al. 2018, equations 7 and 8"

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.score = nn.Sequential(
            nn.Linear(config.embedding_width, config.embedding_width),
            nn.Tanh(),
            nn.Linear(config.embedding_width, 1),
        )

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""
        encoded = self.encoding(instances, mask)  # (B, T, L)
        weights = masked_softmax(self.score(encoded)[..., 0], mask)  # (B, T)
        bag = torch.einsum("bt,btl->bl", weights, encoded)  # (B, L)
        return bag, PoolingWeights(weights) if return_attention else None

    def parts(self, instances: Tensor) -> PooledParts:
        """An instance adds its weight times itself."""
        encoded = self.encoding(instances)
        return PooledParts((masked_softmax(self.score(encoded)[..., 0], None)[..., None] * encoded)[0])
