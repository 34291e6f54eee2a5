"""The planes of the Decision boundary page: at once for short series, in the background for long ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from app import ask
from app.common.context import Context
from timemil_core.explain import boundary
from timemil_core.explain.cost import beginning
from timemil_core.explain.decision_plane import DecisionPlane, RegionName, decision_planes, spread_sample
from timemil_core.explain.evaluation.ranking import opening_method
from timemil_core.explain.progress import Progress

Which = Literal["pair", "chosen", "sample"]
"""The paper's pair of series, the chosen one, or a sample of the set."""

PASSES_OF_A_PLANE = 1.5  # the backbone, and for series of the positive class the whole network
LEAST_TRIED = 2  # series that are classified in search of a pair that the model gets right
N_SAMPLED = 12


@dataclass(frozen=True)
class Planes:
    """The series whose instances are drawn, the fully supervised plane (None where there is none), and TimeMIL's."""

    indices: tuple[int, ...]
    supervised: DecisionPlane | None
    timemil: DecisionPlane


def planes(chosen: Context, which: Which, region: RegionName, target: int) -> Planes | None:
    """Return both planes of some series."""
    model, series_set = ask.model_of(chosen), chosen.series_set
    n_series = {"pair": 2, "chosen": 1, "sample": N_SAMPLED}[which]
    n_planes = 1 if model.supervised is None else 2
    n_passes = PASSES_OF_A_PLANE * n_planes * n_series + (LEAST_TRIED if which == "pair" else 0)
    n_timepoints = n_passes * series_set.lengths.mean()
    # Of long series a map would take longer than the planes: what a pass brings anyway stands in for it.
    method = "pooling" if chosen.is_long else opening_method(model, series_set)

    def compute(progress: Progress) -> Planes:
        indices = _of_series(chosen, which, target)
        both = decision_planes(model, series_set, indices, target, region=region, method=method, progress=progress)
        return Planes(indices, *both)

    return ask.computed(
        "The plane of the instances",
        ("planes", *ask.about(chosen), which, None if which == "sample" else chosen.index, region, target, method),
        int(n_timepoints),
        lambda n, progress: model.detailed(beginning(chosen.series, n)),
        compute,
        partial(ask.timed, chosen),
    )


def _of_series(chosen: Context, which: Which, target: int) -> tuple[int, ...]:
    if which == "pair":
        return boundary.paper_pair(chosen.series_set, ask.model_of(chosen), target, chosen.index)
    return (chosen.index,) if which == "chosen" else spread_sample(chosen.series_set, N_SAMPLED)
