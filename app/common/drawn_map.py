"""The map that a page draws of the chosen series, and what tells how far it can be trusted.

All of it takes seconds for short series and minutes for long ones. Each function gives None until it has been asked for
and computed; `ask.py` draws the offer and the progress.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from app import ask
from app.common import loading
from app.common.context import Context
from timemil_core.data.series_set import BoolArray
from timemil_core.explain import baseline, importance
from timemil_core.explain.cost import beginning
from timemil_core.explain.evaluation.fillers import Donors, FillerName, donors_for
from timemil_core.explain.evaluation.truth import GroundTruthScores
from timemil_core.explain.evaluation.verdict import SeriesVerdict, series_verdict
from timemil_core.explain.importance import METHODS, Importance
from timemil_core.explain.progress import Progress
from timemil_core.explain.scale import Scale, measured_scale
from timemil_core.models.trained import TrainedModel

Controls = tuple[GroundTruthScores, GroundTruthScores] | None


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
    """Return an importance map of the chosen series, once it is examined."""
    method, series, examination = METHODS[drawn.method], chosen.series, ask.at_hand(chosen)
    key = ("map", *ask.about(chosen), chosen.index, drawn)

    def compute(progress: Progress) -> Importance:
        return importance.explain(
            ask.model_of(chosen), series, drawn.method, drawn.target,
            examination=examination, progress=progress, **drawn.settings,
        )  # fmt: skip

    if method.class_specific:
        begin = partial(_begin, ask.model_of(chosen), chosen, drawn)
        return ask.computed(method.title, key, series.shape[1], begin, compute, partial(ask.timed, chosen))
    is_read_off = examination is not None and drawn.method != "rollout"  # that takes part of a pass
    if is_read_off or not chosen.is_long:
        return ask.at_once(method.title, key, compute)
    return ask.prompt(method.title, key, compute)


def scale(chosen: Context, drawn: DrawnMap) -> Scale | None:
    """Return how far the model's maps by this method reach, once that is measured, in the background."""
    if chosen.is_long:
        return None  # maps of several long series would take minutes that nobody has asked for
    settings = {name: value for name, value in drawn.settings.items() if name != "against"}
    model, series_set = ask.model_of(chosen), chosen.series_set
    return ask.quietly(
        ("scale", *ask.about(chosen), drawn.method, drawn.layer, drawn.head),
        lambda progress: measured_scale(model, series_set, drawn.method, progress=progress, **settings),
    )


def verdict(chosen: Context, drawn: DrawnMap, shown: Importance, filler: FillerName | None) -> SeriesVerdict | None:
    """Return what removing and restoring what a map marks does, here and at other places."""
    n_timepoints, others = chosen.series.shape[1], donors(chosen, drawn.target)

    def begin(n: int, progress: Progress) -> SeriesVerdict:
        return series_verdict(
            ask.model_of(chosen),
            chosen.series if n == n_timepoints else beginning(chosen.series, n),
            shown.values[:n],
            drawn.target,
            against=drawn.against,
            fillers=None if filler is None else (filler,),
            donors=others,
            progress=progress,
        )

    return ask.computed(
        "What this series shows: removing and restoring what the map marks",
        ("verdict", *ask.about(chosen), chosen.index, drawn, filler),
        n_timepoints,
        begin,
        partial(begin, n_timepoints),
        partial(ask.timed, chosen),
    )


def donors(chosen: Context, target: int) -> Donors:
    """Return training series of other classes, from which a removed span can be taken."""
    return ask.at_once(
        "Series of other classes",
        ("donors", *ask.about(chosen), target),
        lambda progress: donors_for(ask.model_of(chosen), chosen.series_set, target),
    )


def control_scores(chosen: Context, drawn: DrawnMap, truth: BoolArray) -> Controls:
    """Return the untrained network's and the bare signal's scores against the truth."""
    what, key = "The same map of the untrained network", ("controls", *ask.about(chosen), chosen.index, drawn)
    untrained = loading.untrained(ask.model_of(chosen))

    def compute(progress: Progress) -> Controls:
        return baseline.control_scores(
            untrained, chosen.series, truth, drawn.method, drawn.target, progress=progress, **drawn.settings
        )

    if not METHODS[drawn.method].class_specific:
        return ask.at_once(what, key, compute)
    begin = partial(_begin, untrained, chosen, drawn)
    return ask.computed(what, key, chosen.series.shape[1], begin, compute, partial(ask.timed, chosen))


def _begin(model: TrainedModel, chosen: Context, drawn: DrawnMap, n: int, progress: Progress) -> Importance:
    return importance.explain(
        model, beginning(chosen.series, n), drawn.method, drawn.target, progress=progress, **drawn.settings
    )
