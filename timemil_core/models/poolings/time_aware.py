"""The paper's pooling by a class token (Algorithm 1). Letters: timemil.py."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from timemil_core.models.config import ModelConfig
from timemil_core.models.encodings import PositionalEncoding
from timemil_core.models.poolings.contract import Pooled, PooledParts, Pooling, PoolingWeights
from timemil_core.models.time_aware import TimeAwareLayer, TimeAwareLayers


class TimeAwarePooling(Pooling):
    """The paper's pooling (Algorithm 1): a class token attends to the instances through transformer layers."""

    title = "Time-aware pooling: last layer, mean of heads"
    note = "These are the weights with which the class token mixed the instances in the last layer."
    reference = "Chen et al. 2024 (TimeMIL), equation 12"

    def __init__(self, config: ModelConfig) -> None:
        nn.Module.__init__(self)  # each layer owns its encoding
        self.layers = TimeAwareLayers(config)

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances; the weights are the last layer's class token row, mean of heads, instances only."""
        bag, rows = self.layers(instances, mask, return_rows=return_attention)  # (B, L), each (B, H, 1 + T)
        if not return_attention:
            return bag, None
        return bag, PoolingWeights(rows[-1].mean(dim=1)[:, 1:], rows)  # (B, L), (B, T)

    @property
    def class_token_layers(self) -> TimeAwareLayers:
        """The transformer layers."""
        return self.layers

    @property
    def encoders(self) -> list[Pooling | TimeAwareLayer]:
        """The layers: each owns its encoding."""
        return [*self.layers.layers]

    def encodings(self, instances: Tensor, mask: Tensor | None) -> Iterator[tuple[PositionalEncoding, Tensor]]:
        """Yield each layer's encoding with the instances that enter it."""
        for one in self.layers.passes(instances, mask):
            yield one.layer.encoding, one.entering[:, 1:]

    def approximates(self, n_timepoints: int) -> tuple[bool, ...]:
        """Tell for each layer whether the class token's row is Nyström's."""
        return tuple(
            layer.attention.uses_nystrom(1 + n_timepoints) and not layer.class_token_alone
            for layer in self.layers.layers
        )

    def parts(self, instances: Tensor) -> PooledParts:
        """An instance adds ``W_o a_t v_t`` of the last layer; the class token itself is told apart."""
        *_, one = self.layers.passes(instances, None)
        attention, config = one.layer.attention, one.layer.attention.config
        encoded = one.layer.encoded(one.entering, None)  # (1, N, L)
        value = attention.values(one.layer.normalisation(encoded))  # (1, H, N, d)
        output = attention.output.weight.unflatten(1, (config.n_heads, config.head_size))  # (L, H, d)
        added = torch.einsum("hn,hnd,lhd->nl", one.row[0], value[0], output)  # (N, L)
        rest = {
            "the class token before the layer": encoded[0, 0],
            "the class token's attention to itself": added[0],
            "the layer's bias": attention.output.bias.detach(),
        }
        if attention.value_convolution is not None and config.value_convolution == "all":
            convolved = attention.value_convolution(value)[0, :, 0]  # (H, d)
            rest["the convolution of values"] = torch.einsum("hd,lhd->l", convolved, output)
        return PooledParts(added[1:], rest)
