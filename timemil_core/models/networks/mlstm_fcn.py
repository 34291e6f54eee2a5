"""MLSTM-FCN (Karim et al. 2019): convolutions with squeeze and excitation, and beside them an LSTM.

Filters, taps, dropout and the reduction by 16 as in the paper's code; as many LSTM cells as the least that it searches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from timemil_core.models.drawing import Dropout
from timemil_core.models.masking import MaskedBatchNorm, masked_mean
from timemil_core.models.networks.base import OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.fcn import LAYERS
from timemil_core.models.networks.padding import around
from timemil_core.models.networks.recurrent import last_observed, states_of
from timemil_core.setting_checks import Check, whole

REDUCTION = 16
DROPPED = 0.8  # of what the LSTM found


@dataclass(frozen=True)
class MLSTMFCNConfig(OtherConfig):
    """``n_cells``: of the LSTM; the paper searches 8 to 128 for each data set."""

    n_cells: int = 8

    checks: ClassVar[dict[str, Check]] = {"n_cells": whole(1, 1_024)}


class MLSTMFCN(OtherNetwork):
    """B series, C channels, T time points, N of the longest series, W filters, H cells, K classes.

    Where there are more time points than channels, the LSTM reads one channel after the other, each as a vector of N
    values (the paper's dimension shuffle); else one time point after the other.
    """

    config: MLSTMFCNConfig
    of_config = MLSTMFCNConfig

    def __init__(self, config: MLSTMFCNConfig) -> None:
        super().__init__(config)
        widths = [config.n_channels, *(width for width, _ in LAYERS)]
        self.convolutions = nn.ModuleList(
            nn.Conv1d(n_in, width, taps) for n_in, (width, taps) in zip(widths[:-1], LAYERS, strict=True)
        )
        self.normalisations = nn.ModuleList(MaskedBatchNorm(width) for width, _ in LAYERS)
        self.excitations = nn.ModuleList(SqueezeAndExcite(width) for width, _ in LAYERS[:-1])
        self.shuffled = config.n_timepoints > config.n_channels
        self.lstm = nn.LSTM(
            config.n_timepoints if self.shuffled else config.n_channels, config.n_cells, batch_first=True
        )
        nn.init.xavier_uniform_(self.lstm.get_parameter("weight_ih_l0"))  # PyTorch's own saturates
        self.dropout = Dropout(DROPPED)
        self.linear = nn.Linear(config.n_cells + widths[-1], config.n_classes)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``; T at most N where dimensions are shuffled."""
        found = torch.cat([self.dropout(self._remembered(values, mask)), self._convolved(values, mask)], dim=1)
        return self.linear(found)  # (B, H + W) to (B, K)

    def _remembered(self, values: Tensor, mask: Tensor | None) -> Tensor:
        if self.shuffled:
            whole_series, _ = to_full_length(values, mask, self.config.n_timepoints)  # (B, C, N)
            return states_of(self.lstm, whole_series)[:, -1]  # (B, H)
        if mask is not None:
            values = values * mask[:, None, :]  # (B, C, T)
        return last_observed(states_of(self.lstm, values.transpose(1, 2)), mask)  # (B, H)

    def _convolved(self, values: Tensor, mask: Tensor | None) -> Tensor:
        features = values
        excitations = (*self.excitations, nn.Identity())
        for (_, taps), convolve, normalise, excite in zip(
            LAYERS, self.convolutions, self.normalisations, excitations, strict=True
        ):
            if mask is not None:
                features = features * mask[:, None, :]  # (B, W, T): what is padded is as what lies beyond
            features = convolve(around(features, taps))  # (B, W, T)
            features = normalise(features, mask).relu()  # (B, W, T)
            features = excite(features, mask) if isinstance(excite, SqueezeAndExcite) else features  # (B, W, T)
        return masked_mean(features.transpose(1, 2), mask)  # (B, W)


class SqueezeAndExcite(nn.Module):
    """Weigh each filter by what all of them found on average (Hu et al. 2018)."""

    def __init__(self, n_features: int) -> None:
        super().__init__()
        self.squeeze = nn.Linear(n_features, n_features // REDUCTION, bias=False)
        self.excite = nn.Linear(n_features // REDUCTION, n_features, bias=False)

    def forward(self, features: Tensor, mask: Tensor | None) -> Tensor:
        """``(B, W, T)`` to the same."""
        mean = masked_mean(features.transpose(1, 2), mask)  # (B, W)
        return features * self.excite(self.squeeze(mean).relu()).sigmoid()[..., None]  # (B, W, T)
