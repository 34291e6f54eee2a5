"""Measures which importance method is the best for a model.

Every method explains the predicted class of the same series. Then its most important time points are removed, and
restored, first, and the change of the logit is compared with that of all methods' maps at random places, the same ones
for all methods. Nothing of the test part is looked at, and no instance labels are.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import FloatArray, SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.choice import Choice, Merit
from timemil_core.explain.deletion import LARGEST_SHARE, mean_rise
from timemil_core.explain.evaluation.fillers import TWO_FILLERS, FillerName, fillers_for, get_filler
from timemil_core.explain.evaluation.held_out import series_to_choose_on, spread_over_classes
from timemil_core.explain.evaluation.places import Order, elsewhere, first_of, importance_order
from timemil_core.explain.evaluation.scoring import network_score, prepared_series, score_without
from timemil_core.explain.examination import Examination, examine
from timemil_core.explain.faithfulness import default_steps
from timemil_core.explain.importance import Method, explain, methods_for
from timemil_core.explain.progress import Progress, share_of, silent
from timemil_core.explain.verdicts import STRONG
from timemil_core.models.trained import TrainedModel

N_SERIES, N_RANDOM = 12, 20


def choose_method(
    model: TrainedModel,
    series_set: SeriesSet,
    *,
    methods: Sequence[str] | None = None,
    n_series: int = N_SERIES,
    fillers: Sequence[FillerName] = TWO_FILLERS,
    seed: int = 0,
    progress: Progress = silent,
) -> Choice:
    """Measure every method that applies to a model on its validation series, else on its training series.

    Parameters
    ----------
    model
        Stays as it is.
    series_set
        The set that it was trained on; of another set, the training part is measured on.
    methods
        Keys of ``METHODS``; by default all that apply to the model, the pooling's weights but once. Each is taken with
        its default settings.
    n_series
        At most so many, evenly over the classes: of each something else moves the model.
    fillers
        What stands in place of removed time points; several are more robust than one. "masked out" is passed by where
        the model has no mask.
    seed
        Of the random places and the noise.
    progress
        Told (done, of), several times a series; raises to cancel.

    Raises
    ------
    SettingsError
        Where a method does not exist or does not apply, or there is nothing to compare.
    """
    chosen = _applicable(model, methods)
    fillers = fillers_for(model, fillers)
    indices, part = series_to_choose_on(model, series_set)
    indices = spread_over_classes(indices, series_set.labels[indices], n_series)
    if not len(indices) or not fillers:
        raise SettingsError("there is nothing to compare methods on.", remedy="Give series, and at least one filler.")
    outcomes: list[Outcome] = []
    seconds = []
    for place, index in enumerate(indices):
        series, own = series_set.series[index], share_of(progress, place, len(indices))
        examination = examine(model, series)
        maps, took = _maps(model, series, chosen, examination, share_of(own, 0, 2))
        seconds.append(took)
        for done, filler in enumerate(fillers, start=1):
            outcomes.append(compared(model, series, maps, examination.predicted, filler, seed + place))
            share_of(own, 1, 2)(done, len(fillers))
    merit, beats = merit_of(outcomes, fillers), np.mean([one.beats for one in outcomes], axis=0)
    merits = [
        Merit(method.key, float(merit[i]), float(beats[i]), round(float(np.median(seconds, axis=0)[i]), 4))
        for i, method in enumerate(chosen)
    ]
    merits.sort(key=lambda one: -one.merit)
    return Choice(tuple(merits), part, len(indices), tuple(fillers), model.fingerprint, series_set.fingerprint)


def _applicable(model: TrainedModel, methods: Sequence[str] | None) -> list[Method]:
    applicable = methods_for(model)
    keys = [method.key for method in applicable]
    if unknown := [key for key in methods or () if key not in keys]:
        raise SettingsError(
            f"{', '.join(unknown)} cannot be compared for this model.", remedy=f"Choose among {', '.join(keys)}."
        )
    if methods is None:  # with a class token, the pooling's weights are the last layer's attention
        return [method for method in applicable if method.key != "pooling" or "attention" not in keys]
    return [method for method in applicable if method.key in methods]


def _maps(
    model: TrainedModel, series: FloatArray, methods: Sequence[Method], examination: Examination, progress: Progress
) -> tuple[list[npt.NDArray[np.float64]], list[float]]:
    maps, seconds = [], []
    for place, method in enumerate(methods):
        start = time.perf_counter()
        told = share_of(progress, place, len(methods))
        importance = explain(model, series, method.key, examination.predicted, examination=examination, progress=told)
        maps.append(importance.values)
        seconds.append(time.perf_counter() - start)
        told(1, 1)
    return maps, seconds


class Outcome(NamedTuple):
    """One series with one filler.

    ``over``: by deletion and insertion, the change beyond the mean of random places, ``(2, n_maps)``; ``largest``: the
    largest change by any order, ``(2, 1)``; both in logits. ``beats``: share of beaten curves, ``(n_maps,)``.
    """

    filler: FillerName
    over: npt.NDArray[np.float64]
    largest: npt.NDArray[np.float64]
    beats: npt.NDArray[np.float64]


def merit_of(outcomes: Sequence[Outcome], fillers: Sequence[FillerName]) -> npt.NDArray[np.float64]:
    """Return each map's merit, ``(n_maps,)``.

    Changes are added up over the series before they are divided: a series on which no removal moves the model says
    little about which map is right, and must not count as much as one where everything hangs on a few time points.
    """
    merits = []
    for filler in fillers:
        of_filler = [one for one in outcomes if one.filler == filler]
        over, largest = sum(one.over for one in of_filler), sum(one.largest for one in of_filler)
        merits.append(np.divide(over, largest, out=np.zeros_like(over), where=largest > 0))
    return np.mean(merits, axis=(0, 1))


def compared(
    model: TrainedModel,
    series: FloatArray,
    maps: Sequence[npt.NDArray[np.float64]],
    target: int,
    filler: FillerName,
    seed: int,
) -> Outcome:
    """Remove and restore what maps ``(n_timepoints,)`` of one raw series mark, here and at random places.

    Every map is held against all maps at random places: what is chance for one is chance for all, and costs but once.
    """
    generator = np.random.default_rng(seed)
    prepared = prepared_series(model, series)
    here: list[Order] = [importance_order(values, generator) for values in maps]
    n_places = math.ceil(N_RANDOM / len(maps))
    orders = here + [moved for order in here for moved in elsewhere(order, n_places, generator)]
    changes = _changes(model, prepared, orders, target, filler, seed)  # (2, n_orders)
    own, random = changes[:, : len(maps)], changes[:, len(maps) :]
    return Outcome(
        filler=filler,
        over=own - random.mean(axis=1, keepdims=True),
        largest=np.abs(changes).max(axis=1, keepdims=True),
        beats=((own[:, :, None] > random[:, None, :]).mean(axis=2) >= STRONG).mean(axis=0),
    )


def _changes(
    model: TrainedModel, prepared: FloatArray, orders: Sequence[Order], target: int, filler: FillerName, seed: int
) -> npt.NDArray[np.float64]:
    # Mean fall by deletion and mean rise by insertion, (2, n_orders).
    shares = np.linspace(0, LARGEST_SHARE, default_steps(prepared.shape[1], len(orders)) + 1)
    counts = np.floor(shares * prepared.shape[1] + 1e-9).astype(np.intp)
    taken = np.concatenate([first_of(order, counts) for order in orders])
    removed = np.concatenate([taken, ~taken])
    logits = score_without(network_score(model.network), prepared, removed, get_filler(filler, seed))[:, target]
    deletion, insertion = logits.reshape(2, len(orders), len(shares))
    return np.stack([-mean_rise(shares, deletion), mean_rise(shares, insertion)])
