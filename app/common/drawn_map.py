"""The map that a page draws of the chosen series, and what tells how far it can be trusted.

All of it takes seconds for short series and minutes for long ones. Each function gives None until it has been asked for
and computed; `jobs.py` draws the offer and the progress.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from app.common import jobs, results
from app.common.context import Context
from app.common.examined import about, at_hand, model_of, timed
from timemil_core.data.series_set import BoolArray
from timemil_core.explain import baseline, importance
from timemil_core.explain.cost import PROBE_TIMEPOINTS, beginning
from timemil_core.explain.evaluation.fillers import FillerName
from timemil_core.explain.evaluation.verdict import SeriesVerdict
from timemil_core.explain.importance import METHODS, Importance
from timemil_core.explain.progress import Progress

Found = TypeVar("Found")


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
            model, beginning(series, n), drawn.method, drawn.target, progress=progress, **drawn.settings
        ),
        compute,
        at_once,
        partial(timed, chosen),
    )


def verdict(chosen: Context, drawn: DrawnMap, shown: Importance, filler: FillerName | None) -> SeriesVerdict | None:
    """Return what removing and restoring what a map marks does, here and at other places."""
    model, series_set, index = model_of(chosen), chosen.series_set, chosen.index
    asked = (model, series_set, index, shown.values, drawn.target, drawn.against, filler)
    n_timepoints = int(series_set.lengths[index])
    return jobs.computed(
        "What this series shows: removing and restoring what the map marks",
        ("verdict", *about(chosen), index, drawn, filler),
        n_timepoints,
        lambda n, progress: results.verdict_of_series(*asked, n_timepoints=n, progress=progress),
        lambda progress: results.verdict_of_series(*asked, progress=progress),
        lambda: results.series_verdict(*asked),
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
            untrained, beginning(series, n), drawn.method, drawn.target, progress=progress, **drawn.settings
        ),
        lambda progress: baseline.control_scores(
            untrained, series, truth, drawn.method, drawn.target, progress=progress, **drawn.settings
        ),
        at_once,
        partial(timed, chosen),
    )
