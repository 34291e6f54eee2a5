"""MICN (Wang et al. 2023): at several scales, blocks of time points are convolved with all that came before them.

At each scale the moving mean is taken off, a convolution makes one token of each block, and a convolution as long as
the series of tokens (the paper's isometric convolution) lets each see all earlier ones; a transposed convolution goes
back to time points. A linear map merges the scales. As a classifier it is taken as in TimesNet's benchmark (Wu et al.
2023), and not as in its own paper: the regression of the trend, which only forecasts, is left out, and the head is all
time points flat. Scales of 12 and 16 and one layer are the authors' defaults; the width is 64 instead of 512.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from timemil_core.models.drawing import Dropout
from timemil_core.models.fast.checkpointing import stage
from timemil_core.models.fast.precision import in_float32
from timemil_core.models.networks.base import OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.dlinear import moving_mean
from timemil_core.models.networks.forecasting_parts import ActivatedHead, PointEmbedding
from timemil_core.setting_checks import SHARE, Check, several, whole


@dataclass(frozen=True)
class MICNConfig(OtherConfig):
    """``scales`` are the time points of a block; one that is longer than the series is as long as the series."""

    scales: tuple[int, ...] = (12, 16)
    n_layers: int = 1
    width: int = 64
    dropout: float = 0.05

    checks: ClassVar[dict[str, Check]] = {
        "scales": several(1, 100_000, 10),
        "n_layers": whole(1, 100),
        "width": whole(2, 10_000),
        "dropout": SHARE,
    }

    def __post_init__(self) -> None:
        object.__setattr__(self, "scales", as_tuple(self.scales))
        super().__post_init__()


def as_tuple(given: Any) -> Any:
    """Return a list, as JSON gives several numbers, as a tuple, and all else as it is."""
    return tuple(given) if isinstance(given, list) else given


class IsometricConvolution(nn.Module):
    """A convolution as long as what it convolves, by Fourier transforms: each token sees all up to itself."""

    def __init__(self, width: int, n_tokens: int) -> None:
        super().__init__()
        bound = 1 / math.sqrt(width * n_tokens)
        self.weight = nn.Parameter(nn.init.uniform_(torch.empty(width, width, n_tokens), -bound, bound))
        self.bias = nn.Parameter(torch.zeros(width, 1))

    def forward(self, tokens: Tensor) -> Tensor:
        """``(B, L, S)`` to the same; a weight's last axis says how many tokens ago."""
        return _convolved(tokens, self.weight) + self.bias


@in_float32
def _convolved(tokens: Tensor, weight: Tensor) -> Tensor:
    n_tokens = tokens.shape[2]
    length = 2 * n_tokens  # so that the end does not reach around to the beginning
    spectrum = torch.fft.rfft(tokens, length).permute(2, 0, 1)  # (F, B, L)
    response = torch.fft.rfft(weight, length).permute(2, 1, 0)  # (F, L, L)
    return torch.fft.irfft((spectrum @ response).permute(1, 2, 0), length)[..., :n_tokens]  # (B, L, S)


class Scale(nn.Module):
    """B series, N time points, L features, S blocks of P time points."""

    def __init__(self, block: int, config: MICNConfig) -> None:
        super().__init__()
        self.block, self.n_blocks = block, -(-config.n_timepoints // block)
        self.down = nn.Conv1d(config.width, config.width, block, stride=block)
        self.isometric = IsometricConvolution(config.width, self.n_blocks)
        self.up = nn.ConvTranspose1d(config.width, config.width, block, stride=block)
        self.token_norm, self.norm = nn.LayerNorm(config.width), nn.LayerNorm(config.width)
        self.dropout = Dropout(config.dropout)

    def forward(self, features: Tensor, mask: Tensor) -> Tensor:
        """``(B, N, L)``, zero where not observed, to the same."""
        values = features.transpose(1, 2)  # (B, L, N)
        remainder = values - moving_mean(values, mask, self.block + 1 - self.block % 2)  # (B, L, N)
        filled = pad(remainder, (0, self.block * self.n_blocks - values.shape[2]))  # (B, L, S P)
        tokens = self.dropout(self.down(filled).tanh())  # (B, L, S)
        mixed = self.dropout(self.isometric(tokens).tanh())  # (B, L, S)
        tokens = self.token_norm((tokens + mixed).transpose(1, 2)).transpose(1, 2)  # (B, L, S)
        points = self.dropout(self.up(tokens).tanh())[..., : values.shape[2]]  # (B, L, N)
        return self.norm((remainder + points).transpose(1, 2)) * mask[..., None]


class Layer(nn.Module):
    """The scales side by side, merged, then a perceptron at each time point."""

    def __init__(self, config: MICNConfig) -> None:
        super().__init__()
        width = config.width
        blocks = sorted({min(scale, config.n_timepoints) for scale in config.scales})
        self.scales = nn.ModuleList(Scale(block, config) for block in blocks)
        self.merge = nn.Linear(width * len(blocks), width)
        self.perceptron = nn.Sequential(nn.Linear(width, 4 * width), nn.ReLU(), nn.Linear(4 * width, width))
        self.norm = nn.LayerNorm(width)

    def forward(self, features: Tensor, mask: Tensor) -> Tensor:
        """``(B, N, L)``, zero where not observed, to the same."""
        merged = self.merge(torch.cat([scale(features, mask) for scale in self.scales], dim=2))  # (B, N, L)
        return self.norm(merged + self.perceptron(merged)) * mask[..., None]


class MICN(OtherNetwork):
    """B series, C channels, N time points of the longest series, L the width, K classes."""

    config: MICNConfig
    of_config = MICNConfig

    def __init__(self, config: MICNConfig) -> None:
        super().__init__(config)
        self.embedding = PointEmbedding(config.n_channels, config.width, config.dropout)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.n_layers))
        self.head = ActivatedHead(config.n_timepoints, config.width, config.n_classes, config.dropout)

    @property
    def n_stages(self) -> int:
        """After each layer."""
        return len(self.layers)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``, T at most N."""
        values, observed = to_full_length(values, mask, self.config.n_timepoints)  # (B, C, N), (B, N)
        features = self.embedding(values, observed)  # (B, N, L)
        for layer in self.layers:
            features = stage(layer, features, observed)  # (B, N, L)
        return self.head(features, observed)  # (B, K)
