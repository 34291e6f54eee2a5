"""What removal says of one map of one series: its rank among the same map at other places.

A series decides little. How good a method's maps are for a model is told over many series (``standing``).
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import FloatArray
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.curves import Array, Cell, Curves, Removals, steps_within
from timemil_core.explain.evaluation.fillers import Donors, FillerName, default_fillers
from timemil_core.explain.evaluation.places import APART, MARKED_SHARE, Places, importance_order, other_places
from timemil_core.explain.evaluation.scoring import network_score, prepared_series
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.question import Question, ask
from timemil_core.models.trained import TrainedModel

N_PLACES = 99
SIGNIFICANT = 0.05
"""How often a map that means nothing may do as well as one that is called evidence."""
STRONG = 1 - SIGNIFICANT
"""The share of other places that have to be beaten, where many are counted one by one."""
HELD_BY_NOTHING = 0.5
"""Where an empty series already has this share of the class's logit, removal cannot take it away."""
TIMEPOINTS = 400_000  # of the copies of one verdict: about five seconds on two quiet cores


@dataclass(frozen=True, eq=False)
class SeriesVerdict:
    """One map of one series, held against itself at other places.

    Attributes
    ----------
    curves
        Of the map's own order, and of each place's, in every cell.
    distances
        ``(n_places,)``: how far each place lies from the map's own, in time points.
    n_timepoints
        Of the series.
    question
        The number that was watched.
    """

    curves: Curves
    distances: Array
    n_timepoints: int
    question: Question

    @property
    def n_places(self) -> int:
        """Other places that the map was held against."""
        return len(self.distances)

    @property
    def testable(self) -> npt.NDArray[np.bool_]:
        """Which cells can speak, ``(n_cells,)``: deletion cannot where an empty series has most of the logit."""
        full, empty = self.curves.full, self.curves.empty
        return np.array([cell.direction == "insertion" or _can_fall(full, empty[cell.filler]) for cell in self._cells])

    @property
    def can_be_removed(self) -> bool:
        """Whether by any filler the removal of everything takes most of the logit."""
        return bool(self.testable[[cell.direction == "deletion" for cell in self._cells]].any())

    @property
    def scores(self) -> Array:
        """The map's own sum of z-scores over the cells that can speak, and each place's, ``(1 + n_places,)``."""
        changes = self.curves.changes[self.testable]
        return standardised(changes, changes).sum(axis=0)

    @property
    def rank(self) -> float:
        """The map's mid-rank among its places, 0 to 1: uniform where it means nothing."""
        return mid_rank(self.scores)

    @property
    def chance(self) -> float:
        """How often a map that means nothing does at least as well: (1 + places not beaten) / (1 + places)."""
        scores = self.scores
        return float((1 + (scores[1:] >= scores[0]).sum()) / len(scores))

    @property
    def n_beaten(self) -> int:
        """How many other places the map beats."""
        scores = self.scores
        return int((scores[0] > scores[1:]).sum())

    @property
    def n_as_good_apart(self) -> int:
        """How many places farther than a tenth of the series do as well."""
        scores = self.scores
        return int(((scores[1:] >= scores[0]) & (self.distances > APART * self.n_timepoints)).sum())

    @property
    def excess(self) -> float:
        """By how much the map moves the number beyond the mean of its places, mean over the cells that can speak."""
        changes = self.curves.changes[self.testable]
        return float((changes[:, 0] - changes[:, 1:].mean(axis=1)).mean())

    @property
    def of_logit(self) -> float:
        """The excess as a share of the explained number."""
        return self.excess / max(abs(self.curves.full), np.finfo(float).tiny)

    @property
    def cell_ranks(self) -> dict[Cell, float]:
        """The map's mid-rank in each cell that can speak."""
        changes = self.curves.changes
        return {cell: mid_rank(row) for cell, row, can in zip(self._cells, changes, self.testable, strict=True) if can}

    @property
    def comprehensiveness(self) -> dict[FillerName, float]:
        """By filler ``p(X) − p(X without the top 20 %)``: higher is better (DeYoung et al. 2020)."""
        return self._probability_lost("deletion")

    @property
    def sufficiency(self) -> dict[FillerName, float]:
        """By filler ``p(X) − p(the top 20 % alone)``: lower is better."""
        return self._probability_lost("insertion")

    def _probability_lost(self, direction: str) -> dict[FillerName, float]:
        step = int(np.argmin(np.abs(self.curves.shares - MARKED_SHARE)))
        found = self.curves.probabilities[:, 0]
        return {
            cell.filler: float(found[0, 0] - row[step])
            for cell, row in zip(self._cells, found, strict=True)
            if cell.direction == direction
        }

    @property
    def _cells(self) -> tuple[Cell, ...]:
        return self.curves.cells


def series_verdict(
    model: TrainedModel,
    series: FloatArray,
    values: npt.NDArray[np.floating],
    target_class: int,
    *,
    against: int | None = None,
    fillers: tuple[FillerName, ...] | None = None,
    donors: Donors | None = None,
    n_places: int = N_PLACES,
    seed: int | None = None,
    progress: Progress = silent,
) -> SeriesVerdict:
    """Hold a map of one series against itself at other places, by removal and by restoring.

    Parameters
    ----------
    model
        Stays as it is.
    series
        ``(n_channels, n_timepoints)``, raw. Time points are removed after its preparation, in all channels.
    values
        The map, ``(n_timepoints,)``; the highest values are removed, or restored, first.
    target_class, against
        Index of the class whose logit is watched, and of the one whose logit is subtracted, if any.
    fillers, donors
        What stands in place of removed time points, by default what fits the model's training
        (``fillers.default_fillers``), and the training series that one of them needs.
    n_places
        Other places, of which a series of T time points has 2 T - 1; fewer are the first of more.
    seed
        Of places, ties and random fillers; by default one that belongs to the series.
    progress
        Told (copies done, copies); raises to cancel.

    Raises
    ------
    SettingsError
        Where the map does not fit the series, the class or a filler does not exist, or nothing would be compared.
    """
    if n_places < 1:
        raise SettingsError("a test needs at least one other place.", remedy="Give n_places of 1 or more.")
    seed = seed_of(series) if seed is None else seed
    removals = removals_of(
        model, series, ask(model, target_class, against), fillers, donors, seed, 1 + n_places, TIMEPOINTS
    )
    return held_against_places(removals, values, n_places, progress)


def seed_of(series: FloatArray) -> int:
    """Return a seed that belongs to a series, so that its places do not depend on where it is met."""
    return zlib.crc32(np.ascontiguousarray(series).tobytes())


def removals_of(
    model: TrainedModel,
    series: FloatArray,
    question: Question,
    fillers: tuple[FillerName, ...] | None,
    donors: Donors | None,
    seed: int,
    n_orders: int,
    timepoints: int,
) -> Removals:
    """Return a raw series ready to be taken apart in so many orders, within so many time points of copies."""
    prepared = prepared_series(model, series)
    fillers = fillers or default_fillers(model, donors)
    shares, n_draws = steps_within(prepared.shape[1], n_orders, len(fillers), timepoints)
    return Removals(network_score(model.network), prepared, question, fillers, donors, seed, n_draws, shares)


def held_against_places(
    removals: Removals, values: npt.NDArray[np.floating], n_places: int, progress: Progress = silent
) -> SeriesVerdict:
    """Try a map ``(n_timepoints,)`` here and at other places. Raises as ``series_verdict`` does."""
    if values.shape != (removals.n_timepoints,):
        raise SettingsError(
            f"a map of shape {values.shape} does not fit a series of {removals.n_timepoints} time points.",
            remedy="Give one value a time point.",
        )
    generator = np.random.default_rng(removals.seed)
    own = importance_order(values, generator)
    places: Places = other_places(own, n_places, generator)
    curves = removals.curves([own, *places.orders], progress)
    return SeriesVerdict(curves, places.distances, removals.n_timepoints, removals.question)


def standardised(changes: Array, among: Array) -> Array:
    """Return changes ``(n_cells, n)`` in deviations of those ``among`` which they stand, ``(n_cells, n_places)``."""
    mean, deviation = among.mean(axis=1, keepdims=True), among.std(axis=1, keepdims=True)
    return (changes - mean) / np.where(deviation > 0, deviation, 1.0)


def mid_rank(scores: Array) -> float:
    """Return where the first of some scores stands among all, 0 to 1, ties shared: uniform by chance."""
    others = scores[1:]
    return float(((scores[0] > others).sum() + 0.5 * (scores[0] == others).sum() + 0.5) / len(scores))


def _can_fall(full: float, empty: float) -> bool:
    return empty < HELD_BY_NOTHING * full if full > 0 else empty < full
