"""Positional encodings (Algorithm 1, line 5; equations 10 and 11). Letters: timemil.py.

One contract: ``added(instances, mask)`` is what is added to instances ``(B, T, L)``; masks ``(B, T)`` or None.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable

import torch
from torch import Tensor, nn

from timemil_core.models.config import ModelConfig
from timemil_core.models.fast.convolutions import depthwise_convolution
from timemil_core.models.wavelets import WaveletBank


class PositionalEncoding(nn.Module, ABC):
    """Adds to each instance what tells it its place in time."""

    @abstractmethod
    def added(self, instances: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the encoding alone, ``(B, T, L)``, 0 in the padding."""

    def forward(self, instances: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the instances with the encoding added."""
        return instances + self.added(instances, mask)  # X + WPE(X), (B, T, L)


class NoEncoding(PositionalEncoding):
    """Nothing added: the ablation of table 3."""

    def added(self, instances: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return zeros."""
        return torch.zeros_like(instances)  # (B, T, L)

    def forward(self, instances: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the instances as they are."""
        return instances


class SinusoidalEncoding(PositionalEncoding):
    """Sines and cosines of the time point's index (Vaswani et al. 2017, section 3.5)."""

    def added(self, instances: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the table of sines (even features) and cosines (odd features)."""
        n_timepoints, width = instances.shape[1:]
        positions = torch.arange(n_timepoints, device=instances.device, dtype=torch.float32)  # (T,)
        even = torch.arange(0, width, 2, device=instances.device, dtype=torch.float32)  # (L / 2,)
        angles = positions[:, None] * torch.exp(-math.log(10_000.0) * even / width)  # (T, L / 2)
        table = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :width].to(instances.dtype)  # (T, L)
        table = table.expand_as(instances)  # (B, T, L)
        return table if mask is None else table * mask[..., None]  # (B, T, L)


class WaveletEncoding(PositionalEncoding):
    """WPE: ``Σ_j Φ(X, Ψ_j)`` (equation 10), Φ convolving each feature with its own Mexican hat (equation 11).

    Convolution is linear: the kernels are summed first, and one convolution does the work of ``n_W``. Beyond a
    series' ends stands zero, as the convolution's own padding has it.
    """

    def __init__(self, width: int, n_wavelets: int, size: int, projection: bool) -> None:
        super().__init__()
        self.wavelets = WaveletBank(width, n_wavelets, size)
        self.projection = nn.Linear(width, width) if projection else nn.Identity()

    def added(self, instances: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return WPE(instances)."""
        kernel = self.wavelets.kernels().sum(dim=0)  # Σ_j Ψ_j, (L, size)
        return self.added_by(kernel, instances, mask)  # (B, T, L)

    def added_by(self, kernel: Tensor, instances: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return what another kernel of each feature, ``(L, size)``, adds in place of the sum of its wavelets."""
        if mask is not None:
            instances = instances * mask[..., None]  # (B, T, L)
        filtered = depthwise_convolution(instances.transpose(1, 2), kernel)  # (B, L, T)
        encoded = self.projection(filtered.transpose(1, 2))  # (B, T, L)
        return encoded if mask is None else encoded * mask[..., None]  # (B, T, L)


ENCODINGS: dict[str, Callable[[ModelConfig], PositionalEncoding]] = {
    "none": lambda config: NoEncoding(),
    "sinusoidal": lambda config: SinusoidalEncoding(),
    "wavelet": lambda config: WaveletEncoding(
        config.embedding_width, config.n_wavelets, config.wavelet_size, config.wavelet_projection
    ),
}


def build_encoding(config: ModelConfig) -> PositionalEncoding:
    """Return a new positional encoding as configured."""
    return ENCODINGS[config.positional_encoding](config)
