"""Backbones side by side, some of which see farther: an instance of each is evidence of no more than it has seen.

A pattern is placed no better than the view that found it is wide, and not found at all by one that is too narrow. So
each width has a backbone of its own, whose features stand beside the others' in an instance.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import conv1d, pad

from timemil_core.models.backbone import InceptionBlock, InceptionTimeBackbone
from timemil_core.models.config import ModelConfig
from timemil_core.models.fast.convolutions import same_padding


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


def over_what_was_seen(values: Tensor, config: ModelConfig, mask: Tensor | None = None) -> Tensor:
    """Spread what each instance of each view adds over the time points that it saw; the sums over time stay.

    Parameters
    ----------
    values
        ``(n_views, B, T, n)``; 0 where a time point is not observed.
    config
        Says what each view sees.
    mask
        ``(B, T)``, True where observed; None where all are. Nothing is spread over what is not.
    """
    observed = values.new_ones(values.shape[1:3]) if mask is None else mask.to(values.dtype)
    return torch.stack(
        [_spread(one, observed, sight_shares(config, view)) for view, one in zip(config.views, values, strict=True)]
    )


def sight_shares(config: ModelConfig, view: int) -> Tensor:
    """Return in which shares an instance of a view sees the time points around it, where no kernel prefers any.

    ``(2 r + 1,)``, its own time point midmost: the largest kernel of each module, one after the other. They sum to 1.
    """
    n_taps = view * max(config.kernel_sizes)
    left, right = (config.n_modules * side for side in same_padding(n_taps))
    flat = torch.full((1, 1, n_taps), 1 / n_taps, dtype=torch.float64)
    shares = torch.ones(1, 1, 1, dtype=torch.float64)
    for _ in range(config.n_modules):
        shares = conv1d(pad(shares, (n_taps - 1, n_taps - 1)), flat)
    return pad(shares[0, 0], (right - left, 0))


def _spread(values: Tensor, observed: Tensor, shares: Tensor) -> Tensor:
    # (B, T, n), (B, T): a time point's value goes to its neighbours, or those of them that there are
    shares = shares.to(values)
    inside = _gathered(observed[..., None], shares).clamp(min=shares[shares > 0].min())  # (B, T, 1)
    return _gathered(values / inside, shares.flip(0)) * observed[..., None]


def _gathered(values: Tensor, shares: Tensor) -> Tensor:
    apart = values.transpose(1, 2).flatten(0, 1)[:, None]  # (B n, 1, T)
    gathered = conv1d(apart, shares[None, None], padding=len(shares) // 2)
    return gathered.view(len(values), -1, values.shape[1]).transpose(1, 2)


def _backbone(config: ModelConfig, factor: int) -> InceptionTimeBackbone:
    sizes = [factor * size for size in config.kernel_sizes]
    width = config.embedding_width // len(config.views)
    return InceptionTimeBackbone(config.n_channels, width, sizes, config.n_modules)
