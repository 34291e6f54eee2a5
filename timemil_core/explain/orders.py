"""In which order time points are taken: by a map, or block after block by chance.

A point-wise random order is too weak a rival: neighbours are correlated, so scattered points can be guessed back
from what stands beside them. Random orders here take blocks as long as the map's own marked stretches.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray
from timemil_core.explain.windows import blocks

Order = npt.NDArray[np.intp]

MARKED_SHARE = 0.2


def importance_order(values: npt.NDArray[np.floating], generator: np.random.Generator) -> Order:
    """Return time points from the most to the least important; equal ones in random order, not in time's."""
    chance = generator.permutation(len(values))
    return np.lexsort((chance, -np.asarray(values, dtype=np.float64)))


def random_block_order(n_timepoints: int, block_length: int, generator: np.random.Generator) -> Order:
    """Return all time points, block after block in random order; where the blocks begin is random, too."""
    block = blocks(n_timepoints, block_length, int(generator.integers(block_length)))
    place = generator.permutation(block[-1] + 1)
    return np.argsort(place[block], kind="stable")


def marked_run_length(order: Order) -> int:
    """Return the mean length of contiguous stretches among the first fifth of an order, in time points."""
    marked = first_of(order, np.array([n_marked(len(order))]))[0]
    n_runs = np.count_nonzero(np.diff(marked.astype(np.int8), prepend=0) == 1)
    return max(1, round(int(marked.sum()) / int(n_runs)))


def n_marked(n_timepoints: int) -> int:
    """Return how many time points a map "marks": its top 20 %, at least one."""
    return max(1, round(MARKED_SHARE * n_timepoints))


def first_of(order: Order, counts: npt.NDArray[np.integer]) -> BoolArray:
    """Return for each count which time points are among the first so many, ``(n_counts, n_timepoints)``."""
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return rank[None, :] < counts[:, None]
