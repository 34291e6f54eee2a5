"""SCINet (Liu et al. 2022): a tree that takes a series apart into every other time point and lets the halves interact.

Each node splits what it is given into even and odd time points. Two convolutional modules say by what factor each half
scales the other, two more what is then added to the one and taken from the other. The leaves are put together again in
their order and added to the series. As a classifier it has the channels mapped to a few features first, so that a
thousand of them cost little more than one, and a head of GELU, mean over time and a linear map; neither is of its own
paper, which forecasts. All time points flat, as in TimesNet's benchmark (Wu et al. 2023), a few series are learned by
heart. Three levels, taps of five and three, and a dropout of 0.25 are from the authors' scripts, which choose them set
by set; hidden units are twice the 32 features.
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
from timemil_core.models.networks.forecasting_parts import ActivatedMeanHead
from timemil_core.setting_checks import SHARE, Check, whole

TAPS = (5, 3)


@dataclass(frozen=True)
class SCINetConfig(OtherConfig):
    """``levels`` of the tree are fewer for short series, so that about four time points stand in a leaf."""

    levels: int = 3
    width: int = 32
    dropout: float = 0.25

    checks: ClassVar[dict[str, Check]] = {"levels": whole(1, 8), "width": whole(1, 10_000), "dropout": SHARE}


class GroupedModule(nn.Module):
    """The convolutional module of the paper, one for each of G parts: L features, n time points."""

    def __init__(self, n_parts: int, n_features: int, dropout: float) -> None:
        super().__init__()
        n_hidden = n_parts * 2 * n_features
        self.convolutions = nn.Sequential(
            nn.Conv1d(n_parts * n_features, n_hidden, TAPS[0], groups=n_parts),
            nn.LeakyReLU(),
            Dropout(dropout),
            nn.Conv1d(n_hidden, n_parts * n_features, TAPS[1], groups=n_parts),
            nn.Tanh(),
        )

    def forward(self, parts: Tensor, mask: Tensor) -> Tensor:
        """``(B, G, L, n)`` to the same; beyond a part's ends its outermost values stand, as in the paper."""
        held = hold_observed(parts.flatten(0, 1), nearest_observed(mask.flatten(0, 1)))  # (B G, L, n)
        around = (sum(TAPS) - 2) // 2
        filled = pad(held, (around, around), mode="replicate").view(len(parts), -1, held.shape[2] + 2 * around)
        return self.convolutions(filled).view_as(parts)


class Level(nn.Module):
    """All nodes of one level of the tree, each of which splits its part: G parts become 2 G."""

    def __init__(self, n_parts: int, n_features: int, dropout: float) -> None:
        super().__init__()
        self.scale = GroupedModule(2 * n_parts, n_features, dropout)
        self.add = GroupedModule(2 * n_parts, n_features, dropout)

    def forward(self, parts: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Split ``(B, G, L, n)``, zero where not observed, into ``(B, 2 G, L, n / 2)``; its mask is ``(B, G, n)``."""
        halves, observed = _even_and_odd(parts), _even_and_odd(mask)  # (B, 2 G, L, n / 2), (B, 2 G, n / 2)
        others_observed = _exchanged(observed)  # (B, 2 G, n / 2)
        scaled = halves * self.scale(_exchanged(halves), others_observed).exp()  # (B, 2 G, L, n / 2)
        said = self.add(_exchanged(scaled), others_observed)  # (B, 2 G, L, n / 2)
        signs = said.new_tensor([1.0, -1.0]).repeat(parts.shape[1])  # (2 G): added to the even, taken from the odd
        return (scaled + said * signs[:, None, None]) * observed[:, :, None], observed


def _even_and_odd(parts: Tensor) -> Tensor:
    """Take ``(B, G, …, n)`` apart into even and odd time points, side by side: ``(B, 2 G, …, n / 2)``."""
    return torch.stack([parts[..., 0::2], parts[..., 1::2]], dim=2).flatten(1, 2)


def _together(halves: Tensor) -> Tensor:
    """Undo ``_even_and_odd``."""
    return halves.unflatten(1, (-1, 2)).movedim(2, -1).flatten(-2)


def _exchanged(halves: Tensor) -> Tensor:
    """Put each even half where its odd one stood, and the other way round."""
    return halves.unflatten(1, (-1, 2)).flip(2).flatten(1, 2)


class Tree(nn.Module):
    """B series, L features, M time points, a multiple of 2 to the number of levels."""

    def __init__(self, n_levels: int, n_features: int, dropout: float) -> None:
        super().__init__()
        self.levels = nn.ModuleList(Level(2**level, n_features, dropout) for level in range(n_levels))

    def forward(self, values: Tensor, mask: Tensor) -> Tensor:
        """``(B, L, M)``, zero where not observed, to the same."""
        parts, observed = values[:, None], mask[:, None]  # (B, 1, L, M), (B, 1, M)
        for level in self.levels:
            parts, observed = stage(level, parts, observed)  # (B, 2 G, L, n / 2), (B, 2 G, n / 2)
        for _ in self.levels:
            parts = _together(parts)  # (B, G, L, n)
        return parts[:, 0]


class SCINet(OtherNetwork):
    """B series, C channels, T time points, M the same filled up for the tree, L the width, K classes."""

    config: SCINetConfig
    of_config = SCINetConfig

    def __init__(self, config: SCINetConfig) -> None:
        super().__init__(config)
        n_levels = min(config.levels, max(1, (config.n_timepoints // 4).bit_length() - 1))
        self.embedding = nn.Conv1d(config.n_channels, config.width, 1)
        self.tree = Tree(n_levels, config.width, config.dropout)
        self.head = ActivatedMeanHead(config.width, config.n_classes, config.dropout)

    @property
    def n_stages(self) -> int:
        """After each level of the tree."""
        return len(self.tree.levels)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``."""
        n_timepoints = values.shape[2]
        beyond = -n_timepoints % 2 ** len(self.tree.levels)
        values, observed = to_full_length(values, mask, n_timepoints + beyond)  # (B, C, M), (B, M)
        features = self.embedding(values) * observed[:, None]  # (B, L, M)
        features = features + self.tree(features, observed)  # (B, L, M)
        return self.head(features.transpose(1, 2), observed)  # (B, K)
