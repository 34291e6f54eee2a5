"""What removal can find at all: a greedy search for the most harmful removal, and whether it finds one place.

No map can do better than the search by much, so its effect is what a map's is read against. Where the best tenth of
the series holds little more of the logit than any tenth does, evidence is spread: a property of the model, with which
no map of places can pass, and which is told instead of blaming the map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray
from timemil_core.explain.evaluation.curves import Array, Removals
from timemil_core.explain.progress import Progress, share_of, silent
from timemil_core.explain.windows import blocks

N_BLOCKS = 20
TENTH = 0.1
ONE_PLACE, BEYOND_RANDOM = 0.3, 2.5
PLACE_RULE = (
    f"In one place: the best tenth of the series holds {ONE_PLACE:.0%} of the logit or more, and at least "
    f"{BEYOND_RANDOM:g} times what a random tenth holds; spread: anything less."
)
"""What ``Concentration.in_one_place`` goes by, in words."""


@dataclass(frozen=True)
class Concentration:
    """How much of the logit lies in the best tenth of a series, and in a random one.

    Attributes
    ----------
    best_tenth, random_tenth
        By how much removing it lowers the logit, as a share of the logit, over some series; above 1 where the logit
        turns negative.
    """

    best_tenth: float
    random_tenth: float

    @property
    def in_one_place(self) -> bool:
        """Whether there is a place to be found; else evidence is spread over the series. The rule is ``PLACE_RULE``."""
        return self.best_tenth >= max(ONE_PLACE, BEYOND_RANDOM * self.random_tenth)

    @classmethod
    def over(cls, found: Sequence[Attainable]) -> Concentration:
        """Add up over series: one on which nothing can be removed says little."""
        whole = sum(abs(one.logit) for one in found)
        if whole <= 0:
            return cls(0.0, 0.0)
        return cls(sum(one.best_tenth for one in found) / whole, sum(one.random_tenth for one in found) / whole)


@dataclass(frozen=True, eq=False)
class Attainable:
    """What a search over blocks of a twentieth of the series found.

    Attributes
    ----------
    values
        ``(n_timepoints,)``: the block that was taken first has the highest value, what was never taken 0.
    best_tenth, random_tenth
        By how much removing the tenth that the search took first, and a random tenth, lowers the explained number;
        means over fillers.
    logit
        The explained number of the series as it is.
    """

    values: Array
    best_tenth: float
    random_tenth: float
    logit: float


def search(removals: Removals, progress: Progress = silent) -> Attainable:
    """Take block after block, each time the one whose loss costs most and whose return brings most.

    ``progress`` is told (blocks taken, blocks to be taken); raises to cancel.
    """
    n_timepoints = removals.n_timepoints
    grid = blocks(n_timepoints, max(1, -(-n_timepoints // N_BLOCKS)))
    n_blocks = int(grid[-1]) + 1
    wanted = max(1, int(np.ceil(max(removals.shares) * n_blocks)))
    taken: list[int] = []
    gone = np.zeros(n_timepoints, dtype=np.bool_)
    for step in range(wanted):
        left = [block for block in range(n_blocks) if block not in taken]
        tried = np.stack([gone | (grid == block) for block in left])
        harm = _harm(removals, tried, share_of(progress, step, wanted))
        taken.append(left[int(harm.argmax())])
        gone = tried[int(harm.argmax())]
    values = np.zeros(n_timepoints)
    for rank, block in enumerate(taken):
        values[grid == block] = len(taken) - rank
    of_a_tenth = max(1, round(TENTH * n_blocks))
    return Attainable(values, *_held(removals, np.isin(grid, taken[:of_a_tenth]), grid, of_a_tenth))


def _harm(removals: Removals, removed: BoolArray, progress: Progress) -> Array:
    # How far the number falls without what was taken, and rises by that alone: (n_tried,)
    numbers = removals.question.of(removals.without(np.concatenate([removed, ~removed]), progress)).mean(axis=0)
    without, alone = np.split(numbers, 2)
    return alone - without


def _held(
    removals: Removals, best: BoolArray, grid: npt.NDArray[np.intp], of_a_tenth: int
) -> tuple[float, float, float]:
    starts = np.arange(int(grid[-1]) + 2 - of_a_tenth)
    tenths = (grid >= starts[:, None]) & (grid < starts[:, None] + of_a_tenth)
    nothing = np.zeros((1, len(best)), dtype=np.bool_)
    numbers = removals.question.of(removals.without(np.concatenate([nothing, best[None], tenths]))).mean(axis=0)
    falls = numbers[0] - numbers
    return float(falls[1]), float(falls[2:].mean()), float(numbers[0])
