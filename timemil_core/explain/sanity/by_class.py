"""What each method is worth class by class: removal often judges them otherwise, and truth otherwise again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import IntArray, SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.held_out import PartName, series_to_choose_on, spread_over
from timemil_core.explain.examination import examine
from timemil_core.explain.labels import labels_for
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.sanity.measured import MeasuredSeries, mean_auroc, measured, merits_of, methods_compared
from timemil_core.models.trained import TrainedModel

N_SERIES, MOST_OF_A_CLASS = 16, 4


@dataclass(frozen=True, eq=False)
class ClassScores:
    """Every method on every class.

    Attributes
    ----------
    methods, classes
        Their names; classes without a series are left out.
    n_series
        ``(n_classes,)``: on how many each column rests.
    merit
        ``(n_methods, n_classes)``: the change of the logit beyond that of maps at random places, as a share of
        the largest change that any order brought about (``choice.Merit``); 0 is chance.
    auroc
        ``(n_methods, n_classes)`` against the instance labels; NaN where there are none.
    part
        Which series were measured; never the test part, where there is another.
    """

    methods: tuple[str, ...]
    classes: tuple[str, ...]
    n_series: IntArray
    merit: npt.NDArray[np.float64]
    auroc: npt.NDArray[np.float64]
    part: PartName

    @property
    def best(self) -> tuple[str, ...]:
        """The method of the highest merit for each class, "" where none is better than chance."""
        places = self.merit.argmax(axis=0)
        return tuple(self.methods[row] if self.merit[row, column] > 0 else "" for column, row in enumerate(places))

    @property
    def sentence(self) -> str:
        """Say in plain words whether one method is the best everywhere."""
        best = set(self.best)
        if best == {""}:
            return "For no class does any method's map do better than maps at random places."
        if len(best) == 1:
            return f"{best.pop()} measures best for every class."
        told = [f"{method or 'none'} for class {name}" for method, name in zip(self.best, self.classes, strict=True)]
        return f"The best method depends on the class: {', '.join(told)}."


def scores_by_class(
    model: TrainedModel, series_set: SeriesSet, *, n_series: int = N_SERIES, progress: Progress = silent
) -> ClassScores:
    """Measure every method on series of each true class, explaining the class that the model predicts.

    Parameters
    ----------
    model
        Stays as it is.
    series_set
        The set that it was trained on.
    n_series
        About so many in all, evenly over the classes; of each class at least one and at most ``MOST_OF_A_CLASS``.
    progress
        Told (series done, series); raises to cancel.

    Raises
    ------
    SettingsError
        Where no series has a class that the model knows.
    """
    held_out = series_to_choose_on(model, series_set)
    methods = methods_compared(model)
    chosen = series_of_classes(model, series_set, held_out.indices, n_series)
    if not chosen:
        raise SettingsError("there is no series of a known class to measure on.", where=series_set.name)
    total, done = sum(map(len, chosen.values())), 0
    found: dict[int, list[MeasuredSeries]] = {label: [] for label in chosen}
    for label, indices in chosen.items():
        for index in indices:
            target = examine(model, series_set.series[index]).predicted
            found[label].append(measured(model, series_set, int(index), methods, target))
            done += 1
            progress(done, total)
    return ClassScores(
        methods=tuple(method.title for method in methods),
        classes=tuple(model.class_names[label] for label in chosen),
        n_series=np.array([len(indices) for indices in chosen.values()]),
        merit=np.stack([merits_of(some) for some in found.values()], axis=1),
        auroc=np.stack([mean_auroc(some) for some in found.values()], axis=1),
        part=held_out.part,
    )


def series_of_classes(
    model: TrainedModel, series_set: SeriesSet, indices: IntArray, n_series: int
) -> dict[int, IntArray]:
    """Return which of the indices are taken of each class (its place in the model), evenly spread."""
    labels = labels_for(model, series_set)[indices]
    present = [label for label in range(len(model.class_names)) if (labels == label).any()]
    of_each = int(np.clip(n_series // max(len(present), 1), 1, MOST_OF_A_CLASS))
    return {label: spread_over(indices[labels == label], of_each) for label in present}
