"""Measures what each importance method is worth for a model, on series that it was not fitted to where there are some.

Every method explains the predicted class of the same series. Nothing of the test part is looked at, and no instance
labels are. What is measured is kept piece by piece, so that a measurement that was broken off goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from timemil_core.atomic import read_json, write_json
from timemil_core.data.series_set import IntArray, SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.attainable import Attainable, Concentration, search
from timemil_core.explain.evaluation.curves import Array, Removals
from timemil_core.explain.evaluation.fillers import FillerName, default_fillers, donors_for
from timemil_core.explain.evaluation.held_out import PartName, series_to_choose_on, spread_over_classes, with_values
from timemil_core.explain.evaluation.places import importance_order, in_relative_time
from timemil_core.explain.evaluation.ranking import FORMAT, Ranked, Ranking, told_by_itself
from timemil_core.explain.evaluation.standing import Outcome, Standing, standing_of
from timemil_core.explain.evaluation.verdict import SeriesVerdict, held_against_places, removals_of, standardised
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import Method, explain, methods_for
from timemil_core.explain.progress import Progress, share_of, silent
from timemil_core.explain.question import ask
from timemil_core.models.trained import TrainedModel

N_PLACES = 39
OF_A_CLASS, FEWEST_SERIES, MOST_SERIES = 4, 8, 24
TIMEPOINTS = 50_000  # of the copies of one map on one series
GREEDY = "greedy search"
"""The key under which the search stands among the methods' maps."""

Piece = Any


def rank_methods(
    model: TrainedModel,
    series_set: SeriesSet,
    *,
    methods: Sequence[str] | None = None,
    n_series: int | None = None,
    fillers: tuple[FillerName, ...] | None = None,
    seed: int = 0,
    pieces: Path | None = None,
    progress: Progress = silent,
) -> Ranking:
    """Measure every method that applies to a model on its validation series, topped up from its training series.

    Parameters
    ----------
    model
        Stays as it is.
    series_set
        The set that it was trained on; of another set, the training part is measured on.
    methods
        Keys of ``METHODS``; by default all that apply to the model, the pooling's weights but once. Each is taken with
        its default settings.
    n_series
        At most so many, evenly over the classes; by default four a class, 8 to 24 in all.
    fillers
        What stands in place of removed time points; by default what fits the model's training.
    seed
        Of places, ties, noise and assignments.
    pieces
        A folder that keeps what has been measured; the same call goes on from there. It may be deleted at the end.
    progress
        Told (done, of), several times a series; raises to cancel.

    Raises
    ------
    SettingsError
        Where a method does not exist or does not apply, or there is nothing to compare.
    """
    chosen = _applicable(model, methods)
    indices, part = series_to_rank_on(model, series_set, n_series)
    if not len(indices):
        raise SettingsError("there is no series to compare methods on.", where=series_set.name)
    told = {"format": FORMAT, "model": model.fingerprint, "data": series_set.fingerprint, "seed": seed,
            "series": indices.tolist(), "methods": [one.key for one in chosen], "fillers": fillers}  # fmt: skip
    kept = _Kept(pieces, told)
    predicted = model.predict([series_set.series[index] for index in indices]).labels
    work = Measurement(model, series_set, indices, predicted, chosen, fillers, seed)
    found, outcomes = [], []
    for place in range(len(indices)):
        own = share_of(progress, place, 2 * len(indices))
        found.append(kept.piece(f"maps-{place}", lambda place=place, own=own: work.maps(place, own)))  # type: ignore[misc]
    for place in range(len(indices)):
        own = share_of(progress, len(indices) + place, 2 * len(indices))
        outcomes.append(kept.piece(f"outcomes-{place}", lambda place=place, own=own: work.outcomes(place, found, own)))  # type: ignore[misc]
    return work.ranking(part, found, outcomes)


def series_to_rank_on(model: TrainedModel, series_set: SeriesSet, n_series: int | None = None) -> tuple[IntArray, str]:
    """Return the indices of the series to measure on, evenly over the classes, and what they were to the model.

    Where validation has too few, training series join them: what is asked is whether a map is true to the model, which
    a series that it was fitted to can tell as well.
    """
    wanted = n_series or int(np.clip(OF_A_CLASS * len(model.class_names), FEWEST_SERIES, MOST_SERIES))
    held = series_to_choose_on(model, series_set)
    indices = spread_over_classes(held.indices, series_set.labels[held.indices], wanted)
    part: PartName | str = held.part
    if part == "validation" and len(indices) < wanted:
        others = with_values(series_set, np.setdiff1d(series_set.indices("train"), held.indices))
        more = spread_over_classes(others, series_set.labels[others], wanted - len(indices))
        if len(more):
            indices, part = np.sort(np.concatenate([indices, more])), "validation and training"
    return indices, part


def _applicable(model: TrainedModel, methods: Sequence[str] | None) -> list[Method]:
    applicable = methods_for(model)
    keys = [method.key for method in applicable]
    if unknown := [key for key in methods or () if key not in keys]:
        raise SettingsError(
            f"{', '.join(unknown)} cannot be compared for this model.", remedy=f"Choose among {', '.join(keys)}."
        )
    if methods is None:  # with a class token, the pooling's weights are the last layer's attention
        return [method for method in applicable if method.key != "pooling" or "attention" not in keys]
    return [method for method in applicable if method.key in methods]


class Measurement:
    """One measurement: a model's series, and what is computed of each; also of maps that come from elsewhere."""

    def __init__(
        self,
        model: TrainedModel,
        series_set: SeriesSet,
        indices: IntArray,
        predicted: IntArray,
        methods: Sequence[Method],
        fillers: tuple[FillerName, ...] | None,
        seed: int,
    ) -> None:
        self.model, self.series_set, self.indices, self.predicted = model, series_set, indices, predicted
        self.methods, self.seed = methods, seed
        self.donors = {target: donors_for(model, series_set, target) for target in np.unique(predicted).tolist()}
        self.fillers = fillers or default_fillers(model, next(iter(self.donors.values())))

    def maps(self, place: int, progress: Progress) -> Piece:
        """Return every method's map of one series, the seconds each took, and what the greedy search found."""
        series, target = self.series_set.series[self.indices[place]], int(self.predicted[place])
        examination = examine(self.model, series)
        maps, seconds = {}, {}
        for done, method in enumerate(self.methods):
            start, told = time.perf_counter(), share_of(progress, done, len(self.methods) + 1)
            importance = explain(self.model, series, method.key, target, examination=examination, progress=told)
            maps[method.key] = importance.values.tolist()
            seconds[method.key] = time.perf_counter() - start
            told(1, 1)
        found = search(
            replace(self.removals_at(place, n_orders=1), n_draws=1),
            share_of(progress, len(self.methods), len(self.methods) + 1),
        )
        maps[GREEDY] = found.values.tolist()
        return {"maps": maps, "seconds": seconds, "places": [found.best_tenth, found.random_tenth, found.logit]}

    def outcomes(self, place: int, found: Sequence[Piece], progress: Progress) -> Piece:
        """Return by method what its map of one series does there, and what those of the other series do."""
        removals = self.removals_at(place, n_orders=1 + N_PLACES + len(self.indices))
        keys = [GREEDY, *(method.key for method in self.methods)]
        outcomes: dict[str, Outcome] = {}
        attainable = 0.0
        for done, key in enumerate(keys):
            maps = [np.array(one["maps"][key]) for one in found]
            outcome, _ = self.outcome(place, removals, maps, attainable, share_of(progress, done, len(keys)))
            attainable = outcome.excess if key == GREEDY else attainable
            outcomes[key] = outcome
        return {key: asdict(one) for key, one in outcomes.items()}

    def outcome(
        self, place: int, removals: Removals, maps: Sequence[Array], attainable: float, progress: Progress = silent
    ) -> tuple[Outcome, SeriesVerdict]:
        """Return what the map of one series, one of the ``maps`` of all, does there, and what the others do there.

        Parameters
        ----------
        place
            Of the series among those that are measured on.
        removals
            ``removals_at(place, …)``.
        maps
            A map a series, ``(n_timepoints,)`` each.
        attainable
            What the greedy search moves this series by; 0 where these are its own maps.
        """
        verdict = held_against_places(removals, maps[place], N_PLACES, share_of(progress, 0, 2))
        # Ties fall alike in all of them and in the verdict, or equal maps would differ by chance.
        orders = [
            importance_order(in_relative_time(one, removals.n_timepoints), np.random.default_rng(removals.seed))
            for one in maps
        ]
        swapped = removals.curves(orders, share_of(progress, 1, 2)).changes[verdict.testable]
        sums = standardised(swapped, verdict.curves.changes[verdict.testable]).sum(axis=0)
        outcome = Outcome(
            target=int(self.predicted[place]),
            rank=verdict.rank,
            excess=verdict.excess,
            attainable=attainable or verdict.excess,
            logit=verdict.curves.full,
            can_be_removed=verdict.can_be_removed,
            cells={f"{cell.filler}, {cell.direction}": rank for cell, rank in verdict.cell_ranks.items()},
            swapped=tuple(sums.tolist()),
        )
        return outcome, verdict

    def removals_at(self, place: int, n_orders: int) -> Removals:
        """Return one series ready to be taken apart in so many orders."""
        series, target = self.series_set.series[self.indices[place]], int(self.predicted[place])
        seed = self.seed * 100_003 + int(self.indices[place])
        question, donors = ask(self.model, target), self.donors[target]
        return removals_of(self.model, series, question, self.fillers, donors, seed, n_orders, TIMEPOINTS)

    def ranking(self, part: str, found: Sequence[Piece], outcomes: Sequence[Piece]) -> Ranking:
        """Put together what was measured."""
        names = {int(target): self.model.class_names[int(target)] for target in np.unique(self.predicted)}
        rows = {name: np.flatnonzero(self.predicted == target) for target, name in names.items()}
        searched = [Attainable(np.array(one["maps"][GREEDY]), *one["places"]) for one in found]

        def standings(key: str) -> tuple[Standing, dict[str, Standing]]:
            of_method = [Outcome(**one[key]) for one in outcomes]
            by_class = {name: standing_of(of_method, some, self.seed) for name, some in rows.items()}
            return standing_of(of_method, None, self.seed), by_class

        ranked = [
            Ranked(one.key, *standings(one.key), round(float(np.median([f["seconds"][one.key] for f in found])), 4))
            for one in self.methods
        ]
        return Ranking(
            methods=tuple(sorted(ranked, key=lambda one: one.standing.order)),
            attainable=standings(GREEDY)[0],
            places=Concentration.over(searched),
            places_by_class={name: Concentration.over([searched[row] for row in some]) for name, some in rows.items()},
            part=part,
            n_series=len(self.indices),
            fillers=self.fillers,
            model=self.model.fingerprint,
            data=self.series_set.fingerprint,
            own=told_by_itself(self.model),
        )


class _Kept:
    """Pieces of a measurement in a folder; those of another measurement count as none."""

    def __init__(self, folder: Path | None, told: dict[str, Any]) -> None:
        self.folder, self.told = folder, told

    def piece(self, name: str, compute: Callable[[], Piece]) -> Piece:
        """Return a piece as kept, else compute and keep it."""
        if self.folder is None:
            return compute()
        path = self.folder / f"{name}.json"
        try:
            content = read_json(path)
        except (OSError, ValueError):
            content = None
        if isinstance(content, dict) and content.get("told") == self.told:
            return content["piece"]
        piece = compute()
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(path, {"told": self.told, "piece": piece})
        return piece
