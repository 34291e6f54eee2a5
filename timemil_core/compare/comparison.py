"""What several models say of the same series: scores with their spread over seeds, and where they disagree."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from timemil_core.compare.contenders import Contender, of_several_seeds
from timemil_core.data.series_set import UNKNOWN_LABEL, IntArray, SeriesSet
from timemil_core.errors import DataError
from timemil_core.explain.evaluation.ranking import known_ranking
from timemil_core.explain.progress import Progress, silent
from timemil_core.models.trained import TrainedModel
from timemil_core.training.scores import scores

Logits = npt.NDArray[np.float64]
SCORES = ("accuracy", "balanced_accuracy", "macro_f1", "precision", "recall", "auroc")


@dataclass(frozen=True)
class Row:
    """One experiment: a network and its settings, over its seeds.

    Attributes
    ----------
    network
        What it is.
    titles, seeds
        Of its models.
    means, deviations
        By score; the deviation is the sample's (n − 1), None for one seed.
    seconds
        To train or fit it, the mean; None where its card does not tell.
    milliseconds
        To predict a series here, the mean.
    n_numbers
        Stored numbers: weights, or the training series of a classifier that is fitted from them.
    level
        What its maps are worth, as measured: of the method that it opens on; None where nobody measured.
    method
        That method's title.
    chosen_on_test
        Whether an epoch was chosen on the test set.
    """

    network: str
    titles: tuple[str, ...]
    seeds: tuple[int | None, ...]
    means: dict[str, float]
    deviations: dict[str, float | None]
    seconds: float | None
    milliseconds: float
    n_numbers: int
    level: str | None
    method: str | None
    chosen_on_test: bool


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several models on the same series.

    Attributes
    ----------
    series_set
        The series: the test part where there is one, of known classes.
    part
        ``"test"`` or ``"all"``.
    contenders
        Who takes part.
    true
        ``(n_series,)``, in ``series_set.class_names``.
    logits
        For each contender ``(n_series, n_classes)``, classes in the set's order.
    rows
        One an experiment, the most accurate first.
    """

    series_set: SeriesSet
    part: str
    contenders: tuple[Contender, ...]
    true: IntArray
    logits: tuple[npt.NDArray[np.float64], ...]
    rows: tuple[Row, ...]

    @cached_property
    def predicted(self) -> IntArray:
        """``(n_contenders, n_series)``."""
        return np.stack([one.argmax(axis=1) for one in self.logits]).astype(np.int64)

    @cached_property
    def disagreed(self) -> IntArray:
        """Indices of the series of which not all models say the same, those that split them most evenly first."""
        shares = np.array([np.bincount(column).max() / len(column) for column in self.predicted.T])
        differ = np.flatnonzero(shares < 1)
        return differ[np.argsort(shares[differ], kind="stable")]

    @cached_property
    def wrong_by_all(self) -> IntArray:
        """Indices of the series that no model has right: look at their labels."""
        return np.flatnonzero((self.predicted != self.true).all(axis=0))

    def confusion(self, place: int) -> npt.NDArray[np.int64]:
        """Return ``(n_classes, n_classes)`` of a contender: true class by row, the class that it gives by column."""
        n = self.series_set.n_classes
        return np.bincount(self.true * n + self.predicted[place], minlength=n * n).reshape(n, n)

    def in_words(self) -> str:
        """Say who is best, and by how many series."""
        best, *others = self.rows
        n, kind = len(self.true), "test series" if self.part == "test" else "series"
        told = f"{best.network} has {best.means['accuracy'] * n:.0f} of {n} {kind} right"
        if not others:
            return f"{told}; there is no other model to compare with yet."
        second = others[0]
        lead = (best.means["accuracy"] - second.means["accuracy"]) * n
        if lead < 0.5:
            return f"{told}; {second.network} as many."
        return f"{told}, {second.network} {second.means['accuracy'] * n:.0f}: {_worth(lead, n)}."

    def agreement_in_words(self) -> str:
        """Say on how many series the models disagree, and how many none has right."""
        n, differ, wrong = len(self.true), len(self.disagreed), len(self.wrong_by_all)
        told = f"disagree on {differ:,} of {n:,} series" if differ else f"agree on all {n:,} series"
        labels = "its label" if wrong == 1 else "their labels"
        return f"The models {told}" + (f"; all are wrong on {wrong:,}: look at {labels}." if wrong else ".")


def _worth(lead: float, n_series: int) -> str:
    # Of two equally good classifiers, one leads by as much in one of three cases.
    if lead <= np.sqrt(n_series) / 2:
        return "a lead of so few series may be chance"
    return f"{lead:.0f} series more"


def compare(
    series_set: SeriesSet,
    chosen: Sequence[Contender],
    open_model: Callable[[str], TrainedModel],
    progress: Progress = silent,
) -> Comparison:
    """Ask every contender for every series of the test part, or of all where there is none.

    Parameters
    ----------
    series_set
        The whole set.
    chosen
        Who takes part, at least one.
    open_model
        From a reference to a model.
    progress
        Told (models asked, models); raises to cancel.

    Raises
    ------
    DataError
        Where no series has a known class.
    ModelError
        Where a model cannot be opened or does not fit the set.
    """
    test = series_set.indices("test")
    part = "test" if len(test) else "all"
    among = test if len(test) else np.arange(len(series_set))
    known = among[series_set.labels[among] != UNKNOWN_LABEL]
    if not len(known):
        raise DataError("no series has a known class to compare by.", where=series_set.name)
    asked = series_set.subset(known)
    logits, milliseconds, numbers, told = [], [], [], []
    for done, one in enumerate(chosen):
        progress(done, len(chosen))
        model = open_model(one.reference)
        model.check_fits(series_set)
        model.predict(asked.series[:1])  # whatever is done but once
        started = time.perf_counter()
        found = model.predict(asked.series, asked.series_ids).logits.astype(np.float64)
        milliseconds.append((time.perf_counter() - started) / len(asked) * 1000)
        logits.append(_in_order_of(series_set, model, found))
        numbers.append(sum(tensor.numel() for tensor in model.network.state_dict().values()))
        told.append(_evidence(model, series_set))
    found_scores = [_scores(asked.labels, one) for one in logits]
    places = {one.reference: place for place, one in enumerate(chosen)}
    rows = []
    for group in of_several_seeds(chosen).values():
        own = [places[one.reference] for one in group]
        rows.append(_row(group, own, found_scores, milliseconds, numbers, told))
    rows.sort(key=lambda row: -row.means["accuracy"])
    return Comparison(asked, part, tuple(chosen), asked.labels, tuple(logits), tuple(rows))


def _row(
    group: Sequence[Contender],
    places: Sequence[int],
    found: Sequence[dict[str, float]],
    milliseconds: Sequence[float],
    numbers: Sequence[int],
    told: Sequence[tuple[str | None, str | None]],
) -> Row:
    by_score = {name: np.array([found[place][name] for place in places]) for name in SCORES}
    seconds = [float(one.facts["seconds"]) for one in group if one.facts.get("seconds") is not None]
    level, method = told[places[0]]
    return Row(
        network=group[0].network,
        titles=tuple(one.title for one in group),
        seeds=tuple(one.seed for one in group),
        means={name: float(values.mean()) for name, values in by_score.items()},
        deviations={name: float(values.std(ddof=1)) if len(values) > 1 else None for name, values in by_score.items()},
        seconds=float(np.mean(seconds)) if seconds else None,
        milliseconds=float(np.mean([milliseconds[place] for place in places])),
        n_numbers=numbers[places[0]],
        level=level,
        method=method,
        chosen_on_test=any(one.chosen_on_test for one in group),
    )


def _in_order_of(
    series_set: SeriesSet, model: TrainedModel, logits: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return logits with their classes in the set's order; a class that the model lacks is never said."""
    ordered = np.full((len(logits), series_set.n_classes), -np.inf)
    for place, name in enumerate(model.class_names):
        if name in series_set.class_names:
            ordered[:, series_set.class_names.index(name)] = logits[:, place]
    return ordered


def _scores(true: IntArray, logits: npt.NDArray[np.float64]) -> dict[str, float]:
    from sklearn.metrics import precision_score, recall_score  # seconds of every start

    predicted = logits.argmax(axis=1)
    averaged: dict[str, Any] = {"average": "macro", "zero_division": 0}
    found = scores(true, np.nan_to_num(logits, neginf=-1e9))
    told = {name: float("nan") if value is None else float(value) for name, value in found.items()}
    return {
        **told,
        "precision": float(precision_score(true, predicted, **averaged)),
        "recall": float(recall_score(true, predicted, **averaged)),
    }


def _evidence(model: TrainedModel, series_set: SeriesSet) -> tuple[str | None, str | None]:
    ranking = known_ranking(model, series_set)
    return (None, None) if ranking is None else (ranking.opening.standing.level, ranking.opening.title)
