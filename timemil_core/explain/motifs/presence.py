"""How often a motif is present in series that it was not found in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import FloatArray
from timemil_core.explain.motifs.clustering import DoubleArray, distances
from timemil_core.explain.motifs.cutting import Span, cut
from timemil_core.explain.motifs.motif import Presence

STEPS_PER_WINDOW = 8
MOST_WINDOWS = 200
ALIKE_SHARE = 0.9
BY_CHANCE = 0.05
RANDOM_SPANS = 4  # a series


def threshold_of(to_medoid: npt.NDArray[np.floating], to_random: npt.NDArray[np.floating]) -> tuple[float, float]:
    """Return the distance within which a span counts as the motif, and how near random spans come by themselves.

    The distance is the one to the medoid within which 90 % of the motif's own members lie, ``to_medoid``, but no
    further than the nearest 5 % of random spans, ``to_random``: what nearly any span passes tells of nothing. The
    second number is the share of random spans that are as near as 90 % of the members.
    """
    own = float(np.quantile(to_medoid, ALIKE_SHARE))
    by_chance = float((to_random <= own).mean())
    return min(own, float(np.quantile(to_random, BY_CHANCE))), by_chance


def random_distances(
    shape: DoubleArray, length: int, series: Sequence[FloatArray | DoubleArray], seed: int
) -> npt.NDArray[np.floating]:
    """Return how far spans at random places of prepared series are from a shape: four a series, ``(4 n_series,)``."""
    spans = []
    for place, prepared in enumerate(series):
        within = min(length, prepared.shape[1])
        starts = np.random.default_rng([seed, place]).integers(prepared.shape[1] - within + 1, size=RANDOM_SPANS)
        spans += [cut(prepared, (int(start), int(start) + within), shape.shape[1]) for start in starts]
    return distances(np.stack(spans), shape[None])[:, 0]


def nearest_place(shape: DoubleArray, length: int, prepared: FloatArray | DoubleArray) -> tuple[float, Span]:
    """Return where in a series a shape is found best: its distance, and the span.

    ``shape`` is ``(n_channels, n_points)``, ``length`` its time points. Windows start an eighth of it apart; at most
    200 are compared. A shorter series is one window.
    """
    n = prepared.shape[1]
    length = min(length, n)
    n_windows = min((n - length) // max(1, length // STEPS_PER_WINDOW) + 1, MOST_WINDOWS)
    starts = np.unique(np.linspace(0, n - length, n_windows).round().astype(int))
    windows = np.stack([cut(prepared, (int(start), int(start) + length), shape.shape[1]) for start in starts])
    far = distances(windows, shape[None])[:, 0]
    best = int(far.argmin())
    return float(far[best]), (int(starts[best]), int(starts[best]) + length)


def presence_sentence(name: str, presence: Mapping[str, Presence], by_chance: float = 0.0) -> str:
    """Say whether a motif of the class ``name`` is more frequent in its series than in those of other classes.

    By Fisher's exact test, one-sided, of the series that it was not found in. ``by_chance`` is the share of random
    spans of other classes' series that are as near to it as its own members are.
    """
    return _frequency(name, presence) + (
        f" Of random spans of other classes' series {by_chance:.0%} are as near to it as its own spans are; only what "
        "is nearer than 95 % of those is counted."
        if by_chance > BY_CHANCE
        else ""
    )


def _frequency(name: str, presence: Mapping[str, Presence]) -> str:
    from scipy.stats import fisher_exact

    own = presence.get(name, Presence(0, 0))
    others = [one for key, one in presence.items() if key != name]
    found, of = sum(one.found for one in others), sum(one.of for one in others)
    counts = f"Present in {own.found} of {own.of} series of class {name!r} and in {found} of {of} of other classes"
    if not own.of or not of:
        return f"{counts}: there is nothing to compare with."
    table = [[own.found, own.of - own.found], [found, of - found]]
    if fisher_exact(table, alternative="greater").pvalue < BY_CHANCE:
        return f"{counts}: it is more frequent in its class."
    return f"{counts}: its shape alone does not set the class apart."
