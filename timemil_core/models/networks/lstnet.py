"""LSTNet (Lai et al. 2018): a convolution, a GRU over it, a second GRU that skips a period, and a linear part beside.

A forecaster. As a classifier: what it would forecast from is computed after every time point, its mean over time is
mapped to the logits, and the linear part's forecasts likewise; this head is not the paper's. Sizes as in the paper's
code: its period of 24 is that of hours in a day, and a setting here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from timemil_core.models.drawing import Dropout
from timemil_core.models.networks.base import MeanHead, OtherNetwork
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.recurrent import states_of
from timemil_core.setting_checks import Check, whole

WIDTH, TAPS = 100, 6  # of the convolution; the GRU has as many cells
N_SKIPPING = 5  # cells of the GRU that skips
WINDOW = 24  # time points of the linear part
DROPPED = 0.2


@dataclass(frozen=True)
class LSTNetConfig(OtherConfig):
    """``period``: time points from a state of the second GRU to that before."""

    period: int = 24

    checks: ClassVar[dict[str, Check]] = {"period": whole(1, 100_000)}


class LSTNet(OtherNetwork):
    """B series, C channels, T time points, P the period, W features, H cells, K classes. Nothing sees the future."""

    config: LSTNetConfig
    of_config = LSTNetConfig

    def __init__(self, config: LSTNetConfig) -> None:
        super().__init__(config)
        self.convolution = nn.Conv1d(config.n_channels, WIDTH, TAPS)
        self.gru = nn.GRU(WIDTH, WIDTH, batch_first=True)
        self.skipping_gru = nn.GRU(WIDTH, N_SKIPPING, batch_first=True)
        self.linear_part = nn.Conv1d(1, 1, WINDOW)  # the same for every channel
        self.dropout = Dropout(DROPPED)
        self.head = MeanHead(WIDTH + N_SKIPPING, config.n_classes)
        self.linear_head = MeanHead(config.n_channels, config.n_classes)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``."""
        if mask is not None:
            values = values * mask[:, None, :]  # (B, C, T)
        forecasts = self.linear_part(pad(values, (WINDOW - 1, 0)).flatten(0, 1)[:, None])  # (B C, 1, T)
        return self.head(self.states(values), mask) + self.linear_head(
            forecasts.view_as(values).transpose(1, 2), mask
        )  # (B, K)

    def states(self, values: Tensor) -> Tensor:
        """Return both GRUs' states after each time point: ``(B, T, W + H)``."""
        features = self.dropout(self.convolution(pad(values, (TAPS - 1, 0))).relu()).transpose(1, 2)  # (B, T, W)
        states = torch.cat([states_of(self.gru, features), self._skipping(features)], dim=2)  # (B, T, W + H)
        return self.dropout(states)

    def _skipping(self, features: Tensor) -> Tensor:
        n_series, n_timepoints, width = features.shape
        period = min(self.config.period, n_timepoints)  # of a longer one each time point would be the first
        whole_periods = pad(features, (0, 0, 0, -n_timepoints % period))  # (B, T', W), T' a multiple of P
        phases = whole_periods.view(n_series, -1, period, width).transpose(1, 2).flatten(0, 1)  # (B P, T'/P, W)
        states = states_of(self.skipping_gru, phases).view(n_series, period, -1, N_SKIPPING)  # (B, P, T'/P, H)
        return states.transpose(1, 2).flatten(1, 2)[:, :n_timepoints]  # (B, T, H)
