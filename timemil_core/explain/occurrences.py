"""Where else a span of a series occurs: the nearest stretches of other series, and of the same one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import DataError
from timemil_core.explain.evaluation.held_out import spread_over, with_values
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.where import Place
from timemil_core.models.trained import TrainedModel

FEWEST_POINTS = 3
MOST_SERIES, MOST_FOUND = 500, 10


@dataclass(frozen=True)
class Occurrence:
    """A stretch that is like the span.

    Attributes
    ----------
    index
        Of its series in the set.
    place
        Its first time point and the one after the last.
    distance
        Root mean square of the differences, in standard deviations of the training data: 0 is the same.
    """

    index: int
    place: Place
    distance: float


def occurrences(
    model: TrainedModel, series_set: SeriesSet, index: int, place: Place, *, progress: Progress = silent
) -> list[Occurrence]:
    """Return the stretches nearest to a span of a series, nearest first: one a series, ten at most.

    Distances are aeon's (MASS; Mueen et al. 2015) over all channels of what the network sees, after preparation. At
    most 500 other series, evenly spread over the set, are looked at; of the span's own series only what does not
    overlap it. Series shorter than the span have none.

    Raises
    ------
    DataError
        Where the span has fewer than three time points.
    """
    from aeon.similarity_search.subsequence import MASS  # it brings numba: a second that only this shall cost

    first, stop = place
    if stop - first < FEWEST_POINTS:
        raise DataError(
            f"the marked span has {stop - first} of the {FEWEST_POINTS} time points that a shape needs.",
            where=f"series {series_set.series_ids[index]!r}",
            remedy="Mark a wider span.",
        )
    candidates = spread_over(np.setdiff1d(with_values(series_set), [index]), MOST_SERIES)
    looked_at = [index, *candidates.tolist()]
    prepared = [
        one.astype(np.float64) for one in model.preparation.transform([series_set.series[i] for i in looked_at])
    ]
    query = prepared[0][:, first:stop]
    found = []
    for done, (which, values) in enumerate(zip(looked_at, prepared, strict=True)):
        progress(done, len(looked_at))
        if values.shape[1] < query.shape[1]:
            continue
        search = MASS(query.shape[1], normalize=False).fit(values[None])
        squared = np.clip(search.compute_distance_profile(query)[0], 0, None)
        if which == index:
            squared[max(first - query.shape[1] + 1, 0) : stop] = np.inf
        start = int(squared.argmin())
        if np.isfinite(squared[start]):
            distance = float(np.sqrt(squared[start] / query.size))
            found.append(Occurrence(which, (start, start + query.shape[1]), distance))
    return sorted(found, key=lambda one: one.distance)[:MOST_FOUND]
