"""Every pooling by the name that a configuration gives it."""

from __future__ import annotations

from collections.abc import Callable

from timemil_core.models.config import ModelConfig
from timemil_core.models.poolings.conjunctive import ConjunctivePooling, SeveralViewsPooling
from timemil_core.models.poolings.contract import Pooling
from timemil_core.models.poolings.simple import AttentionPooling, MaxPooling, MeanPooling
from timemil_core.models.poolings.time_aware import TimeAwarePooling

POOLINGS: dict[str, Callable[[ModelConfig], Pooling]] = {
    "mean": MeanPooling,
    "max": MaxPooling,
    "attention": AttentionPooling,
    "conjunctive": lambda config: (ConjunctivePooling if len(config.views) == 1 else SeveralViewsPooling)(config),
    "time-aware": TimeAwarePooling,
}


def build_pooling(config: ModelConfig) -> Pooling:
    """Return a new pooling as configured."""
    return POOLINGS[config.pooling](config)
