"""TodyNet (Liu et al. 2023): channels are the vertices of a graph that is another one in each slot of time.

Four slots, three layers, their features and taps, and a fifth of the vertices pooled away in each, as in the paper's
code. The graphs are learned: in each slot as many edges are kept as there are vertices, those of the highest scores,
here weighed by the scores' sigmoid, so that what is kept learns. A vertex also hears itself in the slot before.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from timemil_core.models.drawing import Dropout
from timemil_core.models.fast.checkpointing import stage
from timemil_core.models.masking import MaskedBatchNorm
from timemil_core.models.networks.base import MeanHead, OtherNetwork, to_full_length
from timemil_core.models.networks.config import OtherConfig

N_SLOTS = 4
LAYERS = ((64, 9), (128, 5), (256, 3))  # features and taps
POOLED_AWAY = 0.2  # of the first vertices, by each layer
MOST_VERTICES = 32
DROPPED = 0.5


class TodyNet(OtherNetwork):
    """B series, C channels, T time points, S slots of w, V vertices (U after pooling), F features, K classes.

    Slots are of the longest series of the data; a shorter one ends in an earlier slot. Of more than 32 channels 32
    weighted sums are the vertices, learned with the rest: not in the paper, and bounds the memory.
    """

    def __init__(self, config: OtherConfig) -> None:
        super().__init__(config)
        self.slot_length = -(-config.n_timepoints // N_SLOTS)
        n_vertices = min(config.n_channels, MOST_VERTICES)
        is_mixed = n_vertices < config.n_channels
        self.mixture: nn.Module = nn.Conv1d(config.n_channels, n_vertices, 1) if is_mixed else nn.Identity()
        self.graphs = Graphs(n_vertices)
        widths = [1, *(width for width, _ in LAYERS)]
        left = [max(1, round(n_vertices * (1 - POOLED_AWAY * layer))) for layer in range(len(LAYERS) + 1)]
        self.layers = nn.ModuleList(
            GraphLayer(widths[at], width, taps, left[at], left[at + 1]) for at, (width, taps) in enumerate(LAYERS)
        )
        self.head = MeanHead(widths[-1], config.n_classes)

    @property
    def n_stages(self) -> int:
        """One a layer."""
        return len(LAYERS)

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``, T at most that of the longest series."""
        values, observed = to_full_length(values, mask, N_SLOTS * self.slot_length)  # (B, C, S w), (B, S w)
        features = self.mixture(values)[:, None]  # (B, 1, V, S w)
        edges = self.graphs()  # (S, V, V)
        for layer in self.layers:
            features, edges = stage(layer, features, edges, observed)  # (B, F, U, S w), (S, U, U)
        return self.head(features.mean(dim=2).transpose(1, 2), observed)  # (B, K)


class Graphs(nn.Module):
    """The edges of each slot."""

    def __init__(self, n_vertices: int) -> None:
        super().__init__()
        self.sources = nn.Parameter(nn.init.xavier_uniform_(torch.empty(N_SLOTS, n_vertices, 1)))
        self.targets = nn.Parameter(nn.init.xavier_uniform_(torch.empty(N_SLOTS, 1, n_vertices)))

    def forward(self) -> Tensor:
        """Return how much a vertex (row) hears of another (column): ``(S, V, V)``, 0 where there is no edge."""
        scores = self.sources @ self.targets  # (S, V, V)
        n_vertices = scores.shape[1]
        itself = torch.eye(n_vertices, dtype=torch.bool, device=scores.device)  # (V, V)
        ranked = scores.masked_fill(itself, float("-inf")).flatten(1)  # (S, V V)
        kept = torch.zeros_like(ranked).scatter(1, ranked.topk(n_vertices, dim=1).indices, 1.0)  # (S, V V)
        return scores.sigmoid() * kept.view_as(scores) * ~itself  # (S, V, V)


class GraphLayer(nn.Module):
    """A convolution over time, messages along the edges, and pooling of vertices."""

    def __init__(self, n_in: int, width: int, taps: int, n_vertices: int, n_left: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(n_in, width, (1, taps), padding="same")
        self.own_share = nn.Parameter(torch.zeros(()))
        self.slot_maps = nn.Parameter(torch.empty(N_SLOTS, width, width))
        nn.init.uniform_(self.slot_maps, -(width**-0.5), width**-0.5)
        self.pooling = nn.Conv2d(n_vertices, n_left, (1, taps), padding="same")
        self.normalisation = MaskedBatchNorm(width)
        self.dropout = Dropout(DROPPED)

    def forward(self, features: Tensor, edges: Tensor, observed: Tensor) -> tuple[Tensor, Tensor]:
        """``(B, F, V, S w)`` and ``(S, V, V)`` to ``(B, F, U, S w)`` and ``(S, U, U)``."""
        seen = observed[:, None, None, :]  # (B, 1, 1, S w)
        features = self._heard(self.convolution(features * seen), edges) * seen  # (B, F, V, S w)
        features = self.pooling(features.transpose(1, 2)).transpose(1, 2)  # (B, F, U, S w)
        shares = self.pooling.weight[:, :, 0].sum(dim=2).softmax(dim=1)  # (U, V): of old vertices in new ones
        n_left = features.shape[2]
        flat = self.normalisation(features.flatten(2), observed.repeat(1, n_left))  # (B, F, U S w)
        return self.dropout(flat.relu()).view_as(features), shares @ edges @ shares.T

    def _heard(self, features: Tensor, edges: Tensor) -> Tensor:
        n_series, width, n_vertices, _ = features.shape
        slots = features.view(n_series, width, n_vertices, N_SLOTS, -1).transpose(2, 3)  # (B, F, S, V, w)
        degree = edges.sum(dim=2).clamp(min=1).rsqrt()  # (S, V)
        messages = (degree[:, :, None] * edges * degree[:, None]) @ slots  # (B, F, S, V, w)
        earlier = torch.cat([torch.zeros_like(slots[:, :, :1]), slots[:, :, :-1]], dim=2)  # (B, F, S, V, w)
        mixed = (1 + self.own_share) * slots + messages + earlier  # (B, F, S, V, w)
        heard = torch.einsum("sgf,bfsvw->bgsvw", self.slot_maps, mixed)  # (B, F, S, V, w)
        return heard.transpose(2, 3).reshape(n_series, width, n_vertices, -1)  # (B, F, V, S w)
