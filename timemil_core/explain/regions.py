"""What colours the plane of instances: nearest neighbours, as in the paper, or the network's own head."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.neighbors import KNeighborsClassifier

from timemil_core.data.series_set import BoolArray
from timemil_core.explain.plane import Grid, IndexArray, InstancePlane, sampled
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel

DoubleArray = npt.NDArray[np.float64]

MOST_NEIGHBOURS_SOUGHT = 20_000
BAGS_AT_ONCE = 1600
N_FOLDS = 5
BLOCKS_PER_SERIES = 10


@dataclass(frozen=True)
class NeighbourAgreement:
    """How well nearest neighbours on the plane tell the label of instances that they have not seen.

    Attributes
    ----------
    accuracy
        Cross-validated; a fold leaves out whole tenths of series, since neighbours in time are alike.
    majority
        What naming the more frequent label alone would score.
    """

    accuracy: float
    majority: float


def neighbour_regions(plane: InstancePlane, labels: BoolArray, grid: Grid, n_neighbours: int = 15) -> DoubleArray:
    """Return the share of positive labels among the nearest instances of each place (paper, appendix).

    Parameters
    ----------
    plane
        Of the instances.
    labels
        ``(n_instances,)``: bag labels for the fully supervised model, instance labels for TimeMIL.
    grid
        Where to look.
    n_neighbours
        How many of the nearest.

    Returns
    -------
    DoubleArray
        ``(n, n)``, 0 to 1; rows are y, columns x.
    """
    shape = (len(grid.y), len(grid.x))
    chosen = sampled(len(labels), MOST_NEIGHBOURS_SOUGHT)
    return _positive_share(plane.points[chosen], labels[chosen], grid.nodes, n_neighbours).reshape(shape)


def head_regions(
    model_or_network: TrainedModel | TimeMIL, plane: InstancePlane, grid: Grid, target_class: int
) -> DoubleArray:
    """Return what the network says of a bag that holds only the instance at each place.

    The instance is the plane's inverse: along the axes as the place has it, off the plane the mean. The definition is
    the same for every pooling and for the fully supervised network. The network stays as it is.

    Returns
    -------
    DoubleArray
        ``(n, n)`` one-vs-rest probability of the class; rows are y, columns x.
    """
    network = model_or_network.timemil if isinstance(model_or_network, TrainedModel) else model_or_network
    device = next(network.parameters()).device
    lifted = plane.lifted(grid.nodes).astype(np.float32)
    chances = []
    with torch.inference_mode():
        for start in range(0, len(lifted), BAGS_AT_ONCE):
            instances = torch.from_numpy(lifted[start : start + BAGS_AT_ONCE]).to(device)[:, None, :]
            bag, _ = network.pooling(instances, None)
            chances.append(network.classify(bag)[:, target_class].double().sigmoid().cpu().numpy())
    return np.concatenate(chances).reshape(len(grid.y), len(grid.x))


def agreement(plane: InstancePlane, labels: BoolArray, n_neighbours: int = 15) -> NeighbourAgreement | None:
    """Measure how well the regions of ``neighbour_regions`` hold for held-out instances.

    None where there are too few instances of a label to hold any out.
    """
    chosen = sampled(len(labels), MOST_NEIGHBOURS_SOUGHT)
    points, labels, groups = plane.points[chosen], np.asarray(labels)[chosen], _blocks(plane)[chosen]
    n_folds = min(N_FOLDS, *(len(np.unique(groups[labels == label])) for label in (False, True)))
    if n_folds < 2:
        return None
    right = np.zeros(len(labels), dtype=np.bool_)
    folds = StratifiedGroupKFold(n_folds, shuffle=True, random_state=0)
    for train, test in folds.split(points, labels, groups):
        shares = _positive_share(points[train], labels[train], points[test], n_neighbours)
        right[test] = (shares > 0.5) == labels[test]
    accuracy, positive = float(right.mean()), float(labels.mean())
    return NeighbourAgreement(accuracy, max(positive, 1 - positive))


def _positive_share(points: DoubleArray, labels: BoolArray, places: DoubleArray, n_neighbours: int) -> DoubleArray:
    if labels.all() or not labels.any():
        return np.full(len(places), float(labels[0]))
    neighbours = KNeighborsClassifier(min(n_neighbours, len(labels))).fit(points, labels)
    shares: DoubleArray = neighbours.predict_proba(places)[:, 1]
    return shares


def _blocks(plane: InstancePlane) -> IndexArray:
    # (n_instances,): a number of its own for each tenth of each series
    lengths = np.bincount(plane.series_index)[plane.series_index]
    return plane.series_index * BLOCKS_PER_SERIES + plane.timepoint * BLOCKS_PER_SERIES // lengths
