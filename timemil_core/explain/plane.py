"""Instances on the plane of their first two principal components (paper, appendix "Decision boundary")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.decomposition import PCA
from sklearn.manifold import trustworthiness

DoubleArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.int64]
Embeddings = Sequence[npt.NDArray[np.floating]]

MOST_FITTED = 100_000  # instances that the axes are made of; neighbours in time are much alike
MOST_SAMPLED = 1000
NEIGHBOURS_KEPT = 15


@dataclass(frozen=True, eq=False)
class InstancePlane:
    """A plane through instance embeddings.

    Attributes
    ----------
    points
        ``(n_instances, 2)``: each instance's place on the plane.
    series_index
        ``(n_instances,)``: which of the given series it belongs to, counted from 0 in the order given.
    timepoint
        ``(n_instances,)``: which time point of it.
    explained
        ``(2,)``: the share of the variance along each axis.
    mean
        ``(L,)``: the embedding at the plane's origin.
    components
        ``(2, L)``: the plane's axes, orthonormal.
    """

    points: DoubleArray
    series_index: IndexArray
    timepoint: IndexArray
    explained: DoubleArray
    mean: DoubleArray
    components: DoubleArray

    def lifted(self, places: DoubleArray) -> DoubleArray:
        """Return embeddings ``(n, L)`` of places ``(n, 2)`` on the plane; off the plane they are the mean's."""
        return self.mean + places @ self.components


@dataclass(frozen=True, eq=False)
class Grid:
    """Evenly spread places on a plane.

    Attributes
    ----------
    x, y
        ``(n,)`` each.
    nodes
        ``(n · n, 2)``, x running fastest: reshaped to ``(n, n)``, rows are y and columns x.
    """

    x: DoubleArray
    y: DoubleArray
    nodes: DoubleArray


@dataclass(frozen=True)
class PlaneFaithfulness:
    """How much of the embedding the plane shows.

    Attributes
    ----------
    explained
        The share of the variance on the plane, 0 to 1.
    trustworthiness
        How far neighbours on the plane are neighbours among the embeddings, 0 to 1 (Venna and Kaski 2001); NaN for
        fewer than four instances.
    n_sampled
        On how many instances it was measured.
    """

    explained: float
    trustworthiness: float
    n_sampled: int


def instance_plane(embeddings: Embeddings) -> InstancePlane:
    """Return the plane of all instances of some series, each ``(n_timepoints, L)``.

    Every instance has its place; beyond 100,000 the axes are those of so many, spread evenly.
    """
    lengths = [len(one) for one in embeddings]
    total = sum(lengths)
    instances = _rows(embeddings, np.linspace(0, total - 1, min(total, MOST_FITTED)).round().astype(np.int64))
    mean = instances.mean(axis=0)
    components, explained = _axes(instances)
    return InstancePlane(
        points=np.concatenate([(np.asarray(one, dtype=np.float64) - mean) @ components.T for one in embeddings]),
        series_index=np.repeat(np.arange(len(lengths)), lengths).astype(np.int64),
        timepoint=np.concatenate([np.arange(length) for length in lengths]).astype(np.int64),
        explained=explained,
        mean=mean,
        components=components,
    )


def grid_over(plane: InstancePlane, n: int = 80, margin: float = 0.08) -> Grid:
    """Return ``n`` × ``n`` places over all points, with a margin as a share of their range."""
    low, high = plane.points.min(axis=0), plane.points.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    x, y = (np.linspace(low[i] - margin * span[i], high[i] + margin * span[i], n) for i in range(2))
    across, up = np.meshgrid(x, y)
    return Grid(x, y, np.column_stack([across.ravel(), up.ravel()]))


def plane_faithfulness(plane: InstancePlane, embeddings: Embeddings, seed: int = 0) -> PlaneFaithfulness:
    """Measure what the plane hides, on at most 1000 instances of ``embeddings``, those that it was made of."""
    chosen = sampled(len(plane.points), MOST_SAMPLED, seed)
    n_neighbours = min(NEIGHBOURS_KEPT, (len(chosen) - 1) // 2)
    kept = float("nan")
    if n_neighbours >= 1:
        instances = _rows(embeddings, chosen)
        kept = float(trustworthiness(instances, plane.points[chosen], n_neighbors=n_neighbours))
    return PlaneFaithfulness(float(plane.explained.sum()), kept, len(chosen))


def sampled(n: int, most: int, seed: int = 0) -> IndexArray:
    """Return at most so many indices of ``n``, in order, the same ones each time."""
    if n <= most:
        return np.arange(n, dtype=np.int64)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False)).astype(np.int64)


def _rows(embeddings: Embeddings, chosen: IndexArray) -> DoubleArray:
    # (len(chosen), L) of all instances one behind the other, which are never put together: they can be gigabytes
    begins = np.cumsum([0, *map(len, embeddings)])
    parts = np.split(chosen, np.searchsorted(chosen, begins[1:-1]))
    return np.concatenate(
        [
            np.asarray(one[part - begin], dtype=np.float64)
            for one, part, begin in zip(embeddings, parts, begins, strict=False)
        ]
    )


def _axes(instances: DoubleArray) -> tuple[DoubleArray, DoubleArray]:
    # (2, L) axes and (2,) explained shares; a set without two directions gets arbitrary further axes that explain 0
    n, width = instances.shape
    found = min(2, n - 1, width)
    axes, explained = np.zeros((0, width)), np.zeros(2)
    if found and instances.std(axis=0).any():
        pca = PCA(found, svd_solver="full" if n < width else "covariance_eigh").fit(instances)
        axes = pca.components_
        explained[:found] = np.clip(pca.explained_variance_ratio_, 0, 1)
    basis = np.linalg.qr(np.concatenate([axes, np.eye(width)]).T)[0].T
    return np.concatenate([axes, basis[len(axes) : 2]]), explained
