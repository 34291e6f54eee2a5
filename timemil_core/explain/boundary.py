"""The decision boundary page's questions: which series, which embeddings, which labels stand for instances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch

from timemil_core.data.series_set import UNKNOWN_LABEL, BoolArray, FloatArray, SeriesSet
from timemil_core.errors import DataError, ModelError
from timemil_core.explain.examination import as_array
from timemil_core.explain.labels import labels_for
from timemil_core.explain.plane import (
    Grid,
    InstancePlane,
    PlaneFaithfulness,
    grid_over,
    instance_plane,
    plane_faithfulness,
)
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.question import check_class
from timemil_core.explain.regions import NeighbourAgreement, agreement, head_regions, neighbour_regions
from timemil_core.models.trained import TrainedModel

__all__ = [
    "Grid",
    "InstancePlane",
    "NeighbourAgreement",
    "PlaneFaithfulness",
    "agreement",
    "embeddings",
    "grid_over",
    "head_regions",
    "instance_plane",
    "most_marked",
    "neighbour_regions",
    "paper_pair",
    "plane_faithfulness",
    "positive_class",
]

TIMEPOINTS_AT_ONCE = 2_000
MOST_TRIED = 1_000_000  # time points of series that are classified in search of one that comes out right


def paper_pair(
    series_set: SeriesSet, model: TrainedModel, target_class: int | None = None, chosen: int | None = None
) -> tuple[int, int]:
    """Return the indices of one positive and one negative series that the model classifies correctly.

    The first such test series; where there is none, the first test series of the kind, or else any of the set. Of
    long series at most a million time points are tried. The ``chosen`` series is one of the two whatever the model
    says of it.

    Parameters
    ----------
    series_set, model
        Of like channels.
    target_class
        Index, in the model's order, of the class that counts as positive; ``positive_class`` by default.
    chosen
        Index of a series that is wanted; one whose class is unknown is left out.

    Raises
    ------
    DataError
        Where the set holds no series of one of the two kinds.
    """
    target = positive_class(series_set, model) if target_class is None else check_class(model, target_class)
    labels = labels_for(model, series_set)
    test = np.isin(np.arange(len(labels)), series_set.indices("test"))
    kinds = ((labels == target, "of"), ((labels != target) & (labels != UNKNOWN_LABEL), "outside"))
    pair = []
    for member, word in kinds:
        if chosen is not None and member[chosen]:
            pair.append(chosen)
            continue
        candidates = np.flatnonzero(member & test) if np.any(member & test) else np.flatnonzero(member)
        if not candidates.size:
            raise DataError(
                f"no series {word} class {model.class_names[target]!r} is known.",
                where=series_set.name,
                remedy="Choose another positive class.",
            )
        pair.append(_first_correct(model, series_set, candidates, labels))
    return pair[0], pair[1]


def positive_class(series_set: SeriesSet, model: TrainedModel) -> int:
    """Return the class that counts as positive: the one whose series have instance labels, else the last."""
    labels = labels_for(model, series_set)
    marked = [label for label, truth in zip(labels, series_set.instance_labels or (), strict=False) if truth.any()]
    counts = np.bincount([label for label in marked if label != UNKNOWN_LABEL], minlength=1)
    return int(counts.argmax()) if counts.any() else len(model.class_names) - 1


def embeddings(
    model: TrainedModel,
    series_set: SeriesSet,
    indices: Sequence[int],
    supervised: bool = False,
    progress: Progress = silent,
) -> list[FloatArray]:
    """Return the instances ``(n_timepoints, L)`` of the chosen series, from TimeMIL's backbone or its counterpart's.

    ``progress`` is told (series done, series).

    Raises
    ------
    ModelError
        Where the counterpart is asked for and the model has none.
    """
    network = model.supervised if supervised else model.timemil
    if network is None:
        raise ModelError(
            "this model has no fully supervised counterpart.", remedy="Train again; a new run trains both."
        )
    chosen = [series_set.series[index] for index in indices]
    result: list[FloatArray] = [np.empty((0, 0), dtype=np.float32)] * len(chosen)
    done = 0
    with torch.inference_mode():
        for places, values, mask in model.batches(chosen):
            instances = network.backbone(values, mask)
            for row, place in enumerate(places):
                result[place] = as_array(instances[row, network.config.own_places(chosen[place].shape[1])])
            done += len(places)
            progress(done, len(chosen))
    return result


def most_marked(values: npt.NDArray[np.floating], share: float = 0.2) -> BoolArray:
    """Return the share of time points that a map marks most, ``(n_timepoints,)``, at least one.

    Stands in for instance labels where none are known. It is the model's own word, not the truth: name it so.
    """
    n_marked = max(1, round(share * len(values)))
    marked = np.zeros(len(values), dtype=np.bool_)
    marked[np.argsort(-np.asarray(values, dtype=np.float64), kind="stable")[:n_marked]] = True
    return marked


def _first_correct(
    model: TrainedModel,
    series_set: SeriesSet,
    candidates: npt.NDArray[np.intp],
    labels: npt.NDArray[np.int64],
) -> int:
    lengths = series_set.lengths[candidates]
    ends = np.cumsum(lengths)
    tried = candidates[ends - lengths < MOST_TRIED]
    for some in np.split(tried, np.flatnonzero(np.diff(ends[: len(tried)] // TIMEPOINTS_AT_ONCE)) + 1):
        predicted = model.predict_each([series_set.series[index] for index in some]).labels
        if (right := some[predicted == labels[some]]).size:
            return int(right[0])
    return int(candidates[0])
