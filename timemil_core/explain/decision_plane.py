"""One half of the decision boundary picture: instances on a plane, their labels, regions, and what they are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray, SeriesSet
from timemil_core.explain.boundary import embeddings, most_marked
from timemil_core.explain.evaluation.held_out import with_values
from timemil_core.explain.evaluation.ranking import UNMEASURED
from timemil_core.explain.importance import METHODS, explain
from timemil_core.explain.labels import labels_for
from timemil_core.explain.plane import (
    Grid,
    InstancePlane,
    PlaneFaithfulness,
    grid_over,
    instance_plane,
    plane_faithfulness,
)
from timemil_core.explain.progress import Progress, share_of, silent
from timemil_core.explain.regions import NeighbourAgreement, agreement, head_regions, neighbour_regions
from timemil_core.models.trained import TrainedModel

RegionName = Literal["neighbours", "head"]
LabelKind = Literal["bag", "instance"]
MARKED_SHARE = 0.2


@dataclass(frozen=True, eq=False)
class DecisionPlane:
    """Instances of some series on a plane.

    Attributes
    ----------
    plane, grid
        Where instances and the regions' places are.
    labels
        ``(n_instances,)``: 1 where positive.
    label_names
        What 0 and 1 mean.
    labels_sentence
        Where the labels come from.
    times
        ``(n_instances,)``, in the data's unit.
    regions
        ``(n, n)``, 0 to 1; rows are y, columns x.
    region_title
        What they are.
    faithfulness
        How much of the embedding the plane shows.
    agreements
        How well nearest neighbours on this plane name each kind of label for held-out instances, whichever of the two
        it is drawn with; None where too few. Two planes are compared by one kind: labels alone can part them.
    """

    plane: InstancePlane
    grid: Grid
    labels: npt.NDArray[np.int64]
    label_names: tuple[str, str]
    labels_sentence: str
    times: npt.NDArray[np.float64]
    regions: npt.NDArray[np.float64]
    region_title: str
    faithfulness: PlaneFaithfulness
    agreements: Mapping[LabelKind, NeighbourAgreement | None]


def decision_planes(
    model: TrainedModel,
    series_set: SeriesSet,
    indices: Sequence[int],
    target_class: int,
    *,
    region: RegionName = "neighbours",
    method: str = UNMEASURED,
    progress: Progress = silent,
) -> tuple[DecisionPlane | None, DecisionPlane]:
    """Return the planes of the chosen series' instances: the counterpart's (None without one), and TimeMIL's.

    The paper's figure 5 and appendix "Decision Boundary". As there the fully supervised model's instances carry the
    label of their bag, TimeMIL's their own. Where no instance labels are known, the fifth of the positive series' time
    points that a map of TimeMIL's marks most stands in for them: give the ``method`` that measured best for this model.
    ``progress`` is told (series embedded, series).
    """
    kinds = _labels(model, series_set, indices, target_class, method)
    sides = [False] if model.supervised is None else [True, False]
    views = [
        _plane(model, series_set, indices, target_class, region, side, kinds, share_of(progress, place, len(sides)))
        for place, side in enumerate(sides)
    ]
    return (None if model.supervised is None else views[0]), views[-1]


def _labels(
    model: TrainedModel, series_set: SeriesSet, indices: Sequence[int], target_class: int, method: str
) -> dict[LabelKind, Labels]:
    return {
        "bag": _bag_labels(model, series_set, indices, target_class),
        "instance": _instance_labels(model, series_set, indices, target_class, method),
    }


def _plane(
    model: TrainedModel,
    series_set: SeriesSet,
    indices: Sequence[int],
    target_class: int,
    region: RegionName,
    supervised: bool,
    kinds: Mapping[LabelKind, Labels],
    progress: Progress,
) -> DecisionPlane:
    network = model.supervised if supervised else model.timemil
    assert network is not None
    embedded = embeddings(model, series_set, indices, supervised, progress)
    plane = instance_plane(embedded)
    grid = grid_over(plane)
    positive, names, sentence = kinds["bag" if supervised else "instance"]
    if region == "head":
        regions = head_regions(network, plane, grid, target_class)
        title = f"one-vs-rest probability of {model.class_names[target_class]!r} for a bag of that instance alone"
    else:
        regions = neighbour_regions(plane, positive, grid)
        title = "share of positive labels among the 15 nearest instances"
    return DecisionPlane(
        plane=plane,
        grid=grid,
        labels=positive.astype(np.int64),
        label_names=names,
        labels_sentence=sentence,
        times=np.concatenate([series_set.times(index) for index in indices]),
        regions=regions,
        region_title=title,
        faithfulness=plane_faithfulness(plane, embedded),
        agreements={kind: agreement(plane, labels) for kind, (labels, _, _) in kinds.items()},
    )


def spread_sample(series_set: SeriesSet, n_series: int = 12, seed: int = 0) -> tuple[int, ...]:
    """Return a few series, of the test part where there is one, as evenly over the classes as their numbers allow."""
    test = with_values(series_set, series_set.indices("test"))
    order = np.random.default_rng(seed).permutation(test if len(test) else with_values(series_set))
    labels = series_set.labels[order]
    rank = np.zeros(len(order), dtype=np.int64)  # first of its class, second of its class, …
    for label in np.unique(labels):
        rank[labels == label] = np.arange((labels == label).sum())
    return tuple(sorted(int(index) for index in order[np.argsort(rank, kind="stable")][:n_series]))


Labels = tuple[BoolArray, tuple[str, str], str]
"""Which instances are positive, what 0 and 1 mean, and where the labels come from."""


def _bag_labels(model: TrainedModel, series_set: SeriesSet, indices: Sequence[int], target_class: int) -> Labels:
    name = model.class_names[target_class]
    marks = [np.full(series_set.lengths[index], own) for index, own in _own(model, series_set, indices, target_class)]
    sentence = "Every instance carries the label of its series, as full supervision has it."
    return np.concatenate(marks), (f"in a series not of class {name}", f"in a series of class {name}"), sentence


def _instance_labels(
    model: TrainedModel, series_set: SeriesSet, indices: Sequence[int], target_class: int, method: str
) -> Labels:
    name, own_of = model.class_names[target_class], _own(model, series_set, indices, target_class)
    if series_set.instance_labels is not None:
        marks = [series_set.instance_labels[index] & own for index, own in own_of]
        return np.concatenate(marks), ("other instance", f"instance of {name}"), "Instance labels are the known truth."
    marks = [
        most_marked(explain(model, series_set.series[index], method, target_class).values, MARKED_SHARE)
        if own
        else np.zeros(series_set.lengths[index], dtype=np.bool_)
        for index, own in own_of
    ]
    sentence = (
        f'No instance labels are known: the {MARKED_SHARE:.0%} of time points that the map "{METHODS[method].title}" '
        f"marks most, in series of class {name}, stand in for them. That is the model's own word, not the truth."
    )
    return np.concatenate(marks), ("other instance", f"marked most, class {name}"), sentence


def _own(
    model: TrainedModel, series_set: SeriesSet, indices: Sequence[int], target_class: int
) -> list[tuple[int, bool]]:
    labels = labels_for(model, series_set)
    return [(index, bool(labels[index] == target_class)) for index in indices]
