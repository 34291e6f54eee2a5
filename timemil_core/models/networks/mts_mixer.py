"""MTS-Mixers (Li et al. 2023): perceptrons over time and over channels in turn, both factorised.

Over time: the series is taken apart into interleaved ones, each has a perceptron of its own, and they are put together
again. Over channels: a perceptron through fewer units than there are channels, for channels say much the same. The
series' mean and deviation are taken off before and given back after (reversible instance normalisation), as the
authors' scripts do. As a classifier it has the head of TimesNet's benchmark (Wu et al. 2023), and not one of its own
paper: all time points flat, a linear map, which stands in the place of the projection to what is forecast. Two layers
and two interleaved series are the scripts'; 256 hidden units over time are half of theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from timemil_core.models.fast.checkpointing import stage
from timemil_core.models.networks.base import FlattenHead, OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.forecasting_parts import ReversibleInstanceNorm
from timemil_core.setting_checks import Check, whole

MOST_CHANNEL_UNITS = 64


@dataclass(frozen=True)
class MTSMixerConfig(OtherConfig):
    """``width`` is the number of hidden units over time, ``interleaved`` the number of series that it is taken into."""

    n_layers: int = 2
    width: int = 256
    interleaved: int = 2

    checks: ClassVar[dict[str, Check]] = {
        "n_layers": whole(1, 100),
        "width": whole(1, 10_000),
        "interleaved": whole(1, 100),
    }


def perceptron(n_in: int, n_hidden: int) -> nn.Sequential:
    """Return a map through hidden units back to the size that came in."""
    return nn.Sequential(nn.Linear(n_in, n_hidden), nn.GELU(), nn.Linear(n_hidden, n_in))


class MixerLayer(nn.Module):
    """B series, C channels, N time points."""

    def __init__(self, config: MTSMixerConfig) -> None:
        super().__init__()
        n_channels, length = config.n_channels, config.n_timepoints
        # Of one channel alone a layer normalisation would leave nothing.
        self.norms = nn.ModuleList(nn.LayerNorm(n_channels) if n_channels > 1 else nn.Identity() for _ in range(2))
        n_parts = min(config.interleaved, length)
        self.over_time = nn.ModuleList(perceptron(len(range(i, length, n_parts)), config.width) for i in range(n_parts))
        self.over_channels = perceptron(n_channels, min(max(n_channels // 2, 4), MOST_CHANNEL_UNITS))

    def forward(self, features: Tensor, mask: Tensor) -> Tensor:
        """``(B, N, C)`` to the same, zero where not observed."""
        normal = (self.norms[0](features) * mask[..., None]).transpose(1, 2)  # (B, C, N)
        mixed = torch.empty_like(normal)  # (B, C, N)
        for first, one in enumerate(self.over_time):
            mixed[..., first :: len(self.over_time)] = one(normal[..., first :: len(self.over_time)])
        features = features + mixed.transpose(1, 2)  # (B, N, C)
        return (features + self.over_channels(self.norms[1](features))) * mask[..., None]


class MTSMixer(OtherNetwork):
    """B series, C channels, N time points of the longest series, K classes."""

    config: MTSMixerConfig
    of_config = MTSMixerConfig

    def __init__(self, config: MTSMixerConfig) -> None:
        super().__init__(config)
        self.normalisation = ReversibleInstanceNorm(config.n_channels)
        self.layers = nn.ModuleList(MixerLayer(config) for _ in range(config.n_layers))
        self.head = FlattenHead(config.n_timepoints, config.n_channels, config.n_classes)

    @property
    def n_stages(self) -> int:
        """After each layer."""
        return len(self.layers)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``, T at most N."""
        values, observed = to_full_length(values, mask, self.config.n_timepoints)  # (B, C, N), (B, N)
        normal, mean, deviation = self.normalisation(values, observed)  # (B, C, N), (B, C, 1), (B, C, 1)
        features = normal.transpose(1, 2)  # (B, N, C)
        for layer in self.layers:
            features = stage(layer, features, observed)  # (B, N, C)
        restored = self.normalisation.restore(features.transpose(1, 2), mean, deviation)  # (B, C, N)
        return self.head(restored.transpose(1, 2), observed)  # (B, K)
