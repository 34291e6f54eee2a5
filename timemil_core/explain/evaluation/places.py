"""In which order time points are taken: as a map marks them, or as it would if its marks lay elsewhere.

What a map is held against is the same map, moved along the series to a random place, in half of the cases turned round
in time. Orders of random points are too weak a rival: neighbours are correlated, so scattered points can be guessed
back from what stands beside them. Orders of random blocks are, too: a map's marked stretches grow together as more is
taken, blocks do not, and a model that is given back one long stretch finds more in it than in scattered blocks. By
insertion, smooth maps that meant nothing beat 19 of 20 block orders in up to 42 % of cases; 10 % were due.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray

Order = npt.NDArray[np.intp]

MARKED_SHARE = 0.2


def importance_order(values: npt.NDArray[np.floating], generator: np.random.Generator) -> Order:
    """Return time points from the most to the least important; equal ones in random order, not in time's."""
    chance = generator.permutation(len(values))
    return np.lexsort((chance, -np.asarray(values, dtype=np.float64)))


def elsewhere(order: Order, n_orders: int, generator: np.random.Generator) -> list[Order]:
    """Return the orders of the same map at random other places.

    What passes the end of the series comes in at its beginning. Of ``2 n_timepoints - 1`` such orders ``n_orders`` are
    drawn, or all where that is not more. A map that means nothing lies anywhere as well, so its rank among them is
    that of chance (a permutation test).
    """
    n_timepoints = len(order)
    shifts = generator.permutation(np.arange(1, 2 * n_timepoints))[:n_orders]
    return [((order if shift < n_timepoints else -order) + shift) % n_timepoints for shift in shifts]


def n_marked(n_timepoints: int) -> int:
    """Return how many time points a map "marks": its top 20 %, at least one."""
    return max(1, round(MARKED_SHARE * n_timepoints))


def first_of(order: Order, counts: npt.NDArray[np.integer]) -> BoolArray:
    """Return for each count which time points are among the first so many, ``(n_counts, n_timepoints)``."""
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return rank[None, :] < counts[:, None]
