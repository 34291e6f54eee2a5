"""Deletion and insertion curves against the same map at random places, from a plain scoring function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray, FloatArray
from timemil_core.explain.evaluation.fillers import Filler
from timemil_core.explain.evaluation.places import elsewhere, first_of, importance_order, n_marked
from timemil_core.explain.evaluation.scoring import Score, class_probabilities, score_without
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.question import Question

Curve = npt.NDArray[np.float64]

LARGEST_SHARE = 0.5
N_RANDOM, N_STEPS = 20, 10


@dataclass(frozen=True, eq=False)
class CurveScores:
    """The explained number while time points are taken in a map's order, and in its orders at random places.

    Attributes
    ----------
    shares
        ``(n_steps + 1,)``, share of the series that was removed (deletion) or restored (insertion), 0 to 0.5.
    curve
        ``(n_steps + 1,)``, the explained number, most important time points first.
    random_curves
        ``(n_random, n_steps + 1)``: of the same map, moved to random places (``orders.elsewhere``).
    """

    shares: Curve
    curve: Curve
    random_curves: npt.NDArray[np.float64]

    sign: ClassVar[int] = -1  # of the change that a good map causes

    @property
    def area(self) -> float:
        """The mean change over the shares, in the direction that a good map causes."""
        return float(self._areas(self.curve[None])[0])

    @property
    def random_areas(self) -> Curve:
        """The mean change by the map at each random place, ``(n_random,)``."""
        return self._areas(self.random_curves)

    @property
    def n_beaten(self) -> int:
        """How many random places this map beats."""
        return int((self.area > self.random_areas).sum())

    @property
    def rank(self) -> float:
        """The share of random places that this map beats."""
        return self.n_beaten / len(self.random_curves)

    @property
    def chance(self) -> float:
        """How often a map that means nothing beats as many: its rank is uniform among all."""
        n_random = len(self.random_curves)
        return (1 + n_random - self.n_beaten) / (1 + n_random)

    def _areas(self, curves: npt.NDArray[np.float64]) -> Curve:
        return self.sign * mean_rise(self.shares, curves)


@dataclass(frozen=True, eq=False)
class DeletionScores(CurveScores):
    """Most important time points removed first: the number should fall fast.

    Attributes
    ----------
    comprehensiveness, sufficiency
        ``p(X) − p(X without the top 20 %)`` and ``p(X) − p(the top 20 % alone)``, of the target class.
    """

    comprehensiveness: float
    sufficiency: float

    @property
    def aopcr(self) -> float:
        """The mean fall over all shares, 0 included, less that of random places (Early et al. 2024)."""
        return float(aopc(self.curve) - np.mean([aopc(one) for one in self.random_curves]))


@dataclass(frozen=True, eq=False)
class InsertionScores(CurveScores):
    """All removed, then the most important time points restored first: the number should rise fast."""

    sign: ClassVar[int] = 1


def deletion_scores(
    score: Score,
    prepared: FloatArray,
    values: npt.NDArray[np.floating],
    question: Question,
    filler: Filler,
    *,
    n_random: int = N_RANDOM,
    n_steps: int = N_STEPS,
    seed: int = 0,
    progress: Progress = silent,
) -> DeletionScores:
    """Remove time points by a map's order, here and at random places, and score what is left.

    Parameters
    ----------
    score
        From copies ``(n_copies, n_channels, n_timepoints)`` to logits ``(n_copies, n_classes)``.
    prepared
        ``(n_channels, n_timepoints)``.
    values
        ``(n_timepoints,)``; the highest goes first, ties fall by chance.
    question, filler
        The number that is watched, and what stands where a time point was.
    n_random, n_steps, seed
        Random places, of which a series of few time points has fewer; steps up to half of the series; the seed of
        places and ties.
    progress
        Told (copies done, copies).
    """
    orders = _Orders(values, n_random, n_steps, seed)
    marked = first_of(orders.rows[0], np.array([n_marked(len(values))]))
    removed = np.concatenate([_nothing(len(values)), marked, ~marked, orders.taken])
    logits = score_without(score, prepared, removed, filler, progress)
    chances = class_probabilities(logits[:3])[:, question.target]
    numbers = question.of(logits)
    curve, random_curves = orders.curves(float(numbers[0]), numbers[3:])
    return DeletionScores(
        shares=orders.shares,
        curve=curve,
        random_curves=random_curves,
        comprehensiveness=float(chances[0] - chances[1]),
        sufficiency=float(chances[0] - chances[2]),
    )


def insertion_scores(
    score: Score,
    prepared: FloatArray,
    values: npt.NDArray[np.floating],
    question: Question,
    filler: Filler,
    *,
    n_random: int = N_RANDOM,
    n_steps: int = N_STEPS,
    seed: int = 0,
    progress: Progress = silent,
) -> InsertionScores:
    """Remove everything, and restore time points by a map's order, here and at random places.

    Parameters are those of ``deletion_scores``.
    """
    orders = _Orders(values, n_random, n_steps, seed)
    removed = np.concatenate([~_nothing(len(values)), ~orders.taken])
    numbers = question.of(score_without(score, prepared, removed, filler, progress))
    curve, random_curves = orders.curves(float(numbers[0]), numbers[1:])
    return InsertionScores(orders.shares, curve, random_curves)


def mean_rise(shares: Curve, curves: npt.NDArray[np.float64]) -> Curve:
    """Return the area between a curve's start and the curve, divided by the shares' span: ``(n_curves,)``."""
    return np.trapezoid(curves - curves[:, :1], shares, axis=1) / (shares[-1] - shares[0])


def aopc(curve: Curve) -> float:
    """Return the mean fall ``1 / (K + 1) Σ_k (z_0 − z_k)`` of a deletion curve ``(K + 1,)``."""
    return float(np.mean(curve[0] - curve))


class _Orders:
    """A map's order and its rivals, and what each takes at each step."""

    def __init__(self, values: npt.NDArray[np.floating], n_random: int, n_steps: int, seed: int) -> None:
        generator = np.random.default_rng(seed)
        n_timepoints = len(values)
        own = importance_order(values, generator)
        self.rows = [own, *elsewhere(own, n_random, generator)]
        self.shares = np.linspace(0, LARGEST_SHARE, n_steps + 1)
        counts = np.floor(self.shares[1:] * n_timepoints + 1e-9).astype(np.intp)
        self.taken: BoolArray = np.concatenate([first_of(order, counts) for order in self.rows])

    def curves(self, start: float, numbers: Curve) -> tuple[Curve, npt.NDArray[np.float64]]:
        """Return the map's curve and the rivals', from the number before anything is taken and those after."""
        rows = numbers.reshape(len(self.rows), -1)
        curves = np.column_stack([np.full(len(rows), start), rows])
        return curves[0], curves[1:]


def _nothing(n_timepoints: int) -> BoolArray:
    return np.zeros((1, n_timepoints), dtype=np.bool_)
