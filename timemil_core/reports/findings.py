"""All that is reported of one map of one series, computed by the functions that the pages call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.baseline import control_scores, untrained_copy
from timemil_core.explain.contract import Importance
from timemil_core.explain.edits import Comparison, Edit, EditedSeries, compare
from timemil_core.explain.evaluation.curves import aopcr
from timemil_core.explain.evaluation.fillers import FillerName, donors_for
from timemil_core.explain.evaluation.places import importance_order
from timemil_core.explain.evaluation.ranking import Ranked, known_ranking
from timemil_core.explain.evaluation.standing import Level
from timemil_core.explain.evaluation.truth import GroundTruthScores, flatness, ground_truth_scores
from timemil_core.explain.evaluation.verdict import (
    N_PLACES,
    TIMEPOINTS,
    SeriesVerdict,
    held_against_places,
    removals_of,
    seed_of,
)
from timemil_core.explain.evaluation.wording import series_sentence
from timemil_core.explain.examination import Examination, examine
from timemil_core.explain.importance import METHODS, explain
from timemil_core.explain.padding import mass_on_padding
from timemil_core.explain.question import ask
from timemil_core.models.trained import TrainedModel


@dataclass(frozen=True)
class Asked:
    """What is asked of a model: which map of which series.

    Attributes
    ----------
    data, model
        As they are opened by ``catalogue.load`` and ``shelf.open_model``.
    series
        Id of the series.
    method
        A key of ``METHODS``.
    target
        The name of the class; None for the predicted one.
    filler
        What stands in place of removed time points; None for those that fit the model's training.
    settings
        Of the method, and ``against``, the index of a class to contrast the target with.
    edits
        What is done to the series first, in order; then the map is about the edited series.
    """

    data: str
    model: str
    series: str
    method: str = "occlusion"
    target: str | None = None
    filler: FillerName | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, eq=False)
class Findings:
    """The map, the prediction, and how far the map can be believed.

    Attributes
    ----------
    index
        Of the series in the set.
    examination, importance, verdict
        Of the edited series, where it was edited.
    ranked
        What the method is worth over many series of this model; None where that has not been measured.
    aopcr
        By filler, see ``curves.aopcr``.
    edited
        The series with its lineage.
    comparison
        The model's view before and after the edits; None without edits.
    original_importance
        The same map of the original; None without edits.
    flatness
        None for signed maps.
    on_padding
        See ``mass_on_padding``; None for maps that are no weights, and for imported models, whose map's note tells it.
    scores
        Of the map, of the same map of the untrained network, and of the signal's size; empty without a known truth,
        and for an edited series, of which the truth is not known.
    """

    asked: Asked
    index: int
    target: int
    examination: Examination
    importance: Importance
    verdict: SeriesVerdict
    ranked: Ranked | None
    aopcr: dict[FillerName, float]
    flatness: float | None
    on_padding: float | None
    scores: dict[str, GroundTruthScores]
    edited: EditedSeries
    comparison: Comparison | None = None
    original_importance: Importance | None = None

    @property
    def level(self) -> Level | None:
        """What the method's maps are worth for the explained class, else over all classes; None if not measured."""
        if self.ranked is None:
            return None
        name = self.verdict.question.target_name
        return self.ranked.by_class.get(name, self.ranked.standing).level

    @property
    def sentence(self) -> str:
        """What this series shows, in plain words."""
        return series_sentence(self.verdict, self.ranked)


def find(model: TrainedModel, series_set: SeriesSet, asked: Asked) -> Findings:
    """Explain one series, and test the map.

    Raises
    ------
    SettingsError
        Where the series, the class, the method or a setting does not exist, or an edit is not possible.
    ModelError
        Where the model cannot read the set.
    """
    model.check_fits(series_set)
    if asked.series not in series_set.series_ids:
        known = ", ".join(series_set.series_ids[:5])
        raise SettingsError(f"there is no series {asked.series!r} in {series_set.name}.", remedy=f"Such as {known}.")
    if asked.method not in METHODS:
        raise SettingsError(f"there is no method {asked.method!r}.", remedy=f"Choose among {', '.join(METHODS)}.")
    index = series_set.series_ids.index(asked.series)
    edited = EditedSeries(series_set, index).with_edits(asked.edits)
    series = edited.values
    examination = examine(model, series, name=asked.series)
    target = examination.predicted if asked.target is None else class_index(model, asked.target)
    importance = explain(model, series, asked.method, target, examination=examination, **asked.settings)
    donors = donors_for(model, series_set, target)
    fillers = None if asked.filler is None else (asked.filler,)
    against = asked.settings.get("against")
    seed = seed_of(series)
    removals = removals_of(model, series, ask(model, target, against), fillers, donors, seed, 1 + N_PLACES, TIMEPOINTS)
    ranking = known_ranking(model, series_set)
    return Findings(
        asked=asked,
        index=index,
        target=target,
        examination=examination,
        importance=importance,
        verdict=held_against_places(removals, importance.values, N_PLACES),
        ranked=None if ranking is None else ranking.of(asked.method),
        aopcr=aopcr(removals, importance_order(importance.values, np.random.default_rng(seed))),
        flatness=None if importance.signed else flatness(importance.values),
        on_padding=mass_on_padding(model, series)
        if importance.are_weights and model.network.config.masks_padding
        else None,
        scores={} if asked.edits else _scores(model, series_set, index, asked, target, importance),
        edited=edited,
        comparison=compare(model, edited, after=examination) if asked.edits else None,
        original_importance=explain(model, edited.original, asked.method, target, **asked.settings)
        if asked.edits
        else None,
    )


def class_index(model: TrainedModel, name: str) -> int:
    """Return the place of a class.

    Raises
    ------
    SettingsError
        Where the model knows no class of this name.
    """
    if name not in model.class_names:
        raise SettingsError(
            f"the model knows no class {name!r}.", remedy=f"Choose among {', '.join(model.class_names)}."
        )
    return model.class_names.index(name)


def _scores(
    model: TrainedModel, series_set: SeriesSet, index: int, asked: Asked, target: int, importance: Importance
) -> dict[str, GroundTruthScores]:
    if series_set.instance_labels is None:
        return {}
    truth = series_set.instance_labels[index]
    own = ground_truth_scores(importance.values, truth)
    controls = control_scores(
        untrained_copy(model), series_set.series[index], truth, asked.method, target, **asked.settings
    )
    if own is None or controls is None:
        return {}
    return {"this map": own, "untrained network": controls[0], "size of the signal": controls[1]}
