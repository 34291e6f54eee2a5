"""What pages ask for that takes seconds for short series and minutes for long ones: at once, or in the background.

Each gives None until it has been asked for and computed; `app/jobs.py` draws the offer and the progress.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from app import jobs, results
from app.context import Context
from app.examined import about, at_hand, model_of, timed
from timemil_core.data.series_set import UNKNOWN_LABEL, BoolArray, IntArray, SeriesSet
from timemil_core.explain import baseline, choosing, class_means, faithfulness, importance
from timemil_core.explain.choice import Choice, known_choice
from timemil_core.explain.cost import PROBE_TIMEPOINTS, Begin
from timemil_core.explain.faithfulness import InsertionTest
from timemil_core.explain.fillers import FillerName
from timemil_core.explain.held_out import series_to_choose_on, spread_over
from timemil_core.explain.importance import METHODS, Importance, methods_for
from timemil_core.explain.labels import labels_for
from timemil_core.explain.progress import Progress
from timemil_core.explain.removal_verdict import RemovalVerdict
from timemil_core.explain.removal_verdict import removal_verdict as removal_verdict_of
from timemil_core.explain.sanity.checks import N_SERIES as N_SERIES_OF_CHECKS
from timemil_core.explain.sanity.checks import SanityChecks, sanity_checks
from timemil_core.models.trained import TrainedModel

N_MODELS_OF_CASCADE = 6  # the model, and one for each part that is made random


@dataclass(frozen=True)
class DrawnMap:
    """Which map is drawn: method, class, and for attention its layer and head (None: mean of heads).

    ``against`` is a class that the target is contrasted with; only for methods that are about a class.
    """

    method: str
    target: int
    layer: int | None = None
    head: int | None = None
    against: int | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """What ``explain`` takes besides the method and the class."""
        asked = {"layer": self.layer, "head": self.head} if self.method == "attention" else {}
        return asked if self.against is None else {**asked, "against": self.against}


def explained(chosen: Context, drawn: DrawnMap) -> Importance | None:
    """Return an importance map of the chosen series, once it is `examined`."""
    model, series_set, index = model_of(chosen), chosen.series_set, chosen.index
    series, examination = series_set.series[index], at_hand(chosen)
    title, key = METHODS[drawn.method].title, ("map", *about(chosen), index, drawn)

    def at_once() -> Importance:
        return results.explain(
            model, series_set, index, drawn.method, drawn.target, drawn.settings, _examination=examination
        )

    def compute(progress: Progress) -> Importance:
        return importance.explain(
            model, series, drawn.method, drawn.target,
            examination=examination, progress=progress, **drawn.settings,
        )  # fmt: skip

    if not METHODS[drawn.method].class_specific:
        is_short = series.shape[1] <= PROBE_TIMEPOINTS
        is_read_off = examination is not None and drawn.method != "rollout"  # that takes part of a pass
        return at_once() if is_short or is_read_off else jobs.prompt(title, key, compute)
    return jobs.computed(
        title,
        key,
        series.shape[1],
        lambda n, progress: importance.explain(
            model, series[:, :n], drawn.method, drawn.target, progress=progress, **drawn.settings
        ),
        compute,
        at_once,
        partial(timed, chosen),
    )


def removal_verdict(chosen: Context, drawn: DrawnMap, shown: Importance, filler: FillerName) -> RemovalVerdict | None:
    """Return whether removing what a map marks changes the prediction, by two fillers."""
    model, series_set, index = model_of(chosen), chosen.series_set, chosen.index
    series, target = series_set.series[index], drawn.target

    def test(n: int, progress: Progress) -> RemovalVerdict:
        return removal_verdict_of(
            model, series[:, :n], shown.values[:n], target, against=drawn.against, filler=filler, progress=progress
        )

    return jobs.computed(
        "The removal test: how far this map can be trusted",
        ("removal", *about(chosen), index, drawn, filler),
        series.shape[1],
        test,
        lambda progress: test(series.shape[1], progress),
        lambda: results.removal_verdict(model, series_set, index, shown.values, target, drawn.against, filler),
        partial(timed, chosen),
    )


def insertion_test(chosen: Context, drawn: DrawnMap, shown: Importance, filler: FillerName) -> InsertionTest | None:
    """Return whether restoring what a map marks brings the prediction back."""
    model, series_set, index = model_of(chosen), chosen.series_set, chosen.index
    series, target = series_set.series[index], drawn.target

    def test(n: int, progress: Progress) -> InsertionTest:
        return faithfulness.insertion_test(
            model, series[:, :n], shown.values[:n], target, against=drawn.against, filler=filler, progress=progress
        )

    return jobs.computed(
        "The test of restoring: whether what this map marks is enough",
        ("insertion", *about(chosen), index, drawn, filler),
        series.shape[1],
        test,
        lambda progress: test(series.shape[1], progress),
        lambda: results.insertion_test(model, series_set, index, shown.values, target, drawn.against, filler),
        partial(timed, chosen),
    )


def control_scores(chosen: Context, drawn: DrawnMap, truth: BoolArray) -> results.Controls:
    """Return the untrained network's and the bare signal's scores against the truth."""
    model, series_set, index = model_of(chosen), chosen.series_set, chosen.index
    series = series_set.series[index]

    def at_once() -> results.Controls:
        return results.control_scores(model, series_set, index, drawn.method, drawn.target, drawn.settings)

    if not METHODS[drawn.method].class_specific:
        return at_once()
    untrained = results.untrained(model)
    return jobs.computed(
        "The same map of the untrained network",
        ("controls", *about(chosen), index, drawn),
        series.shape[1],
        lambda n, progress: importance.explain(
            untrained, series[:, :n], drawn.method, drawn.target, progress=progress, **drawn.settings
        ),
        lambda progress: baseline.control_scores(
            untrained, series, truth, drawn.method, drawn.target, progress=progress, **drawn.settings
        ),
        at_once,
        partial(timed, chosen),
    )


def class_mean_attention(chosen: Context, layer: int) -> dict[str, class_means.ClassMean] | None:
    """Return the mean attention of each true class, on the test series where there are any."""
    model, series_set = model_of(chosen), chosen.series_set
    test, n_series = results.series_of_means(series_set)
    return jobs.computed(
        f"The mean attention of each class, over {n_series} series",
        ("class means", *about(chosen), layer),
        int(n_series * test.lengths.mean()),
        lambda n, progress: model.detailed(series_set.series[chosen.index][:, :n]),
        lambda progress: class_means.class_mean_attention(
            model, test, layer=layer, by="true", max_series=n_series, progress=progress
        ),
        lambda: results.class_mean_attention(model, series_set, layer),
        partial(timed, chosen),
    )


def wrongly_classified(chosen: Context) -> IntArray | None:
    """Return the indices of the series whose known class is not the predicted one."""
    model, series_set = model_of(chosen), chosen.series_set
    return jobs.computed(
        f"The class of each of {len(series_set)} series",
        ("wrong", *about(chosen)),
        int(series_set.lengths.sum()),
        lambda n, progress: model.predict([series_set.series[chosen.index][:, :n]]),
        lambda progress: _wrong(model, series_set, progress),
        lambda: results.wrongly_classified(model, series_set),
        partial(timed, chosen),
    )


def method_choice(chosen: Context) -> Choice | None:
    """Return what each importance method is worth for the model, as known already or measured."""
    model, series_set = model_of(chosen), chosen.series_set
    if known_choice(model, series_set) is not None:
        return results.method_choice(model, series_set)
    return jobs.computed(
        "What each method's map is worth",
        ("choice", *about(chosen)),
        2 * _timepoints_of_maps(chosen, choosing.N_SERIES),  # the maps, and about as much again for the removals
        all_maps(chosen),
        lambda progress: results.measured_choice(model, series_set, progress),
        lambda: results.method_choice(model, series_set),
        partial(timed, chosen),
    )


def checks_of_methods(chosen: Context) -> SanityChecks | None:
    """Return how methods agree, and what becomes of their maps when weights are made random."""
    model, series_set = model_of(chosen), chosen.series_set
    return jobs.computed(
        "The agreement of all methods, and their maps under random weights",
        ("sanity", *about(chosen)),
        N_MODELS_OF_CASCADE * _timepoints_of_maps(chosen, N_SERIES_OF_CHECKS),
        all_maps(chosen),
        lambda progress: sanity_checks(model, series_set, progress=progress),
        lambda: results.sanity_checks(model, series_set),
        partial(timed, chosen),
    )


def _timepoints_of_maps(chosen: Context, n_series: int) -> int:
    indices = spread_over(series_to_choose_on(model_of(chosen), chosen.series_set).indices, n_series)
    return int(chosen.series_set.lengths[indices].sum())


def all_maps(chosen: Context) -> list[Begin]:
    """Return what begins each method's map of the chosen series, to find out how long all of them take."""
    model, series = model_of(chosen), chosen.series_set.series[chosen.index]

    def begin(method: str, n: int, progress: Progress) -> None:
        importance.explain(model, series[:, :n], method, 0, progress=progress)

    # what knows no class is read off a pass, which takes nothing beside the others
    return [partial(begin, method.key) for method in methods_for(model) if method.class_specific]


def _wrong(model: TrainedModel, series_set: SeriesSet, progress: Progress) -> IntArray:
    labels = labels_for(model, series_set)
    predicted = np.empty(len(series_set), dtype=np.int64)
    for index, series in enumerate(series_set.series):
        predicted[index] = model.predict([series]).labels[0]
        progress(index + 1, len(series_set))
    return np.flatnonzero((predicted != labels) & (series_set.labels != UNKNOWN_LABEL))
