"""Small networks and series for the model tests."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from timemil_core.models.config import ModelConfig
from timemil_core.models.timemil import TimeMIL

SMALL: dict[str, Any] = {
    "n_channels": 2,
    "n_classes": 3,
    "embedding_width": 8,
    "n_heads": 2,
    "head_size": 4,
    "n_landmarks": 4,
    "wavelet_size": 5,
}


def small_config(**changes: Any) -> ModelConfig:
    """A network of a few thousand weights."""
    return ModelConfig(**{**SMALL, **changes})


def small_network(seed: int = 0, **changes: Any) -> TimeMIL:
    """In eval mode, with batch statistics that are not the trivial 0 and 1."""
    torch.manual_seed(seed)
    network = TimeMIL(small_config(**changes))
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm1d):
            module.running_mean.normal_()
            module.running_var.uniform_(0.5, 2.0)
    return network.eval()


def batch(
    lengths: list[int], padded_to: int, seed: int = 0, n_channels: int = 2
) -> tuple[list[Tensor], Tensor, Tensor]:
    """Return series ``(n_channels, length)``, the padded batch, with rubbish in the padding, and its mask."""
    generator = torch.Generator().manual_seed(seed)
    series = [torch.randn(n_channels, length, generator=generator) for length in lengths]
    values = torch.full((len(lengths), n_channels, padded_to), 1e3)
    mask = torch.zeros(len(lengths), padded_to, dtype=torch.bool)
    for row, one in enumerate(series):
        values[row, :, : one.shape[1]] = one
        mask[row, : one.shape[1]] = True
    return series, values, mask
