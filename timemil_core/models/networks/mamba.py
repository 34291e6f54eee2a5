"""Mamba (Gu and Dao 2023): a state space whose step, input and output each time point chooses for itself.

Inside a block sizes are the paper's (expansion 2, 16 states, 4 taps); it is 64 wide, for a CPU. A language model: the
mean over time and a linear map, which classify here, are not the paper's. Nothing sees the future.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, silu, softplus

from timemil_core.models.fast.checkpointing import stage
from timemil_core.models.fast.precision import in_float32
from timemil_core.models.networks.base import MeanHead, OtherNetwork
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.selective_scan import selective_scan
from timemil_core.setting_checks import Check, whole

WIDTH, EXPANSION, N_STATES, TAPS = 64, 2, 16, 4
SHORTEST_STEP, LONGEST_STEP = 0.001, 0.1


@dataclass(frozen=True)
class MambaConfig(OtherConfig):
    """``n_blocks``: one behind the other."""

    n_blocks: int = 8

    checks: ClassVar[dict[str, Check]] = {"n_blocks": whole(1, 22)}


class Mamba(OtherNetwork):
    """B series, C channels, T time points, L features, D = 2 L inside a block, S states of each, K classes."""

    config: MambaConfig
    of_config = MambaConfig

    def __init__(self, config: MambaConfig) -> None:
        super().__init__(config)
        self.embedding = nn.Linear(config.n_channels, WIDTH)
        self.blocks = nn.ModuleList(MambaBlock(WIDTH) for _ in range(config.n_blocks))
        self.normalisation = RootMeanSquareNorm(WIDTH, eps=1e-5)
        self.head = MeanHead(WIDTH, config.n_classes)

    @property
    def n_stages(self) -> int:
        """One a block."""
        return self.config.n_blocks

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``."""
        if mask is not None:
            values = values * mask[:, None, :]  # (B, C, T)
        features = self.embedding(values.transpose(1, 2))  # (B, T, L)
        for block in self.blocks:
            features = stage(block, features)  # (B, T, L)
        return self.head(self.normalisation(features), mask)  # (B, K)


class MambaBlock(nn.Module):
    """A normalisation, a short convolution, the selective state spaces, a gate, and what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        inner, self.rank = EXPANSION * width, math.ceil(width / 16)
        self.normalisation = RootMeanSquareNorm(width, eps=1e-5)
        self.entrance = nn.Linear(width, 2 * inner, bias=False)
        self.convolution = nn.Conv1d(inner, inner, TAPS, groups=inner)
        self.selection = nn.Linear(inner, self.rank + 2 * N_STATES, bias=False)
        self.step = nn.Linear(self.rank, inner)
        nn.init.uniform_(self.step.weight, -(self.rank**-0.5), self.rank**-0.5)
        spread = torch.rand(inner) * math.log(LONGEST_STEP / SHORTEST_STEP)
        steps = (spread + math.log(SHORTEST_STEP)).exp()
        self.step.bias = nn.Parameter(steps + (-(-steps).expm1()).log())  # softplus makes them steps again
        self.log_fading = nn.Parameter(torch.arange(1, N_STATES + 1).float().log()[:, None].repeat(1, inner))  # (S, D)
        self.direct = nn.Parameter(torch.ones(inner))  # (D,)
        self.exit = nn.Linear(inner, width, bias=False)

    def forward(self, features: Tensor) -> Tensor:
        """``(B, T, L)`` to the same."""
        driving, gate = self.entrance(self.normalisation(features)).chunk(2, dim=2)  # (B, T, D) each
        driving = silu(self.convolution(pad(driving.transpose(1, 2), (TAPS - 1, 0))).transpose(1, 2))  # (B, T, D)
        chosen = self.selection(driving).split([self.rank, N_STATES, N_STATES], dim=2)  # (B, T, rank or S) each
        steps = softplus(self.step(chosen[0]))  # (B, T, D)
        out = selective_scan(driving, steps, chosen[1], chosen[2], -self.log_fading.exp())  # (B, T, D)
        return features + self.exit((out + driving * self.direct) * silu(gate))  # (B, T, L)


class RootMeanSquareNorm(nn.RMSNorm):
    """PyTorch's, in float32 always."""

    @in_float32
    def forward(self, features: Tensor) -> Tensor:
        """``(B, T, L)`` to the same."""
        return super().forward(features)
