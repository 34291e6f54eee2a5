"""Crossformer's encoder (Zhang and Yan 2023): segments of each channel are tokens; time and channels attend in turn.

Within a channel the segments attend to each other; then, at each place in time, the channels do, by way of a few
learned routers that gather from all and give back to all, so that a thousand channels cost a thousand times as much and
not a million times. Between layers neighbouring segments are merged. As a classifier it has the head of TimesNet's
benchmark (Wu et al. 2023), and not one of its own paper: what the last layer says of all segments flat, dropout, a
linear map. Segments of 12, three layers, ten routers, four heads and a dropout of 0.2 are the authors' defaults, the
widths of 64 and 128 half of that benchmark's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from timemil_core.models.drawing import Dropout
from timemil_core.models.fast.checkpointing import stage
from timemil_core.models.masking import hold_observed, nearest_observed
from timemil_core.models.networks.base import OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.forecasting_parts import TokenAttention, check_heads
from timemil_core.setting_checks import SHARE, Check, whole


@dataclass(frozen=True)
class CrossformerConfig(OtherConfig):
    """``segment`` in time points; ``width`` of a token, a multiple of ``n_heads``."""

    segment: int = 12
    n_layers: int = 3
    width: int = 64
    n_heads: int = 4
    inner_width: int = 128
    n_routers: int = 10
    dropout: float = 0.2

    checks: ClassVar[dict[str, Check]] = {
        "segment": whole(1, 100_000),
        "n_layers": whole(1, 30),
        "width": whole(1, 10_000),
        "n_heads": whole(1, 1_000),
        "inner_width": whole(1, 100_000),
        "n_routers": whole(1, 1_000),
        "dropout": SHARE,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        check_heads(self.width, self.n_heads)


class AddAndNorm(nn.Module):
    """What attention says is added and normalised; then the same of a perceptron."""

    def __init__(self, config: CrossformerConfig) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(config.width) for _ in range(2))
        self.perceptron = nn.Sequential(
            nn.Linear(config.width, config.inner_width), nn.GELU(), nn.Linear(config.inner_width, config.width)
        )
        self.dropout = Dropout(config.dropout)

    def forward(self, tokens: Tensor, said: Tensor) -> Tensor:
        """``(…, L)`` twice to the same."""
        tokens = self.norms[0](tokens + said)
        return self.norms[1](tokens + self.dropout(self.perceptron(tokens)))


class TwoStageLayer(nn.Module):
    """B series, C channels, S segments, L features, R routers."""

    def __init__(self, n_segments: int, config: CrossformerConfig) -> None:
        super().__init__()
        self.over_time, self.gather, self.give_back = (
            TokenAttention(config.width, config.n_heads, config.dropout) for _ in range(3)
        )
        self.routers = nn.Parameter(torch.randn(n_segments, config.n_routers, config.width))
        self.after_time, self.after_channels = AddAndNorm(config), AddAndNorm(config)

    def forward(self, tokens: Tensor, seen: Tensor) -> Tensor:
        """``(B, C, S, L)`` to the same; ``seen`` is ``(B, S)``."""
        n_series, n_channels = tokens.shape[:2]
        of_channel = tokens.flatten(0, 1)  # (B C, S, L)
        said = self.over_time(of_channel, of_channel, seen.repeat_interleave(n_channels, dim=0))  # (B C, S, L)
        of_channel = self.after_time(of_channel, said)  # (B C, S, L)
        of_segment = of_channel.unflatten(0, (n_series, n_channels)).transpose(1, 2).flatten(0, 1)  # (B S, C, L)
        routed = self.gather(self.routers.repeat(n_series, 1, 1), of_segment)  # (B S, R, L)
        of_segment = self.after_channels(of_segment, self.give_back(of_segment, routed))  # (B S, C, L)
        return of_segment.unflatten(0, (n_series, -1)).transpose(1, 2)


class Merge(nn.Module):
    """Two neighbouring segments become one; what stands behind the last repeats it, as in the paper."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm, self.linear = nn.LayerNorm(2 * width), nn.Linear(2 * width, width)

    def forward(self, tokens: Tensor, seen: Tensor) -> tuple[Tensor, Tensor]:
        """``(B, C, S, L)`` and ``(B, S)`` to half the segments, rounded up."""
        seen = pad(seen, (0, seen.shape[1] % 2))  # (B, S)
        filled = pad(tokens, (0, 0, 0, seen.shape[1] - tokens.shape[2])).permute(0, 1, 3, 2)  # (B, C, L, S)
        held = hold_observed(filled.flatten(1, 2), nearest_observed(seen)).view_as(filled)  # (B, C, L, S)
        pairs = held.permute(0, 1, 3, 2).unflatten(2, (-1, 2)).flatten(3)  # (B, C, S / 2, 2 L)
        return self.linear(self.norm(pairs)), seen.unflatten(1, (-1, 2)).any(dim=2)


class Crossformer(OtherNetwork):
    """B series, C channels, N time points of the longest series, P in a segment, S segments, L the width, K classes."""

    config: CrossformerConfig
    of_config = CrossformerConfig

    def __init__(self, config: CrossformerConfig) -> None:
        super().__init__(config)
        numbers = [-(-config.n_timepoints // config.segment)]
        for _ in range(config.n_layers - 1):
            numbers.append(-(-numbers[-1] // 2))
        self.n_segments = numbers[0]
        self.of_segment = nn.Linear(config.segment, config.width)
        self.positions = nn.Parameter(torch.randn(config.n_channels, numbers[0], config.width))
        self.norm, self.dropout = nn.LayerNorm(config.width), Dropout(config.dropout)
        self.layers = nn.ModuleList(TwoStageLayer(number, config) for number in numbers)
        self.merges = nn.ModuleList(Merge(config.width) for _ in numbers[1:])
        self.head = nn.Linear(config.n_channels * numbers[-1] * config.width, config.n_classes)

    @property
    def n_stages(self) -> int:
        """After each layer."""
        return len(self.layers)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``, T at most N."""
        values, observed = to_full_length(values, mask, self.config.n_timepoints)  # (B, C, N), (B, N)
        beyond = (0, self.n_segments * self.config.segment - values.shape[2])
        values, observed = pad(values, beyond), pad(observed, beyond)  # (B, C, S P), (B, S P)
        held = hold_observed(values, nearest_observed(observed)).unflatten(2, (self.n_segments, -1))  # (B, C, S, P)
        seen = observed.unflatten(1, (self.n_segments, -1)).any(dim=2)  # (B, S)
        tokens = self.dropout(self.norm(self.of_segment(held) + self.positions))  # (B, C, S, L)
        for i, layer in enumerate(self.layers):
            if i > 0:
                tokens, seen = self.merges[i - 1](tokens, seen)  # (B, C, S / 2, L), (B, S / 2)
            tokens = stage(layer, tokens, seen)  # (B, C, S, L)
        return self.head(self.dropout((tokens * seen[:, None, :, None]).flatten(1)))  # (B, K)
