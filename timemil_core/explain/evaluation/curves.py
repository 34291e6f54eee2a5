"""The one engine of removal: what a model says of a series while time points are taken, or come back, in some order.

Everything that judges a map stands on it: the verdict of one series, of a method over many, the search for what can be
found at all. A *cell* is a filler with a direction: deletion (the first go first) or insertion (all is gone, the first
come back first).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray, FloatArray
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.fillers import RANDOM, Donors, FillerName, get_filler
from timemil_core.explain.evaluation.places import Order, first_of
from timemil_core.explain.evaluation.scoring import Score, class_probabilities, score_without
from timemil_core.explain.progress import Progress, share_of, silent
from timemil_core.explain.question import Question

Array = npt.NDArray[np.float64]
Direction = Literal["deletion", "insertion"]
DIRECTIONS: tuple[Direction, ...] = ("deletion", "insertion")

SHARES = (0.05, 0.1, 0.2, 0.3)
"""Of the series, taken step by step. Beyond, any order has taken what matters: up to a fifth or more the planted truth
beat 95 % of its other places on every series, up to a tenth on a third of them (pulse and distractor set)."""
N_DRAWS = 3
STARTS = 2  # copies from which nothing and everything is taken


class Cell(NamedTuple):
    """What stands in place of removed time points, and whether they go or come back."""

    filler: FillerName
    direction: Direction


@dataclass(frozen=True, eq=False)
class Curves:
    """Some orders of one series in each cell.

    Attributes
    ----------
    cells
        Each filler with each direction.
    shares
        ``(n_steps + 1,)``, the share of the series that was removed or restored, from 0.
    numbers
        ``(n_cells, n_orders, n_steps + 1)``: the explained number, mean over the filler's draws.
    probabilities
        ``(n_cells, n_orders, n_steps + 1)``: of the target class, likewise.
    """

    cells: tuple[Cell, ...]
    shares: Array
    numbers: Array
    probabilities: Array

    @property
    def changes(self) -> Array:
        """The mean change over the shares in the direction that a good map causes, ``(n_cells, n_orders)``."""
        signs = np.array([-1.0 if cell.direction == "deletion" else 1.0 for cell in self.cells])
        return signs[:, None] * mean_rise(self.shares, self.numbers)

    @property
    def full(self) -> float:
        """The explained number of the series as it is."""
        return float(self.numbers[0, 0, 0])

    @property
    def empty(self) -> dict[FillerName, float]:
        """By filler, the explained number of a series of which nothing is left."""
        return {
            cell.filler: float(one[0, 0])
            for cell, one in zip(self.cells, self.numbers, strict=True)
            if cell.direction == "insertion"
        }


@dataclass(frozen=True, eq=False)
class Removals:
    """One prepared series, ready to be taken apart in any order.

    Attributes
    ----------
    score
        From copies ``(n_copies, n_channels, n_timepoints)`` to logits ``(n_copies, n_classes)``.
    prepared
        ``(n_channels, n_timepoints)``.
    question
        The number that is watched.
    fillers
        What stands in place of removed time points.
    donors
        For the filler that needs them.
    seed, n_draws
        Of random fillers; all orders meet the same draws, so that they differ by what is removed alone.
    shares
        Of the series, ascending, 0 left out.
    """

    score: Score
    prepared: FloatArray
    question: Question
    fillers: tuple[FillerName, ...]
    donors: Donors | None = None
    seed: int = 0
    n_draws: int = N_DRAWS
    shares: tuple[float, ...] = SHARES

    def __post_init__(self) -> None:
        if not self.fillers:
            raise SettingsError("nothing stands in place of removed time points.", remedy="Give at least one filler.")

    @property
    def n_timepoints(self) -> int:
        """Of the series."""
        return self.prepared.shape[1]

    def curves(self, orders: Sequence[Order], progress: Progress = silent) -> Curves:
        """Take and restore time points by each order; ``progress`` is told (copies done, copies) and may raise."""
        counts = np.maximum(1, np.floor(np.array(self.shares) * self.n_timepoints + 1e-9).astype(np.intp))
        taken = np.concatenate([first_of(order, counts) for order in orders])
        logits = self.without(np.concatenate([self._starts(), taken, ~taken]), progress)
        numbers, probabilities = (
            np.concatenate([self._by_cell(one, len(orders)) for one in values])
            for values in (self.question.of(logits), class_probabilities(logits)[..., self.question.target])
        )
        cells = tuple(Cell(filler, direction) for filler in self.fillers for direction in DIRECTIONS)
        return Curves(cells, np.array([0.0, *self.shares]), numbers, probabilities)

    def without(self, removed: BoolArray, progress: Progress = silent) -> Array:
        """Return logits of copies that lack ``removed (n_copies, n_timepoints)``: ``(n_fillers, n_copies, n_classes)``.

        Of a random filler, the mean over its draws.
        """
        parts = [(name, draw) for name in self.fillers for draw in range(self.n_draws if name in RANDOM else 1)]
        found: dict[FillerName, list[Array]] = {name: [] for name in self.fillers}
        for place, (name, draw) in enumerate(parts):
            filler = get_filler(name, self.seed + draw, self.donors)
            told = share_of(progress, place, len(parts))
            found[name].append(score_without(self.score, self.prepared, removed, filler, told))
        return np.stack([np.mean(draws, axis=0) for draws in found.values()])

    def _starts(self) -> BoolArray:
        return np.array([[False], [True]]).repeat(self.n_timepoints, axis=1)

    def _by_cell(self, values: Array, n_orders: int) -> Array:
        # (n_copies,) of one filler to (2, n_orders, n_steps + 1)
        rows = values[STARTS:].reshape(len(DIRECTIONS), n_orders, len(self.shares))
        starts = values[:STARTS, None, None].repeat(n_orders, axis=1)
        return np.concatenate([starts, rows], axis=2)


def mean_rise(shares: Array, curves: Array) -> Array:
    """Return the area between a curve's start and the curve, divided by the shares' span: ``(..., n_steps + 1)``."""
    return np.trapezoid(curves - curves[..., :1], shares, axis=-1) / (shares[-1] - shares[0])


def steps_within(n_timepoints: int, n_orders: int, n_fillers: int, timepoints: int) -> tuple[tuple[float, ...], int]:
    """Return the shares and the draws that so many time points of copies allow: fewer of long series, at least one."""
    for shares, n_draws in _THRIFT:
        copies = n_orders * len(DIRECTIONS) * len(shares) * (n_fillers - 1 + n_draws)
        if copies * n_timepoints <= timepoints:
            break
    return shares, n_draws


_THRIFT: tuple[tuple[tuple[float, ...], int], ...] = (
    (SHARES, N_DRAWS),
    (SHARES, 1),
    ((0.1, 0.2), 1),
    ((0.2,), 1),
)
AOPC_SHARES = tuple(np.linspace(0.05, 0.5, 10))
N_RANDOM_ORDERS = 3


def aopcr(removals: Removals, order: Order) -> dict[FillerName, float]:
    """Return by filler MILLET's area over the perturbation curve, less that of random orders (Early et al. 2024).

    ``1 / (K + 1) Σ_k (z(X) − z(X without its n_k most relevant points))`` with ``n_k`` up to half of the series in ten
    steps. Logits of different models are not comparable.
    """
    generator = np.random.default_rng(removals.seed)
    orders = [order, *(generator.permutation(len(order)) for _ in range(N_RANDOM_ORDERS))]
    counts = np.floor(np.array(AOPC_SHARES) * len(order) + 1e-9).astype(np.intp)
    removed = np.concatenate([np.zeros((1, len(order)), np.bool_), *(first_of(one, counts) for one in orders)])
    numbers = removals.question.of(removals.without(removed))  # (n_fillers, 1 + n_orders * n_steps)
    falls = (numbers[:, :1] - numbers[:, 1:]).reshape(len(numbers), len(orders), len(counts))
    areas = falls.sum(axis=2) / (len(counts) + 1)
    own = areas[:, 0] - areas[:, 1:].mean(axis=1)
    return {name: float(one) for name, one in zip(removals.fillers, own, strict=True)}
