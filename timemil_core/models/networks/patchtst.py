"""PatchTST (Nie et al. 2023): overlapping patches of each channel are tokens, and channels do not see each other.

The patches of a channel attend to each other in an encoder that the channels share, with batch normalisations instead
of layer normalisations. As a classifier it has a head that is not of its own paper, which forecasts: the mean over the
patches, for each channel, then dropout and a linear map. (All patches flat, as in TimesNet's benchmark, Wu et al. 2023,
a few series are learned by heart.) The paper takes mean and deviation off each channel of each series first and gives
them back at the end, an option of its code. Here that is off, for the size of a movement may be what tells classes
apart; where it is on, the head is given both, the deviation as its logarithm. Patches of 16 at steps of 8, three layers
and 128 inner units are the paper's, without its residual attention; the width of 64 and four heads lie between its
two sizes, and a dropout of 0.1 is that benchmark's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from timemil_core.models.drawing import Dropout
from timemil_core.models.fast.checkpointing import stage
from timemil_core.models.masking import MaskedBatchNorm, hold_observed, masked_mean, nearest_observed
from timemil_core.models.networks.base import OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.forecasting_parts import TokenAttention, check_heads, mean_and_deviation
from timemil_core.setting_checks import SHARE, YES_OR_NO, Check, whole


@dataclass(frozen=True)
class PatchTSTConfig(OtherConfig):
    """``patch`` and ``step`` in time points; ``width`` of a token, a multiple of ``n_heads``.

    ``instance_normalisation``: whether each channel of each series loses its own mean and deviation.
    """

    patch: int = 16
    step: int = 8
    n_layers: int = 3
    width: int = 64
    n_heads: int = 4
    inner_width: int = 128
    dropout: float = 0.1
    instance_normalisation: bool = False

    checks: ClassVar[dict[str, Check]] = {
        "patch": whole(1, 100_000),
        "step": whole(1, 100_000),
        "n_layers": whole(1, 100),
        "width": whole(1, 10_000),
        "n_heads": whole(1, 1_000),
        "inner_width": whole(1, 100_000),
        "dropout": SHARE,
        "instance_normalisation": YES_OR_NO,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        check_heads(self.width, self.n_heads)


class EncoderLayer(nn.Module):
    """n series of one channel each, S tokens, L features."""

    def __init__(self, config: PatchTSTConfig) -> None:
        super().__init__()
        self.attention = TokenAttention(config.width, config.n_heads, config.dropout)
        self.perceptron = nn.Sequential(
            nn.Linear(config.width, config.inner_width),
            nn.GELU(),
            Dropout(config.dropout),
            nn.Linear(config.inner_width, config.width),
            Dropout(config.dropout),
        )
        self.norms = nn.ModuleList(MaskedBatchNorm(config.width) for _ in range(2))

    def forward(self, tokens: Tensor, seen: Tensor) -> Tensor:
        """``(n, S, L)`` to the same; ``seen`` is ``(n, S)``."""
        for part, norm in ((self.attention(tokens, tokens, seen), self.norms[0]), (None, self.norms[1])):
            added = tokens + (self.perceptron(tokens) if part is None else part)  # (n, S, L)
            tokens = norm(added.transpose(1, 2), seen).transpose(1, 2)  # (n, S, L)
        return tokens


class PatchTST(OtherNetwork):
    """B series, C channels, N time points of the longest series, P in a patch, S patches, L the width, K classes."""

    config: PatchTSTConfig
    of_config = PatchTSTConfig

    def __init__(self, config: PatchTSTConfig) -> None:
        super().__init__(config)
        beyond = max(config.n_timepoints - config.patch, 0)
        self.n_patches = beyond // config.step + 2  # the last step's worth is the last value repeated, as in the paper
        self.filled = config.patch + (self.n_patches - 1) * config.step  # time points with those held at the end
        self.of_patch = nn.Linear(config.patch, config.width)
        self.positions = nn.Parameter(nn.init.uniform_(torch.empty(self.n_patches, config.width), -0.02, 0.02))
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.n_layers))
        self.dropout = Dropout(config.dropout)
        n_features = config.width + (2 if config.instance_normalisation else 0)  # of each channel
        self.head = nn.Linear(config.n_channels * n_features, config.n_classes)

    @property
    def n_stages(self) -> int:
        """After each layer."""
        return len(self.layers)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``, T at most N."""
        values, observed = to_full_length(values, mask, self.config.n_timepoints)  # (B, C, N), (B, N)
        beside = []  # what the head is given with the tokens
        if self.config.instance_normalisation:
            mean, deviation = mean_and_deviation(values, observed)  # (B, C, 1), (B, C, 1)
            values, beside = (values - mean) / deviation, [mean, deviation.log()]  # (B, C, N)
        beyond = (0, self.filled - values.shape[2])
        values, observed = pad(values, beyond), pad(observed, beyond)  # (B, C, S'), (B, S'), S' = filled
        held = hold_observed(values, nearest_observed(observed)).flatten(0, 1)  # (B C, S'): the last value is repeated
        seen = observed.unfold(1, self.config.patch, self.config.step).any(dim=2)  # (B, S)
        of_channels = seen.repeat_interleave(values.shape[1], dim=0)  # (B C, S)
        patches = held.unfold(1, self.config.patch, self.config.step)  # (B C, S, P)
        tokens = self.dropout(self.of_patch(patches) + self.positions)  # (B C, S, L)
        for layer in self.layers:
            tokens = stage(layer, tokens, of_channels)  # (B C, S, L)
        pooled = masked_mean(tokens, of_channels).unflatten(0, values.shape[:2])  # (B, C, L)
        return self.head(self.dropout(torch.cat([pooled, *beside], dim=2)).flatten(1))  # (B, K)
