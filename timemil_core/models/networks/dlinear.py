"""DLinear (Zeng et al. 2023): a series is trend plus remainder, and each is mapped over time by one linear map.

A forecaster. As a classifier, as Wu et al. 2023 (TimesNet) took it: the maps keep the length, their sum is laid out
flat, and a linear map gives the logits. All of it is linear.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import conv1d, pad

from timemil_core.models.networks.base import FlattenHead, OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.forecasting_parts import PAIRS_FIT
from timemil_core.setting_checks import Check

WINDOW = 25  # time points of the moving average, as in the paper


@dataclass(frozen=True)
class DLinearConfig(OtherConfig):
    """DLinear has no settings of its own, but two weights for each pair of time points."""

    checks: ClassVar[dict[str, Check]] = PAIRS_FIT


class DLinear(OtherNetwork):
    """B series, C channels, N time points of the longest series, K classes; the maps are shared by the channels."""

    of_config = DLinearConfig

    def __init__(self, config: OtherConfig) -> None:
        super().__init__(config)
        length = config.n_timepoints
        self.of_trend, self.of_remainder = nn.Linear(length, length), nn.Linear(length, length)
        for one in (self.of_trend, self.of_remainder):
            nn.init.constant_(one.weight, 1 / length)  # the mean of all, as the paper begins
        self.head = FlattenHead(length, config.n_channels, config.n_classes)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``, T at most N."""
        values, observed = to_full_length(values, mask, self.config.n_timepoints)  # (B, C, N), (B, N)
        trend = moving_mean(values, observed, WINDOW)  # (B, C, N)
        mapped = self.of_trend(trend) + self.of_remainder(values - trend)  # (B, C, N)
        return self.head(mapped.transpose(1, 2), observed)  # (B, K)


def moving_mean(values: Tensor, mask: Tensor, window: int) -> Tensor:
    """Return the mean of the observed time points in a window around each: ``(B, C, T)``, zero where not observed."""
    ones = torch.ones(1, 1, window, dtype=values.dtype, device=values.device)
    around = ((window - 1) // 2, window // 2)
    observed = mask[:, None].to(values.dtype)  # (B, 1, T)
    n_seen = conv1d(pad(observed, around), ones)  # (B, 1, T)
    sums = conv1d(pad((values * observed).flatten(0, 1)[:, None], around), ones).view_as(values)  # (B, C, T)
    return sums / n_seen.clamp(min=1) * observed
