"""ModernTCN (Luo and Wang 2024): convolutions alone, with large kernels, for time, features and channels apart.

Patches of each channel become tokens. A block convolves each feature of each channel over time with a large and a small
kernel, mixes the features of each channel, and then the channels at each feature. Between stages neighbouring tokens
are merged. The head is the paper's own for classification: GELU, all tokens of all channels flat, a linear map. Patches
of 8 at steps of 4, two stages of one block, widths of 32 and 64, kernels of 13 and 5, as many units inside as outside
and a dropout of 0.1 are the authors' for EthanolConcentration. The units between channels are at most 64, since with a
thousand channels the paper's would be millions of weights for each feature.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu, pad

from timemil_core.errors import SettingsError
from timemil_core.models.drawing import Dropout
from timemil_core.models.fast.checkpointing import stage
from timemil_core.models.masking import MaskedBatchNorm, hold_observed, nearest_observed
from timemil_core.models.networks.base import OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig
from timemil_core.setting_checks import SHARE, Check, whole

MOST_CHANNEL_UNITS = 64


@dataclass(frozen=True)
class ModernTCNConfig(OtherConfig):
    """``patch`` and ``step`` in time points; ``width`` of the first stage, which each further one doubles."""

    patch: int = 8
    step: int = 4
    n_stages: int = 2
    width: int = 32
    large_kernel: int = 13
    small_kernel: int = 5
    dropout: float = 0.1

    checks: ClassVar[dict[str, Check]] = {
        "patch": whole(1, 100_000),
        "step": whole(1, 100_000),
        "n_stages": whole(1, 8),
        "width": whole(1, 10_000),
        "large_kernel": whole(1, 1_001),
        "small_kernel": whole(1, 1_001),
        "dropout": SHARE,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.large_kernel % 2 == 0 or self.small_kernel % 2 == 0:
            raise SettingsError("a kernel has no middle.", remedy="Give odd large_kernel and small_kernel.")


class GroupedPerceptron(nn.Module):
    """G perceptrons of I inputs and J hidden units, each with weights of its own."""

    def __init__(self, n_groups: int, n_in: int, n_hidden: int, dropout: float) -> None:
        super().__init__()
        sizes = ((n_in, n_hidden), (n_hidden, n_in))
        self.weights = nn.ParameterList(
            nn.init.uniform_(torch.empty(n_groups, before, after), -1 / math.sqrt(before), 1 / math.sqrt(before))
            for before, after in sizes
        )
        self.biases = nn.ParameterList(torch.zeros(n_groups, after) for _, after in sizes)
        self.dropout = Dropout(dropout)

    def forward(self, tokens: Tensor) -> Tensor:
        """``(B, n, G, I)`` to the same."""
        hidden = torch.einsum("bngi,gij->bngj", tokens, self.weights[0]) + self.biases[0]  # (B, n, G, J)
        out = torch.einsum("bngj,gji->bngi", gelu(self.dropout(hidden)), self.weights[1]) + self.biases[1]
        return self.dropout(out)


class Block(nn.Module):
    """B series, C channels, D features, n tokens."""

    def __init__(self, n_channels: int, width: int, config: ModernTCNConfig) -> None:
        super().__init__()
        of_all = n_channels * width
        kernels = (config.large_kernel, config.small_kernel)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(of_all, of_all, kernel, padding=kernel // 2, groups=of_all, bias=False) for kernel in kernels
        )
        self.convolution_norms = nn.ModuleList(MaskedBatchNorm(of_all) for _ in kernels)
        self.norm = MaskedBatchNorm(width)
        self.among_features = GroupedPerceptron(n_channels, width, width, config.dropout)
        self.among_channels = GroupedPerceptron(width, n_channels, min(n_channels, MOST_CHANNEL_UNITS), config.dropout)

    def forward(self, tokens: Tensor, seen: Tensor) -> Tensor:
        """``(B, C, D, n)``, zero where ``seen`` ``(B, n)`` is False, to the same."""
        flat = tokens.flatten(1, 2)  # (B, C D, n)
        branches = [
            norm(convolution(flat), seen)  # (B, C D, n)
            for convolution, norm in zip(self.convolutions, self.convolution_norms, strict=True)
        ]
        of_channel = (branches[0] + branches[1]).view_as(tokens).flatten(0, 1)  # (B C, D, n)
        normal = self.norm(of_channel, seen.repeat_interleave(tokens.shape[1], dim=0)).view_as(tokens)  # (B, C, D, n)
        mixed = self.among_features(normal.permute(0, 3, 1, 2))  # (B, n, C, D)
        mixed = self.among_channels(mixed.transpose(2, 3))  # (B, n, D, C)
        return (tokens + mixed.permute(0, 3, 2, 1)) * seen[:, None, None]


class ModernTCN(OtherNetwork):
    """B series, C channels, N time points of the longest series, D features, n tokens, K classes."""

    config: ModernTCNConfig
    of_config = ModernTCNConfig

    def __init__(self, config: ModernTCNConfig) -> None:
        super().__init__(config)
        beyond = max(config.n_timepoints - config.patch, 0)
        # One for each step, as the authors have it; no time point is lost where steps are wide.
        numbers, widths = [max(config.n_timepoints // config.step, -(-beyond // config.step) + 1)], [config.width]
        for _ in range(config.n_stages - 1):
            numbers.append(-(-numbers[-1] // 2))
            widths.append(2 * widths[-1])
        self.filled = config.patch + (numbers[0] - 1) * config.step  # time points with those held at the end
        self.stem = nn.Conv1d(1, config.width, config.patch, stride=config.step)
        self.stem_norm = MaskedBatchNorm(config.width)
        self.merge_norms = nn.ModuleList(MaskedBatchNorm(width) for width in widths[:-1])
        self.merges = nn.ModuleList(nn.Conv1d(width, 2 * width, 2, stride=2) for width in widths[:-1])
        self.blocks = nn.ModuleList(Block(config.n_channels, width, config) for width in widths)
        self.head = nn.Linear(config.n_channels * widths[-1] * numbers[-1], config.n_classes)

    @property
    def n_stages(self) -> int:
        """After each block."""
        return len(self.blocks)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``, T at most N."""
        values, observed = to_full_length(values, mask, self.config.n_timepoints)  # (B, C, N), (B, N)
        n_channels, beyond = values.shape[1], (0, self.filled - values.shape[2])
        values, observed = pad(values, beyond), pad(observed, beyond)  # (B, C, S), (B, S), S = filled
        held = hold_observed(values, nearest_observed(observed))  # (B, C, S): the last value is repeated
        seen = observed.unfold(1, self.config.patch, self.config.step).any(dim=2)  # (B, n)
        of_channels = seen.repeat_interleave(n_channels, dim=0)  # (B C, n)
        tokens = self.stem_norm(self.stem(held.flatten(0, 1)[:, None]), of_channels)  # (B C, D, n)
        for i, block in enumerate(self.blocks):
            if i > 0:
                normal = self.merge_norms[i - 1](tokens, of_channels)  # (B C, D, n)
                odd = (0, normal.shape[2] % 2)
                seen, filled, index = pad(seen, odd), pad(normal, odd), nearest_observed(pad(of_channels, odd))
                tokens = self.merges[i - 1](hold_observed(filled, index))  # (B C, 2 D, n / 2)
                seen = seen.unflatten(1, (-1, 2)).any(dim=2)  # (B, n / 2)
                of_channels = seen.repeat_interleave(n_channels, dim=0)  # (B C, n / 2)
            apart = (tokens * of_channels[:, None]).unflatten(0, (-1, n_channels))  # (B, C, D, n)
            tokens = stage(block, apart, seen).flatten(0, 1)  # (B C, D, n)
        return self.head(gelu(tokens).unflatten(0, (-1, n_channels)).flatten(1))  # (B, K)
