"""All methods on one series of a set: their maps, what removal says of them, and what the known truth does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import FloatArray, SeriesSet
from timemil_core.explain.evaluation.fillers import donors_for
from timemil_core.explain.evaluation.truth import ground_truth_scores
from timemil_core.explain.evaluation.verdict import SeriesVerdict, series_verdict
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import Method, explain, methods_for
from timemil_core.explain.sanity.similarity import Map
from timemil_core.models.trained import TrainedModel

Scores = npt.NDArray[np.float64]
N_PLACES = 9  # of each map: a mean over places, not a rank, is wanted


@dataclass(frozen=True, eq=False)
class MeasuredSeries:
    """One series.

    Attributes
    ----------
    maps
        Of each method, ``(n_timepoints,)`` each.
    verdicts
        Of removal, one a method.
    auroc
        ``(n_methods,)`` against the instance labels; NaN where there are none, or all or no time points are marked.
    """

    maps: list[Map]
    verdicts: list[SeriesVerdict]
    auroc: Scores


def methods_compared(model: TrainedModel) -> list[Method]:
    """Return the methods that apply to a model; with a class token, the pooling's weights are the last attention's."""
    methods = methods_for(model)
    has_attention = any(method.key == "attention" for method in methods)
    return [method for method in methods if method.key != "pooling" or not has_attention]


def measured(
    model: TrainedModel, series_set: SeriesSet, index: int, methods: Sequence[Method], target: int
) -> MeasuredSeries:
    """Explain one class of one series by all methods, and measure the maps.

    Random places and noise depend on the series' place in the set alone, so that models are measured alike.
    """
    series = series_set.series[index]
    maps, donors = maps_of(model, series, methods, target), donors_for(model, series_set, target)
    verdicts = [
        series_verdict(model, series, values, target, donors=donors, n_places=N_PLACES, seed=index) for values in maps
    ]
    return MeasuredSeries(maps, verdicts, _against_truth(maps, series_set, index))


def maps_of(model: TrainedModel, series: FloatArray, methods: Sequence[Method], target: int) -> list[Map]:
    """Return the map of each method, ``(n_timepoints,)`` each, for one class of one raw series."""
    examination = examine(model, series)
    return [explain(model, series, method.key, target, examination=examination).values for method in methods]


def effects_of(some: Sequence[MeasuredSeries]) -> Scores:
    """Return each method's excess over other places as a share of the logit, ``(n_methods,)``; 0 is chance.

    Both are added up over the series first: one on which no removal moves the model says little.
    """
    excess = np.sum([[verdict.excess for verdict in one.verdicts] for one in some], axis=0)
    logit = np.sum([[abs(verdict.curves.full) for verdict in one.verdicts] for one in some], axis=0)
    return np.divide(excess, logit, out=np.zeros_like(excess), where=logit > 0)


def mean_auroc(some: Sequence[MeasuredSeries]) -> Scores:
    """Return the mean over the series whose truth is known, ``(n_methods,)``; NaN where there is none."""
    known = [one.auroc for one in some if np.isfinite(one.auroc).all()]
    return np.mean(known, axis=0) if known else np.full(len(some[0].auroc), np.nan)


def _against_truth(maps: Sequence[Map], series_set: SeriesSet, index: int) -> Scores:
    scores = [
        None if series_set.instance_labels is None else ground_truth_scores(values, series_set.instance_labels[index])
        for values in maps
    ]
    return np.array([np.nan if one is None else one.auroc for one in scores])
