"""How long the atlas of long series will take, foretold: the maps, and each motif that they bring."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from timemil_core.data.series_set import FloatArray, SeriesSet
from timemil_core.explain.cost import Timed, beginning, expected_seconds
from timemil_core.explain.evaluation.fillers import get_filler
from timemil_core.explain.evaluation.scoring import network_score, prepared_series, score_without
from timemil_core.explain.importance import explain
from timemil_core.explain.motifs.atlas import sides
from timemil_core.explain.motifs.removal import copies_scored
from timemil_core.explain.progress import Progress
from timemil_core.models.trained import TrainedModel

COPIES_TRIED = 12


@dataclass(frozen=True)
class AtlasCost:
    """Seconds of the maps of ``n_series`` series, and of each motif: how many come is not known before."""

    n_series: int
    maps: float
    motif: float


def atlas_cost(model: TrainedModel, series_set: SeriesSet, method: str, timed: Timed | None = None) -> AtlasCost:
    """Foretell an atlas from the beginning of the longest series, which has to have 2,000 time points or more.

    Parameters
    ----------
    method
        Of importance.
    timed
        A pass over a long series, by which the beginning is enlarged.
    """
    found_in, _, _ = sides(series_set)
    series = series_set.series[int(series_set.lengths.argmax())]
    mean = float(series_set.lengths[found_in].mean())
    # spans are removed from the series that they were cut from, and from those where the shape is found again
    copies = 2 * copies_scored(model, mean)
    maps = expected_seconds(round(mean * len(found_in)), partial(_map, model, series, method), timed=timed)
    removals = expected_seconds(round(mean * copies / COPIES_TRIED), partial(_copies, model, series), timed=timed)
    return AtlasCost(len(found_in), maps, removals)


def _map(model: TrainedModel, series: FloatArray, method: str, n: int, progress: Progress) -> None:
    explain(model, beginning(series, n), method, 0, progress=progress)


def _copies(model: TrainedModel, series: FloatArray, n: int, progress: Progress) -> None:
    prepared = prepared_series(model, beginning(series, n))
    removed = np.arange(prepared.shape[1]) == np.arange(COPIES_TRIED)[:, None]
    score_without(network_score(model.network), prepared, removed, get_filler("noise", 0), progress)
