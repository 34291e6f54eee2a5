"""FEDformer, the Fourier variant (Zhou et al. 2022): a few frequencies, chosen at random, are mixed; trends are shed.

Instead of attention, a layer takes the Fourier transform over time, keeps frequencies that were drawn once, mixes the
features of each by weights of its own, and goes back. After that and after a perceptron the moving mean is taken off.
This is the encoder; as a classifier it has a head of GELU, mean over time and a linear map, and not one of its own
paper, which forecasts. (All time points flat, as in TimesNet's benchmark, Wu et al. 2023, a few series are learned by
heart.) Each frequency goes back to its own place, as the paper writes; its code puts them at the lowest. Two layers, 64
frequencies, eight heads, a window of 25 and a dropout of 0.05 are the paper's, or the nearest that is odd; the widths
are 128 and 256, as in that benchmark, instead of 512 and 2048.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from timemil_core.models.drawing import Dropout
from timemil_core.models.fast.checkpointing import stage
from timemil_core.models.fast.precision import in_float32
from timemil_core.models.masking import masked_mean
from timemil_core.models.networks.base import OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.dlinear import WINDOW, moving_mean
from timemil_core.models.networks.forecasting_parts import ActivatedMeanHead, PointEmbedding, check_heads
from timemil_core.setting_checks import SHARE, Check, whole


@dataclass(frozen=True)
class FEDformerConfig(OtherConfig):
    """``width`` of the features, a multiple of ``n_heads``; ``n_frequencies`` at most, fewer where there are fewer."""

    n_layers: int = 2
    width: int = 128
    n_heads: int = 8
    inner_width: int = 256
    n_frequencies: int = 64
    dropout: float = 0.05

    checks: ClassVar[dict[str, Check]] = {
        "n_layers": whole(1, 100),
        "width": whole(2, 10_000),
        "n_heads": whole(1, 1_000),
        "inner_width": whole(1, 100_000),
        "n_frequencies": whole(1, 100_000),
        "dropout": SHARE,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        check_heads(self.width, self.n_heads)


class FourierBlock(nn.Module):
    """B series, N time points, H heads of E features each, M of the F frequencies."""

    frequencies: Tensor

    def __init__(self, width: int, n_heads: int, n_frequencies: int, n_timepoints: int) -> None:
        super().__init__()
        there_are = n_timepoints // 2 + 1
        drawn = torch.rand(there_are).argsort()[:n_frequencies].sort().values  # (M)
        self.register_buffer("frequencies", drawn)
        size = width // n_heads
        # Real and imaginary parts.
        self.weight = nn.Parameter(torch.rand(len(drawn), n_heads, size, size, 2) / size**2)
        self.before, self.after = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, features: Tensor, mask: Tensor) -> Tensor:
        """``(B, N, L)`` to the same."""
        asked = self.before(features) * mask[..., None]  # (B, N, L)
        return self.after(mixed_at(asked, self.weight, self.frequencies))


@in_float32
def mixed_at(features: Tensor, weight: Tensor, frequencies: Tensor) -> Tensor:
    """Mix features at some frequencies and drop the others.

    Parameters
    ----------
    features
        ``(B, N, H E)``.
    weight
        ``(M, H, E, E, 2)``, real and imaginary parts; from the last but two axis to the last but one.
    frequencies
        ``(M)`` indices.

    Returns
    -------
    Tensor
        ``(B, N, H E)``.
    """
    n_heads = weight.shape[1]
    spectrum = torch.fft.rfft(features, dim=1)  # (B, F, H E)
    chosen = spectrum[:, frequencies].unflatten(2, (n_heads, -1))  # (B, M, H, E)
    mixed = torch.einsum("bmhi,mhio->bmho", chosen, torch.view_as_complex(weight)).flatten(2)  # (B, M, H E)
    result = torch.zeros_like(spectrum).index_copy(1, frequencies, mixed)  # (B, F, H E)
    return torch.fft.irfft(result, features.shape[1], dim=1)


class EncoderLayer(nn.Module):
    """B series, N time points, L features."""

    def __init__(self, config: FEDformerConfig) -> None:
        super().__init__()
        self.block = FourierBlock(config.width, config.n_heads, config.n_frequencies, config.n_timepoints)
        self.perceptron = nn.Sequential(
            nn.Linear(config.width, config.inner_width, bias=False),
            nn.GELU(),
            Dropout(config.dropout),
            nn.Linear(config.inner_width, config.width, bias=False),
            Dropout(config.dropout),
        )
        self.dropout = Dropout(config.dropout)

    def forward(self, features: Tensor, mask: Tensor) -> Tensor:
        """``(B, N, L)``, zero where not observed, to the same."""
        features = without_trend(features + self.dropout(self.block(features, mask)), mask)  # (B, N, L)
        return without_trend(features + self.perceptron(features), mask)


def without_trend(features: Tensor, mask: Tensor) -> Tensor:
    """Take off the moving mean over time: ``(B, N, L)``, zero where not observed."""
    values = features.transpose(1, 2)  # (B, L, N)
    return (values - moving_mean(values, mask, WINDOW)).transpose(1, 2) * mask[..., None]


class FEDformer(OtherNetwork):
    """B series, C channels, N time points of the longest series, L the width, K classes."""

    config: FEDformerConfig
    of_config = FEDformerConfig

    def __init__(self, config: FEDformerConfig) -> None:
        super().__init__(config)
        self.embedding = PointEmbedding(config.n_channels, config.width, config.dropout, positions=False)
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.n_layers))
        self.norm = nn.LayerNorm(config.width)
        self.head = ActivatedMeanHead(config.width, config.n_classes, config.dropout)

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
        normal = self.norm(features)  # (B, N, L)
        return self.head(normal - masked_mean(normal, observed)[:, None], observed)  # (B, K)
