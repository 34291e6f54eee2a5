"""Was the attention used? Accuracy with the class token's weights made flat (Wiegreffe and Pinter 2019)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from timemil_core.data.series_set import UNKNOWN_LABEL, IntArray, SeriesSet
from timemil_core.explain.labels import labels_for
from timemil_core.explain.progress import Progress, silent
from timemil_core.models.abilities import Ability
from timemil_core.models.time_aware import TimeAwareLayers
from timemil_core.models.trained import TrainedModel


@dataclass(frozen=True)
class UniformAttention:
    """Accuracies from 0 to 1 over the series whose class is known.

    Attributes
    ----------
    accuracy
        As the model is.
    uniform
        With the last layer's class token giving 1 / T to every time point and nothing to itself.
    uniform_in_time
        With its weight on itself left as it was and the rest spread evenly: what *where in time* it looks is worth.
    n_series
        How many were scored.
    """

    accuracy: float
    uniform: float
    uniform_in_time: float
    n_series: int


def can_be_flat(model: TrainedModel, series_set: SeriesSet) -> bool:
    """Tell whether there is attention to make flat, and a class is known to score by."""
    return Ability.CLASS_TOKEN in model.abilities and bool((labels_for(model, series_set) != UNKNOWN_LABEL).any())


def uniform_attention_check(
    model: TrainedModel, series_set: SeriesSet, progress: Progress = silent
) -> UniformAttention | None:
    """Compare a model with itself under flat attention in the last layer; the model stays as it is.

    ``series_set`` is the part to score on; ``progress`` is told (series done, series). None where the pooling has no
    class token or no class is known.
    """
    truth = labels_for(model, series_set)
    known = np.flatnonzero(truth != UNKNOWN_LABEL)
    layers = model.timemil.pooling.class_token_layers if Ability.CLASS_TOKEN in model.abilities else None
    if layers is None or not known.size:
        return None
    said = _predictions(model, layers, series_set.subset(known), progress)
    real, uniform, in_time = (float((labels == truth[known]).mean()) for labels in said)
    return UniformAttention(real, uniform, in_time, len(known))


def _predictions(
    model: TrainedModel, layers: TimeAwareLayers, series_set: SeriesSet, progress: Progress
) -> tuple[IntArray, ...]:
    said, done = np.empty((3, len(series_set)), dtype=np.int64), 0
    with torch.inference_mode():
        for indices, values, mask in model.batches(series_set.series):
            instances = model.timemil.backbone(values, mask)
            output, weights = model.timemil.pooling(instances, mask, return_attention=True)
            assert weights is not None
            *_, last = layers.passes(instances, mask)
            bags = [output] + [
                last.layer.class_token_by(row, last.entering, last.mask)
                for row in _flat(weights.class_token_rows[-1], mask)
            ]
            for column, bag in enumerate(bags):
                said[column, indices] = model.timemil.classify(bag).argmax(dim=1).cpu().numpy()
            done += len(indices)
            progress(done, len(series_set))
    return tuple(said)


def _flat(row: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    # row (n_series, n_heads, 1 + n_timepoints)
    observed = torch.ones_like(row[:, :1, 1:]) if mask is None else mask[:, None, :].to(row.dtype)
    shares = (observed / observed.sum(dim=-1, keepdim=True)).expand_as(row[..., 1:])
    own = row[..., :1]
    spread = row[..., 1:].sum(dim=-1, keepdim=True)
    return torch.cat([torch.zeros_like(own), shares], dim=-1), torch.cat([own, spread * shares], dim=-1)
