"""Conjunctive pooling: the logits are sums of what instances add, of one view or of several. Letters: timemil.py."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from timemil_core.models.config import ModelConfig
from timemil_core.models.drawing import Dropout
from timemil_core.models.fast.precision import in_float32
from timemil_core.models.masking import masked_mean
from timemil_core.models.poolings.contract import Pooled, PooledParts, Pooling, PoolingWeights
from timemil_core.models.views import over_what_was_seen


class ConjunctivePooling(Pooling):
    """MILLET's conjunctive pooling (Early et al. 2024, section 3.2): the mean of attention times instance logits.

    The bag is the logits. ``instance_logits`` gives the per-class evidence a_t z_t of each instance.
    """

    gives_logits = True
    warms_up = False
    title = "Conjunctive pooling's attention"
    note = "The factor from 0 to 1 on each instance's own logits; the factors need not sum to 1."
    reference = "Early et al. 2024 (MILLET), section 3.2"
    HIDDEN_WIDTH = 8

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.config = config
        self.dropout = Dropout(config.dropout)
        self._build_heads(config)

    def _build_heads(self, config: ModelConfig) -> None:
        self.score = _gate(config.embedding_width, self.HIDDEN_WIDTH)
        self.instance_classifier = nn.Linear(config.embedding_width, config.n_classes)

    def instance_logits(self, instances: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return attention ``(B, T)`` and a_t z_t ``(B, T, K)``."""
        encoded = self.dropout(self.encoding(instances, mask))  # (B, T, L)
        weights, of_views = self.by_view(encoded)  # (n_views, B, T), (n_views, B, T, K)
        told = weights.mean(dim=0), of_views.sum(dim=0)  # (B, T), (B, T, K)
        return told if mask is None else (told[0] * mask, told[1] * mask[..., None])

    def forward(self, instances: Tensor, mask: Tensor | None = None, return_attention: bool = False) -> Pooled:
        """Pool observed instances."""
        weights, evidence = self.instance_logits(instances, mask)  # (B, T), (B, T, K)
        bag = masked_mean(evidence, mask)  # (B, K)
        return bag, PoolingWeights(weights) if return_attention else None

    def by_view(self, encoded: Tensor) -> tuple[Tensor, Tensor]:
        """Return attention and a_t z_t of each view, as ``instance_logits`` does with the views before the series."""
        weights = self.score(encoded)[..., 0]
        return weights[None], (weights[..., None] * self.instance_classifier(encoded))[None]

    def parts(self, instances: Tensor) -> PooledParts:
        """An instance adds the sum over views of a_t z_t / T; of its own time point, or of those that it saw."""
        of_views = self.by_view(self.encoding(instances))[1] / instances.shape[1]
        return PooledParts(self.told(of_views)[0], of_views=tuple(of_views[:, 0]))

    @in_float32
    def marked(self, instances: Tensor, mask: Tensor | None, shares: Tensor) -> Tensor:
        """Return the time points that add most to the class that the bag is said to be, ``(B, T)``, the earlier of two.

        ``shares`` ``(B,)`` of those observed in each series.
        """
        of_views = self.by_view(self.encoding(instances, mask))[1]  # (n_views, B, T, K)
        observed = instances.new_ones(instances.shape[:2], dtype=torch.bool) if mask is None else mask  # (B, T)
        of_views = of_views * observed[..., None]
        said = masked_mean(of_views.sum(dim=0), mask).argmax(dim=1)  # (B,)
        of_said = of_views.gather(3, said[None, :, None, None].expand(*of_views.shape[:3], 1))  # (n_views, B, T, 1)
        added = self.told(of_said, mask)[..., 0].masked_fill(~observed, float("-inf"))  # (B, T)
        place = added.argsort(dim=1, descending=True, stable=True).argsort(dim=1)  # (B, T)
        return observed & (place < (shares * observed.sum(dim=1)).ceil()[:, None])

    def told(self, of_views: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return what is told of what each view's instances add, ``(n_views, B, T, K)``: of time points, ``(B, T, K)``.

        Of their own time points, or of those that they saw (``evidence``).
        """
        seen = self.config.evidence == "sight"
        return (over_what_was_seen(of_views, self.config, mask) if seen else of_views).sum(dim=0)


class SeveralViewsPooling(ConjunctivePooling):
    """Conjunctive pooling of several views: each has its own attention and instance logits, and all are added up.

    The weights that are told are the mean over views.
    """

    note = "The factors from 0 to 1 on each instance's own logits, mean over views; they need not sum to 1."

    def _build_heads(self, config: ModelConfig) -> None:
        self.n_views = len(config.views)
        width = config.embedding_width // self.n_views
        self.scores = nn.ModuleList(_gate(width, self.HIDDEN_WIDTH) for _ in config.views)
        self.instance_classifiers = nn.ModuleList(nn.Linear(width, config.n_classes) for _ in config.views)

    def by_view(self, encoded: Tensor) -> tuple[Tensor, Tensor]:
        """Return attention and a_t z_t of each view, as ``instance_logits`` does with the views before the series."""
        shares = encoded.tensor_split(self.n_views, dim=2)
        weights = torch.stack([score(one)[..., 0] for score, one in zip(self.scores, shares, strict=True)])
        logits = torch.stack([judge(one) for judge, one in zip(self.instance_classifiers, shares, strict=True)])
        return weights, weights[..., None] * logits


def _gate(width: int, hidden: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, hidden), nn.Tanh(), nn.Linear(hidden, 1), nn.Sigmoid())
