"""Flowformer (Wu et al. 2022): attention as a flow that is conserved, at a cost that grows with the length alone.

What a token gives out and takes in is held to one each. Tokens then compete for giving (a softmax over time), and what
a token takes in is allotted by a sigmoid. Padding neither gives nor takes. The head is the paper's own for
classification, as in its code: GELU, dropout, all time points flat with padding zero, a linear map. Three layers, eight
heads, learned positions and a dropout of 0.1 are the authors' for classification; the widths are 128 and 256 instead of
512.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from timemil_core.models.drawing import Dropout
from timemil_core.models.fast.checkpointing import stage
from timemil_core.models.fast.precision import in_float32
from timemil_core.models.masking import masked_softmax
from timemil_core.models.networks.base import OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.forecasting_parts import ActivatedHead, check_heads
from timemil_core.setting_checks import SHARE, Check, whole

SMALLEST_FLOW = 1e-6


@dataclass(frozen=True)
class FlowformerConfig(OtherConfig):
    """``width`` of the features, a multiple of ``n_heads``."""

    n_layers: int = 3
    width: int = 128
    n_heads: int = 8
    inner_width: int = 256
    dropout: float = 0.1

    checks: ClassVar[dict[str, Check]] = {
        "n_layers": whole(1, 100),
        "width": whole(1, 10_000),
        "n_heads": whole(1, 1_000),
        "inner_width": whole(1, 100_000),
        "dropout": SHARE,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        check_heads(self.width, self.n_heads)


@in_float32
def flow_attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    """Return what each token takes in: sinks are the queries, sources the keys (paper, equations 4 to 8).

    Parameters
    ----------
    query, key, value
        ``(B, H, N, E)``: B series, H heads, N time points, E features.
    mask
        ``(B, N)``, True where observed.

    Returns
    -------
    Tensor
        ``(B, H, N, E)``; without meaning where not observed.
    """
    observed = mask[:, None, :, None].to(query.dtype)  # (B, 1, N, 1)
    sinks, sources = query.sigmoid() * observed, key.sigmoid() * observed  # (B, H, N, E)
    incoming = _flow(sinks, sources)  # (B, H, N, 1): into each sink
    outgoing = _flow(sources, sinks)  # (B, H, N, 1): out of each source
    conserved_incoming = _flow(sinks, sources / outgoing)  # (B, H, N, 1): each source gives one
    conserved_outgoing = _flow(sources, sinks / incoming).clamp(-1, 1)  # (B, H, N, 1): each sink takes one
    shares = masked_softmax(conserved_outgoing.squeeze(3), mask[:, None])  # (B, H, N)
    competed = value * (shares[..., None] * observed.sum(dim=2, keepdim=True))  # (B, H, N, E)
    gathered = sources.transpose(2, 3) @ competed  # (B, H, E, E)
    return (sinks / incoming) @ gathered * conserved_incoming.sigmoid()  # (B, H, N, E)


def _flow(of: Tensor, others: Tensor) -> Tensor:
    """Return each token's flow from or to all others, never zero: ``(B, H, N, E)`` to ``(B, H, N, 1)``."""
    total = others.sum(dim=2, keepdim=True)  # (B, H, 1, E)
    return (of * total).sum(dim=3, keepdim=True) + SMALLEST_FLOW


class FlowLayer(nn.Module):
    """B series, N time points, L features."""

    def __init__(self, config: FlowformerConfig) -> None:
        super().__init__()
        width = config.width
        self.n_heads = config.n_heads
        self.to_query, self.to_key, self.to_value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.perceptron = nn.Sequential(
            nn.Linear(width, config.inner_width),
            nn.GELU(),
            Dropout(config.dropout),
            nn.Linear(config.inner_width, width),
            Dropout(config.dropout),
        )
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.dropout = Dropout(config.dropout)

    def forward(self, features: Tensor, mask: Tensor) -> Tensor:
        """``(B, N, L)`` to the same."""
        query, key, value = (
            part(features).unflatten(2, (self.n_heads, -1)).transpose(1, 2)  # (B, H, N, E)
            for part in (self.to_query, self.to_key, self.to_value)
        )
        taken = flow_attention(query, key, value, mask).transpose(1, 2).flatten(2)  # (B, N, L)
        features = self.norms[0](features + self.dropout(self.out(taken)))  # (B, N, L)
        return self.norms[1](features + self.perceptron(features))


class Flowformer(OtherNetwork):
    """B series, C channels, N time points of the longest series, L the width, K classes."""

    config: FlowformerConfig
    of_config = FlowformerConfig

    def __init__(self, config: FlowformerConfig) -> None:
        super().__init__(config)
        self.of_values = nn.Linear(config.n_channels, config.width)
        self.positions = nn.Parameter(nn.init.uniform_(torch.empty(config.n_timepoints, config.width), -0.02, 0.02))
        self.layers = nn.ModuleList(FlowLayer(config) for _ in range(config.n_layers))
        self.norm, self.dropout = nn.LayerNorm(config.width), Dropout(config.dropout)
        self.head = ActivatedHead(config.n_timepoints, config.width, config.n_classes, config.dropout)

    @property
    def n_stages(self) -> int:
        """After each layer."""
        return len(self.layers)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``, T at most N."""
        values, observed = to_full_length(values, mask, self.config.n_timepoints)  # (B, C, N), (B, N)
        embedded = self.of_values(values.transpose(1, 2)) * math.sqrt(self.config.width)  # (B, N, L)
        features = self.dropout(embedded + self.positions)  # (B, N, L)
        for layer in self.layers:
            features = stage(layer, features, observed)  # (B, N, L)
        return self.head(self.norm(features), observed)  # (B, K)
