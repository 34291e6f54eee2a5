"""The series on which a choice about a model may rest: held out of its training, and not its test part."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from timemil_core.data.preparation import has_values
from timemil_core.data.series_set import IntArray, SeriesSet
from timemil_core.models.trained import TrainedModel
from timemil_core.training.config import TrainingConfig
from timemil_core.training.run_data import split_and_prepare

PartName = Literal["validation", "training", "given"]


class HeldOut(NamedTuple):
    """Indices of series in a set, and what they were to the model."""

    indices: IntArray
    part: PartName


def series_to_choose_on(model: TrainedModel, series_set: SeriesSet) -> HeldOut:
    """Return the model's validation series, else its training series, else all that are given.

    The split follows from the settings that are written in the model, so the set has to be the one that it was
    trained on; of another set the training part is taken, and all of a set without one.
    """
    facts = model.facts
    if "training" in facts and facts.get("fingerprint") == series_set.fingerprint:
        data = split_and_prepare(series_set, TrainingConfig.from_json(facts["training"]))
        # Equal statistics of the fitted series tell that this is the split by which the model was trained.
        if len(data.validation) and np.array_equal(data.preparation.means, model.preparation.means):
            return HeldOut(data.validation, "validation")
    train = with_values(series_set, series_set.indices("train"))
    return HeldOut(train, "training") if len(train) else HeldOut(with_values(series_set), "given")


def with_values(series_set: SeriesSet, indices: IntArray | None = None) -> IntArray:
    """Return those of the indices (by default all) whose series hold any value: the others cannot be classified."""
    asked = np.arange(len(series_set)) if indices is None else indices
    return asked[np.array([has_values(series_set.series[index]) for index in asked], dtype=np.bool_)]


def spread_over(indices: IntArray, n_chosen: int) -> IntArray:
    """Return at most so many of the indices, evenly spread, the same ones each time."""
    places = np.linspace(0, len(indices) - 1, min(n_chosen, len(indices))).round().astype(np.intp)
    return indices[np.unique(places)]


def spread_over_classes(indices: IntArray, labels: IntArray, n_chosen: int) -> IntArray:
    """Return at most so many of the indices, as evenly over their labels as can be, in order, the same ones each time.

    Where there are more labels than are to be chosen, an even spread of the labels has one each.

    Parameters
    ----------
    indices, labels
        ``(n,)`` each; -1, an unknown class, counts as a class.
    n_chosen
        At most so many.
    """
    present, counts = np.unique(labels, return_counts=True)
    quotas = np.zeros(len(present), dtype=np.intp)
    wanted = min(n_chosen, len(indices))
    if wanted < len(present):
        quotas[spread_over(np.arange(len(present)), wanted)] = 1
    while (left := wanted - quotas.sum()) > 0:  # a round gives one to each class that has any left
        unspent = np.flatnonzero(quotas < counts)
        quotas[unspent[:left]] += 1
    chosen = [spread_over(indices[labels == label], int(quota)) for label, quota in zip(present, quotas, strict=True)]
    return np.sort(np.concatenate(chosen)) if chosen else indices
