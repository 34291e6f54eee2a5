"""Cuttings of like shape put together: aeon's dynamic time warping, scikit-learn's agglomerative clustering."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import silhouette_score

DoubleArray = npt.NDArray[np.float64]

WARPING = 0.2  # of the length: how far apart in time two points may be matched
MOST_CLUSTERS = 4
LEAST_SILHOUETTE = 0.25  # below, Kaufman and Rousseeuw (1990) see no structure


def distances(cuttings: DoubleArray, others: DoubleArray | None = None) -> DoubleArray:
    """Return how unlike shapes are, ``(n, n)`` or ``(n, n_others)``: root mean square after warping.

    Cuttings are ``(n, n_channels, n_points)``. The squared warping distance is divided by the number of values.
    """
    from aeon.distances import pairwise_distance  # it brings numba: seconds that only this shall cost

    per_value = cuttings.shape[1] * cuttings.shape[2]
    squared = pairwise_distance(cuttings, cuttings if others is None else others, method="dtw", window=WARPING)
    return np.sqrt(np.asarray(squared) / per_value)


def clusters(between: DoubleArray) -> list[npt.NDArray[np.intp]]:
    """Return the indices of each cluster's members, the largest cluster first, its medoid first.

    Average linkage; of 2 to 4 clusters as many as have the highest silhouette, one where none reaches 0.25.
    """
    n, best, labels = len(between), LEAST_SILHOUETTE, np.zeros(len(between), dtype=np.intp)
    for n_clusters in range(2, min(MOST_CLUSTERS, n - 1) + 1):
        model = AgglomerativeClustering(n_clusters, metric="precomputed", linkage="average")
        found = model.fit_predict(between)
        score = silhouette_score(between, found, metric="precomputed")
        if score > best:
            best, labels = float(score), found
    groups = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    groups.sort(key=lambda group: (-len(group), group[0]))
    return [_medoid_first(group, between) for group in groups] if n else []


def warped(cutting: DoubleArray, onto: DoubleArray, raw: DoubleArray) -> DoubleArray:
    """Return the raw values of a cutting on the time of another: of those matched to each of its points the mean.

    ``cutting``, ``onto`` and ``raw`` are ``(n_channels, n_points)``; missing raw values are passed by.
    """
    from aeon.distances import dtw_alignment_path

    path, _ = dtw_alignment_path(onto, cutting, window=WARPING)
    places, matched = (np.array(side) for side in zip(*path, strict=True))
    values = raw[:, matched]
    observed = np.isfinite(values)
    shape = (len(raw), onto.shape[1])
    totals, counts = np.zeros(shape), np.zeros(shape)
    for channel in range(len(raw)):
        np.add.at(totals[channel], places, np.where(observed[channel], values[channel], 0.0))
        np.add.at(counts[channel], places, observed[channel])
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)


def _medoid_first(group: npt.NDArray[np.intp], between: DoubleArray) -> npt.NDArray[np.intp]:
    nearest = int(between[np.ix_(group, group)].sum(axis=1).argmin())
    rest = np.delete(group, nearest)
    by_distance = rest[np.argsort(between[group[nearest], rest], kind="stable")]
    return np.concatenate([[group[nearest]], by_distance]).astype(np.intp)
