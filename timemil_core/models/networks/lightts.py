"""LightTS (Zhang et al. 2022, "Less is more"): small perceptrons over two ways of sampling a long series.

Continuous sampling cuts a channel into chunks of neighbours, interval sampling into as many sets of time points that
lie equally far apart. A block that exchanges information mixes within and among chunks; a last one mixes the channels;
a linear map of each whole channel is added, the paper's highway. As a classifier it has the head of TimesNet's
benchmark (Wu et al. 2023), and not one of its own paper: what comes out has the length of the series and is laid flat
for a linear map. The width and the chunks of at most 24 time points are those of that benchmark.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from timemil_core.models.networks.base import FlattenHead, OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.forecasting_parts import PAIRS_FIT
from timemil_core.setting_checks import Check, whole


@dataclass(frozen=True)
class LightTSConfig(OtherConfig):
    """``chunk`` is how many time points stand in one; ``width`` that of the last block."""

    chunk: int = 24
    width: int = 128

    checks: ClassVar[dict[str, Check]] = {**PAIRS_FIT, "chunk": whole(1, 10_000), "width": whole(8, 10_000)}


class InformationExchange(nn.Module):
    """A block of the paper: rows are mixed, then columns, then rows are mapped to what is wanted.

    H rows come in, F go out, W columns; G rows between, a quarter of the hidden units.
    """

    def __init__(self, n_in: int, n_out: int, n_columns: int, n_hidden: int) -> None:
        super().__init__()
        between = max(1, n_hidden // 4)
        self.rows = nn.Sequential(nn.Linear(n_in, n_hidden), nn.LeakyReLU(), nn.Linear(n_hidden, between))
        self.columns = nn.Linear(n_columns, n_columns)
        nn.init.eye_(self.columns.weight)
        self.out = nn.Linear(between, n_out)

    def forward(self, sampled: Tensor) -> Tensor:
        """``(B, W, H)`` to ``(B, W, F)``."""
        rows = self.rows(sampled)  # (B, W, G)
        mixed = rows + self.columns(rows.transpose(1, 2)).transpose(1, 2)  # (B, W, G)
        return self.out(mixed)


class LightTS(OtherNetwork):
    """B series, C channels, N time points of the longest series, P in a chunk, W chunks, L the width, K classes."""

    config: LightTSConfig
    of_config = LightTSConfig

    def __init__(self, config: LightTSConfig) -> None:
        super().__init__(config)
        length, width = config.n_timepoints, config.width
        self.chunk = min(config.chunk, length)
        self.n_chunks = -(-length // self.chunk)
        # Neighbours, and time points that lie equally far apart.
        self.exchanges = nn.ModuleList(
            InformationExchange(self.chunk, width // 4, self.n_chunks, width // 4) for _ in range(2)
        )
        self.gathers = nn.ModuleList(nn.Linear(self.n_chunks, 1) for _ in range(2))
        self.among_channels = InformationExchange(2 * (width // 4), length, config.n_channels, width // 2)
        self.highway = nn.Linear(length, length)
        self.head = FlattenHead(length, config.n_channels, config.n_classes)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``, T at most N."""
        values, observed = to_full_length(values, mask, self.config.n_timepoints)  # (B, C, N), (B, N)
        whole_chunks = pad(values, (0, self.n_chunks * self.chunk - values.shape[2])).flatten(0, 1)  # (B C, W P)
        samplings = (
            whole_chunks.unflatten(1, (self.n_chunks, self.chunk)),  # (B C, W, P): continuous
            whole_chunks.unflatten(1, (self.chunk, self.n_chunks)).transpose(1, 2),  # (B C, W, P): at intervals
        )
        features = [
            gather(exchange(sampled).transpose(1, 2)).squeeze(2).unflatten(0, values.shape[:2])  # (B, C, L / 4)
            for sampled, exchange, gather in zip(samplings, self.exchanges, self.gathers, strict=True)
        ]
        mixed = self.among_channels(torch.cat(features, dim=2)) + self.highway(values)  # (B, C, N)
        return self.head(mixed.transpose(1, 2), observed)  # (B, K)
