"""RLinear and RMLP (Li et al. 2023, "Revisiting long-term time series forecasting"): linear maps over time, reversible.

Each channel of a series loses its mean and its deviation, is mapped over time by maps that the channels share, and is
given them back (reversible instance normalisation, Kim et al. 2022). RMLP puts a perceptron with a residual before the
linear map. Both forecast; as classifiers they have the head of TimesNet's benchmark (Wu et al. 2023) and not one of
their own paper: the maps keep the length, and what comes out is laid flat for a linear map. The width of 512 is that
of the authors' scripts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor, nn

from timemil_core.models.networks.base import FlattenHead, OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.forecasting_parts import PAIRS_FIT, ReversibleInstanceNorm
from timemil_core.setting_checks import Check, whole


@dataclass(frozen=True)
class RLinearConfig(OtherConfig):
    """RLinear has no settings of its own, but a weight for each pair of time points."""

    checks: ClassVar[dict[str, Check]] = PAIRS_FIT


@dataclass(frozen=True)
class RMLPConfig(OtherConfig):
    """``width`` is the number of hidden units of the perceptron over time."""

    width: int = 512

    checks: ClassVar[dict[str, Check]] = {**PAIRS_FIT, "width": whole(1, 10_000)}


class RLinear(OtherNetwork):
    """B series, C channels, N time points of the longest series, K classes; the map is shared by the channels."""

    of_config: ClassVar[type[OtherConfig]] = RLinearConfig

    def __init__(self, config: OtherConfig) -> None:
        super().__init__(config)
        self.normalisation = ReversibleInstanceNorm(config.n_channels)
        self.over_time = nn.Linear(config.n_timepoints, config.n_timepoints)
        self.head = FlattenHead(config.n_timepoints, config.n_channels, config.n_classes)

    def before(self, values: Tensor) -> Tensor:
        """Return ``(B, C, N)``, what the linear map is given: here nothing is done."""
        return values

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``, T at most N."""
        values, observed = to_full_length(values, mask, self.config.n_timepoints)  # (B, C, N), (B, N)
        normal, mean, deviation = self.normalisation(values, observed)  # (B, C, N), (B, C, 1), (B, C, 1)
        mapped = self.over_time(self.before(normal))  # (B, C, N)
        restored = self.normalisation.restore(mapped, mean, deviation)  # (B, C, N)
        return self.head(restored.transpose(1, 2), observed)  # (B, K)


class RMLP(RLinear):
    """RLinear behind a perceptron over time, W hidden units."""

    config: RMLPConfig
    of_config = RMLPConfig

    def __init__(self, config: RMLPConfig) -> None:
        super().__init__(config)
        length = config.n_timepoints
        self.perceptron = nn.Sequential(nn.Linear(length, config.width), nn.ReLU(), nn.Linear(config.width, length))

    def before(self, values: Tensor) -> Tensor:
        """Return ``(B, C, N)``."""
        return values + self.perceptron(values)
