"""Deletion curves against block-wise random orders, from a plain scoring function.

A point-wise random order is too weak a rival: neighbours are correlated, so scattered points can be guessed back
from what stands beside them. Random orders here take blocks as long as the map's own marked stretches.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray, FloatArray
from timemil_core.explain.fillers import Filler
from timemil_core.explain.scoring import Score, class_probabilities, score_without

Curve = npt.NDArray[np.float64]
Order = npt.NDArray[np.intp]

LARGEST_SHARE = 0.5
MARKED_SHARE = 0.2


@dataclass(frozen=True, eq=False)
class DeletionScores:
    """The curves and what follows from them; see ``DeletionTest``.

    Attributes
    ----------
    shares
        ``(n_steps + 1,)``, removed share of the series, 0 to 0.5.
    curve
        ``(n_steps + 1,)``, the class's logit, most important time points removed first.
    random_curves
        ``(n_random, n_steps + 1)``.
    comprehensiveness, sufficiency
        ``p(X) − p(X without the top 20 %)`` and ``p(X) − p(the top 20 % alone)``.
    block_length
        Of the random orders, in time points.
    """

    shares: Curve
    curve: Curve
    random_curves: npt.NDArray[np.float64]
    comprehensiveness: float
    sufficiency: float
    block_length: int

    @property
    def area(self) -> float:
        """The mean fall of the logit over the shares."""
        return float(mean_fall(self.shares, self.curve[None])[0])

    @property
    def random_areas(self) -> Curve:
        """The mean fall of each random order, ``(n_random,)``."""
        return mean_fall(self.shares, self.random_curves)


def deletion_scores(
    score: Score,
    prepared: FloatArray,
    values: npt.NDArray[np.floating],
    target_class: int,
    filler: Filler,
    *,
    n_random: int = 20,
    n_steps: int = 10,
    seed: int = 0,
) -> DeletionScores:
    """Remove time points by a map's order and by random block orders, and score what is left.

    Parameters
    ----------
    score
        From copies ``(n_copies, n_channels, n_timepoints)`` to logits ``(n_copies, n_classes)``.
    prepared
        ``(n_channels, n_timepoints)``.
    values
        ``(n_timepoints,)``; the highest goes first, ties fall by chance.
    target_class, filler
        Whose logit, and what stands where a time point was.
    n_random, n_steps, seed
        Random orders, steps up to half of the series, and the seed of orders and ties.
    """
    generator = np.random.default_rng(seed)
    n_timepoints = prepared.shape[1]
    order = importance_order(values, generator)
    block_length = marked_run_length(order)
    orders = [order] + [random_block_order(n_timepoints, block_length, generator) for _ in range(n_random)]
    shares = np.linspace(0, LARGEST_SHARE, n_steps + 1)
    counts = np.round(shares[1:] * n_timepoints).astype(np.intp)
    marked = _removed(order, np.array([_n_marked(n_timepoints)]))
    nothing = np.zeros((1, n_timepoints), dtype=np.bool_)
    removed = np.concatenate([nothing, marked, ~marked, *(_removed(one, counts) for one in orders)])
    logits = score_without(score, prepared, removed, filler)
    chances = class_probabilities(logits[:3])[:, target_class]
    curves = logits[3:, target_class].reshape(n_random + 1, n_steps)
    curves = np.column_stack([np.full(n_random + 1, logits[0, target_class]), curves])
    return DeletionScores(
        shares=shares,
        curve=curves[0],
        random_curves=curves[1:],
        comprehensiveness=float(chances[0] - chances[1]),
        sufficiency=float(chances[0] - chances[2]),
        block_length=block_length,
    )


def importance_order(values: npt.NDArray[np.floating], generator: np.random.Generator) -> Order:
    """Return time points from the most to the least important; equal ones in random order, not in time's."""
    chance = generator.permutation(len(values))
    return np.lexsort((chance, -np.asarray(values, dtype=np.float64)))


def random_block_order(n_timepoints: int, block_length: int, generator: np.random.Generator) -> Order:
    """Return all time points, block after block in random order; where the blocks begin is random, too."""
    offset = int(generator.integers(block_length))
    block = (np.arange(n_timepoints) + offset) // block_length
    place = generator.permutation(block[-1] + 1)
    return np.argsort(place[block], kind="stable")


def marked_run_length(order: Order) -> int:
    """Return the mean length of contiguous stretches among the first fifth of an order, in time points."""
    marked = _removed(order, np.array([_n_marked(len(order))]))[0]
    n_runs = np.count_nonzero(np.diff(marked.astype(np.int8), prepend=0) == 1)
    return max(1, round(int(marked.sum()) / int(n_runs)))


def mean_fall(shares: Curve, curves: npt.NDArray[np.float64]) -> Curve:
    """Return the area between a curve's start and the curve, divided by the shares' span: ``(n_curves,)``."""
    return np.trapezoid(curves[:, :1] - curves, shares, axis=1) / (shares[-1] - shares[0])


def _n_marked(n_timepoints: int) -> int:
    return max(1, round(MARKED_SHARE * n_timepoints))


def _removed(order: Order, counts: Order) -> BoolArray:
    # (n_counts, n_timepoints): the first so many of the order
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return rank[None, :] < counts[:, None]
