"""The nearest unlike neighbours: the nearest series to which the model itself gives the other class."""

from __future__ import annotations

import numpy as np

from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.evaluation.held_out import spread_over
from timemil_core.models.trained import TrainedModel

N_NEIGHBOURS, MOST_CANDIDATES = 3, 200


def nearest_unlike(
    model: TrainedModel, series_set: SeriesSet, index: int, target: int, n_neighbours: int = N_NEIGHBOURS
) -> list[int]:
    """Return the nearest series that the model gives the class ``target``, nearest first.

    At most 200 others, evenly spread over the set, are looked at. Distance is Euclidean, after preparation, over the
    time points that both series have, for each of them: at these values are borrowed.
    """
    others = spread_over(np.delete(np.arange(len(series_set)), index), MOST_CANDIDATES)
    labels = model.predict_each([series_set.series[other] for other in others]).labels
    alike = others[labels == target]
    if not len(alike):
        return []
    own, *prepared = model.preparation.transform([series_set.series[i] for i in (index, *alike)])
    distances = []
    for one in prepared:
        n = min(own.shape[1], one.shape[1])
        distances.append(np.linalg.norm(own[:, :n].astype(np.float64) - one[:, :n]) / np.sqrt(n))
    return [int(alike[place]) for place in np.argsort(distances, kind="stable")[:n_neighbours]]
