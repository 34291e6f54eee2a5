"""One scale of colours for all maps of a model by one method, so that a series with nothing in it looks pale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.contract import Importance
from timemil_core.explain.evaluation.held_out import spread_over_classes, with_values
from timemil_core.explain.importance import explain
from timemil_core.explain.progress import Progress, silent
from timemil_core.models.trained import TrainedModel

N_SERIES = 8
MOST_SERIES_REACH = 0.9
"""The scale ends where so many of the series' largest values lie below: one extreme series does not pale the others."""


@dataclass(frozen=True)
class Scale:
    """How far maps reach.

    Attributes
    ----------
    highest
        In the unit of the maps; of weights, which sum to one, in multiples of what a flat map has everywhere.
    signed
        Whether some of the maps go below 0.
    are_weights
        Whether the maps sum to one over time.
    """

    highest: float
    signed: bool
    are_weights: bool

    def limits(self, n_timepoints: int) -> tuple[float, float]:
        """Return the range of colours for a series of so many time points."""
        highest = self.highest / n_timepoints if self.are_weights else self.highest
        return (-highest if self.signed else 0.0), highest


def scale_of(maps: Sequence[Importance]) -> Scale:
    """Return the scale of some maps by one method, of series of any lengths."""
    are_weights = all(one.are_weights for one in maps)
    reached = [
        np.abs(_values(one)).max(initial=0.0) * (len(one.values) if are_weights else 1) for one in maps
    ]  # longer series have smaller weights
    signed = any(one.signed for one in maps)
    return Scale(float(np.quantile(reached, MOST_SERIES_REACH)) if reached else 0.0, signed, are_weights)


def measured_scale(
    model: TrainedModel, series_set: SeriesSet, method: str, *, progress: Progress = silent, **settings: Any
) -> Scale:
    """Return the scale of a method's maps of a few series, the same ones each time, evenly over the classes.

    Each map is about the class that the model predicts. ``settings`` are the method's.
    """
    indices = with_values(series_set)
    chosen = spread_over_classes(indices, series_set.labels[indices], N_SERIES)
    maps = []
    for done, index in enumerate(chosen.tolist()):
        progress(done, len(chosen))
        maps.append(explain(model, series_set.series[index], method, **settings))
    return scale_of(maps)


def _values(importance: Importance) -> Any:
    return np.nan_to_num(importance.values if importance.per_channel is None else importance.per_channel)
