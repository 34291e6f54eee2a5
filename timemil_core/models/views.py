"""Backbones side by side, some of which see farther: an instance of each is evidence of no more than it has seen.

A pattern is placed no better than the view that found it is wide, and not found at all by one that is too narrow. So
each width has a backbone of its own, whose features stand beside the others' in an instance.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from timemil_core.models.backbone import InceptionBlock, InceptionTimeBackbone
from timemil_core.models.config import ModelConfig


class SeveralViews(nn.Module):
    """The feature extractor f from several backbones, ``views`` of one embedding."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.views = nn.ModuleList(_backbone(config, factor) for factor in config.views)

    def forward(self, values: Tensor, mask: Tensor | None = None) -> Tensor:
        """Embed each time point; as ``InceptionTimeBackbone``, the views' shares of ``L`` in their order."""
        return torch.cat([view(values, mask) for view in self.views], dim=2)


def build_backbone(config: ModelConfig) -> InceptionTimeBackbone | SeveralViews:
    """Return a new backbone as configured."""
    return _backbone(config, config.views[0]) if len(config.views) == 1 else SeveralViews(config)


def blocks_of(network: nn.Module) -> dict[str, InceptionBlock]:
    """Return the residual blocks of a network's backbone by their names, those of a view together, input first."""
    return {name: one for name, one in network.named_modules() if isinstance(one, InceptionBlock)}


def views_of(network: nn.Module) -> list[nn.Module]:
    """Return the backbones of a network, the view of each its own."""
    backbone = network.backbone
    assert isinstance(backbone, nn.Module)
    return list(backbone.views) if isinstance(backbone, SeveralViews) else [backbone]


def _backbone(config: ModelConfig, factor: int) -> InceptionTimeBackbone:
    sizes = [factor * size for size in config.kernel_sizes]
    width = config.embedding_width // len(config.views)
    return InceptionTimeBackbone(config.n_channels, width, sizes, config.n_modules)
