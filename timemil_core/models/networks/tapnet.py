"""TapNet (Zhang et al. 2020): a series is where it lies among prototypes, one of each class.

Widths, taps and groups as in the paper's code. Its LSTM takes whole channels as inputs, one step a series of the batch,
and its convolutions lose time points at the ends; here the LSTM goes over time and the ends are filled up, so that a
series is the same in any batch. Two more differences. There a class's prototype is a mean of the
embeddings of its training series, weighed by an attention, over the whole training set in each step; here batches are
small and a series has to be classified without the training set, so the prototypes are learned parameters, which the
attention has nothing left to weigh for. And since logits are one-vs-rest, a class has a radius within which its logit
is positive: radius − squared distance.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import leaky_relu

from timemil_core.models.masking import MaskedBatchNorm, masked_mean
from timemil_core.models.networks.base import OtherNetwork
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.padding import around
from timemil_core.models.networks.recurrent import states_of

N_GROUPS = 3
LAYERS = ((256, 8), (256, 5), (128, 3))  # filters and taps
N_CELLS = 128  # of the LSTM
HIDDEN, EMBEDDING = 500, 300


class TapNet(OtherNetwork):
    """B series, C channels, T time points, G random groups of D = ⅔ C channels each, W filters, L features, K classes.

    Only the first convolution is a group's own. The groups are drawn once, and kept with the weights.
    """

    groups: Tensor

    def __init__(self, config: OtherConfig) -> None:
        super().__init__(config)
        n_groups = N_GROUPS if config.n_channels > 1 else 1
        n_in_group = max(1, 2 * config.n_channels // 3)
        order = torch.rand(n_groups, config.n_channels).argsort(dim=1)  # (G, C), each row a permutation
        self.register_buffer("groups", order[:, :n_in_group])  # (G, D)
        (first, taps), *others = LAYERS
        self.first = nn.ModuleList(nn.Conv1d(n_in_group, first, taps) for _ in range(n_groups))
        n_in = [width for width, _ in LAYERS[:-1]]
        self.others = nn.ModuleList(nn.Conv1d(n, width, taps) for n, (width, taps) in zip(n_in, others, strict=True))
        self.normalisations = nn.ModuleList(MaskedBatchNorm(width) for width, _ in LAYERS)
        self.lstm = nn.LSTM(config.n_channels, N_CELLS, batch_first=True)
        self.hidden = nn.Linear(N_CELLS + n_groups * LAYERS[-1][0], HIDDEN)
        self.hidden_normalisation = MaskedBatchNorm(HIDDEN)
        self.embedding = nn.Linear(HIDDEN, EMBEDDING)
        self.prototypes = nn.Parameter(torch.randn(config.n_classes, EMBEDDING) / EMBEDDING**0.5)
        self.radii = nn.Parameter(torch.zeros(config.n_classes))

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``."""
        embedded = self._embedded(values, mask)  # (B, L)
        distances = (embedded[:, None] - self.prototypes).square().sum(dim=2)  # (B, K)
        return self.radii - distances  # (B, K)

    def _embedded(self, values: Tensor, mask: Tensor | None) -> Tensor:
        if mask is not None:
            values = values * mask[:, None, :]  # (B, C, T)
        remembered = masked_mean(states_of(self.lstm, values.transpose(1, 2)), mask)  # (B, cells)
        found = torch.cat([remembered, self._convolved(values, mask)], dim=1)  # (B, cells + G W)
        hidden = self.hidden_normalisation(self.hidden(found)[..., None])[..., 0]  # (B, hidden)
        return self.embedding(leaky_relu(hidden))  # (B, L)

    def _convolved(self, values: Tensor, mask: Tensor | None) -> Tensor:
        n_series, n_groups = len(values), len(self.groups)
        masks = None if mask is None else mask.repeat(n_groups, 1)  # (G B, T): groups one below the other
        (_, first_taps), *others = LAYERS
        by_group = zip(self.first, self.groups, strict=True)
        features = torch.cat([convolve(around(values[:, group], first_taps)) for convolve, group in by_group])
        # (G B, W, T)
        for at, normalise in enumerate(self.normalisations):
            if at:
                features = self.others[at - 1](around(features, others[at - 1][1]))  # (G B, W, T)
            features = leaky_relu(normalise(features, masks))  # (G B, W, T)
            if masks is not None:
                features = features * masks[:, None, :]  # (G B, W, T)
        means = masked_mean(features.transpose(1, 2), masks)  # (G B, W)
        return means.view(n_groups, n_series, -1).transpose(0, 1).flatten(1)  # (B, G W)
