"""What the Decision boundary page draws: which instances, which labels, which regions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app import results
from app.context import Context
from timemil_core.explain.boundary import Grid, InstancePlane

SAMPLE_SIZE = 12


@dataclass(frozen=True, eq=False)
class PlaneView:
    """One plane with its labels, regions, and how far it can be trusted."""

    plane: InstancePlane
    labels: np.ndarray
    label_names: tuple[str, ...]
    labels_sentence: str
    times: np.ndarray
    regions: np.ndarray
    region_title: str
    grid: Grid
    trustworthiness: float
    agreement_sentence: str


def default_target(chosen: Context) -> int:
    """Return the class that counts as positive: the chosen series' own, or the one with instance labels."""
    series_set = chosen.series_set
    if series_set.instance_labels is not None:
        marked = [int(series_set.labels[i]) for i, truth in enumerate(series_set.instance_labels) if truth.any()]
        if marked:
            return max(set(marked), key=marked.count)
    return max(int(series_set.labels[chosen.index]), 0)


def series_shown(chosen: Context, which: str, target: int) -> tuple[int, ...]:
    """Return the indices of the series whose instances are drawn."""
    assert chosen.model is not None
    if which == "chosen":
        return (chosen.index,)
    if which == "sample":
        return _sample(chosen)
    return results.pair(chosen.model, chosen.series_set, target)


def _sample(chosen: Context) -> tuple[int, ...]:
    # The same few series each time, spread evenly over the classes of the test part.
    labels = chosen.series_set.labels
    test = chosen.series_set.indices("test")
    pool = test if len(test) else np.arange(len(labels))
    order = np.random.default_rng(0).permutation(pool)
    ranks = np.zeros(len(order), dtype=int)
    for label in np.unique(labels[order]):
        members = np.flatnonzero(labels[order] == label)
        ranks[members] = np.arange(len(members))
    return tuple(sorted(int(index) for index in order[np.argsort(ranks, kind="stable")][:SAMPLE_SIZE]))
