"""What one method's maps are worth for one model: many series, two tests, an effect, and the level that follows.

The first test holds each map against itself at other places: its mid-rank is uniform where it means nothing, so over
series the sum of ranks is that of as many uniform numbers (Irwin and Hall). The second holds the maps against each
other: a map that only knows where patterns usually lie does as well on any other series. Both can be passed by a
trifle, so the effect is told in shares of the logit and of what a greedy search finds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.stats import irwinhall

from timemil_core.data.series_set import IntArray
from timemil_core.explain.evaluation.verdict import SIGNIFICANT

Level = Literal["strong", "mixed", "none", "cannot be tested"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The better, the further left."""

FEWEST = 4
"""Series below which no level is "strong": with four the planted truth passed."""
LEAST_OF_LOGIT, LEAST_OF_ATTAINABLE = 0.05, 0.1
"""An effect below either is a trifle, however sure it is."""
CHANCE_RANK = 0.5
N_ASSIGNMENTS = 999


@dataclass(frozen=True)
class Outcome:
    """One map on one series.

    Attributes
    ----------
    target
        Index of the explained class.
    rank
        Its mid-rank among its other places, 0 to 1.
    excess, attainable
        By how much it, and the greedy search, moves the number beyond the mean of their places.
    logit
        The explained number of the series as it is.
    can_be_removed
        Whether by any filler the removal of everything takes most of the logit.
    cells
        By cell ("noise, deletion"), the mid-rank there.
    swapped
        ``(n_series,)``: the sum of z-scores on this series of each series' map, its own at its own place.
    """

    target: int
    rank: float
    excess: float
    attainable: float
    logit: float
    can_be_removed: bool
    cells: Mapping[str, float]
    swapped: tuple[float, ...]


@dataclass(frozen=True)
class Standing:
    """One method over some series of one model.

    Attributes
    ----------
    n_series
        How many.
    mean_rank, chance
        Mean of the mid-ranks among other places, and how often maps that mean nothing reach it.
    swap_chance
        How often other series' maps, assigned at random, do as well; 1 where all maps are alike.
    excess
        In logits, mean over series.
    of_logit, of_attainable
        The excess as a share of the logit and of the greedy search's, each added up over series first: a series on
        which nothing moves the model says little.
    testable
        The share of series on which removing everything takes most of the logit.
    weakest, weakest_rank
        The filler or direction in which the maps do worst, and their mean rank there.
    level
        What follows.
    """

    n_series: int
    mean_rank: float
    chance: float
    swap_chance: float
    excess: float
    of_logit: float
    of_attainable: float
    testable: float
    weakest: str
    weakest_rank: float
    level: Level

    @property
    def order(self) -> tuple[int, float]:
        """The better, the smaller: by level, then by rank, in which every series counts the same.

        By effect a class that moves far would decide alone: on BasicMotions, integrated gradients came first by it, and
        were evidence for one class of four.
        """
        return LEVELS.index(self.level), -self.mean_rank

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Standing:
        """Read what ``dataclasses.asdict`` gave; raises TypeError or KeyError for anything else."""
        if content["level"] not in LEVELS:
            raise KeyError(content["level"])
        return cls(**content)


def standing_of(outcomes: Sequence[Outcome], rows: IntArray | None = None, seed: int = 0) -> Standing:
    """Return what some of the outcomes of one method, by default all, amount to.

    Parameters
    ----------
    outcomes
        Of all series, in the order in which ``Outcome.swapped`` has them.
    rows
        Which of them count, such as those of one class; the maps of all are swapped among them.
    seed
        Of the random assignments.
    """
    counted = list(outcomes) if rows is None else [outcomes[row] for row in rows.tolist()]
    mean_rank = float(np.mean([one.rank for one in counted]))
    chance = chance_of(len(counted), mean_rank)
    swap_chance = swap_chance_of(np.array([one.swapped for one in outcomes]), rows, seed)
    excess, attainable, logit = (
        float(np.sum([getattr(one, name) for one in counted])) for name in ("excess", "attainable", "logit")
    )
    of_logit, of_attainable = _share(excess, abs(logit)), _share(excess, attainable)
    testable = float(np.mean([one.can_be_removed for one in counted]))
    weakest, weakest_rank = _weakest(counted)
    level = level_of(
        len(counted), chance, swap_chance, of_logit, of_attainable, testable=testable, weakest_rank=weakest_rank
    )
    return Standing(
        n_series=len(counted),
        mean_rank=mean_rank,
        chance=chance,
        swap_chance=swap_chance,
        excess=excess / len(counted),
        of_logit=of_logit,
        of_attainable=of_attainable,
        testable=testable,
        weakest=weakest,
        weakest_rank=weakest_rank,
        level=level,
    )


def level_of(
    n_series: int,
    chance: float,
    swap_chance: float,
    of_logit: float,
    of_attainable: float,
    *,
    testable: float = 1.0,
    weakest_rank: float = 1.0,
) -> Level:
    """Return the level that follows from the numbers of a ``Standing``.

    *Strong* takes both tests, an effect that counts, fillers and directions that agree, and enough series that can be
    tested. What passes the first test alone is *mixed*: it marks what matters, but no better than another series' map.
    """
    can_be_tested = testable >= CHANCE_RANK
    if chance > SIGNIFICANT:
        return "none" if can_be_tested else "cannot be tested"
    counts = of_logit >= LEAST_OF_LOGIT and of_attainable >= LEAST_OF_ATTAINABLE
    agrees = weakest_rank > CHANCE_RANK
    passes = swap_chance <= SIGNIFICANT and n_series >= FEWEST
    return "strong" if counts and agrees and passes and can_be_tested else "mixed"


def chance_of(n_series: int, mean_rank: float) -> float:
    """Return how often the mean of so many uniform ranks is at least this (Irwin and Hall)."""
    return float(irwinhall(n_series).sf(n_series * mean_rank))


def swap_chance_of(swapped: npt.NDArray[np.float64], rows: IntArray | None = None, seed: int = 0) -> float:
    """Return how often maps that are assigned at random do at least as well as each series' own.

    Parameters
    ----------
    swapped
        ``(n_series, n_series)``: on each series (row) what each series' map (column) does, its own on the diagonal.
    rows
        The series that count; by default all.
    seed
        Of the random assignments.
    """
    n_series = len(swapped)
    rows = np.arange(n_series) if rows is None else rows
    own = swapped[rows, rows].sum()
    generator = np.random.default_rng(seed)
    assigned = np.stack([generator.permutation(n_series)[rows] for _ in range(N_ASSIGNMENTS)])
    others = swapped[rows, assigned].sum(axis=1)
    # equal sums of the same numbers differ by rounding
    return float((1 + (others >= own - 1e-9 * (1 + abs(own))).sum()) / (1 + N_ASSIGNMENTS))


def _weakest(outcomes: Sequence[Outcome]) -> tuple[str, float]:
    # Each filler over both directions, and each direction over all fillers: single cells are too noisy to ask.
    parts = {part for one in outcomes for cell in one.cells for part in cell.split(", ")}
    ranks = {part: _mean_rank(outcomes, part) for part in sorted(parts)}
    weakest = min(ranks, key=lambda part: ranks[part])
    return weakest, ranks[weakest]


def _mean_rank(outcomes: Sequence[Outcome], part: str) -> float:
    found = [rank for one in outcomes for cell, rank in one.cells.items() if part in cell.split(", ")]
    return float(np.mean(found))


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
