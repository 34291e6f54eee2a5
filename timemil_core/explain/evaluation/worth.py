"""What a model's maps say of the known truth, and how flat they are: the numbers on its card beside the ranking."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.baseline import control_scores, untrained_copy
from timemil_core.explain.evaluation.held_out import spread_over, with_values
from timemil_core.explain.evaluation.ranking import Ranking
from timemil_core.explain.evaluation.truth import flatness, ground_truth_scores
from timemil_core.explain.evaluation.wording import measured_on, standing_sentence
from timemil_core.explain.importance import METHODS, explain
from timemil_core.explain.sanity.uniform import uniform_attention_check
from timemil_core.models.trained import TrainedModel


@dataclass(frozen=True)
class MapWorth:
    """One importance method over some series.

    Attributes
    ----------
    method
        Its name, as drawn.
    n_series
        How many series it was measured on.
    flatness
        Mean; 1 is flat. None for signed maps.
    auroc, untrained_auroc, signal_auroc
        Means against the instance labels: of the map, of the same method on the untrained network, and of the bare
        signal's size. None where there are no instance labels.
    """

    method: str
    n_series: int
    flatness: float | None
    auroc: float | None
    untrained_auroc: float | None
    signal_auroc: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as JSON values."""
        return asdict(self)


def map_worth(
    model: TrainedModel, series_set: SeriesSet, method: str, *, n_series: int = 30, **settings: Any
) -> MapWorth:
    """Measure one method on series spread evenly over a set.

    Parameters
    ----------
    model
        Stays as it is.
    series_set
        The part to measure on: the test part, unless there is none.
    method, settings
        As for ``explain``.
    n_series
        At most so many.
    """
    chosen = spread_over(with_values(series_set), n_series)
    control = untrained_copy(model)
    flat, truths, name = [], [], method
    for index in chosen.tolist():
        series = series_set.series[index]
        target = int(model.predict([series]).labels[0])
        importance = explain(model, series, method, target, **settings)
        name = METHODS[method].title if importance.class_specific else importance.name
        flat.append(None if importance.signed else flatness(importance.values))
        if series_set.instance_labels is not None:
            truth = series_set.instance_labels[index]
            own = ground_truth_scores(importance.values, truth)
            controls = control_scores(control, series, truth, method, target, **settings)
            if own is not None and controls is not None:
                truths.append((own.auroc, controls[0].auroc, controls[1].auroc))
    known = np.mean(truths, axis=0).tolist() if truths else (None, None, None)
    return MapWorth(name, len(chosen), None if None in flat else float(np.mean(np.array(flat, dtype=float))), *known)


def worth_sentence(
    model: TrainedModel, series_set: SeriesSet, method: str, worth: MapWorth | None, ranking: Ranking
) -> str:
    """Say in plain words what the map is worth by which a model itself looks: for a model's card.

    That is the attention of the last layer where there is one, else what the model adds up; ``worth`` is what was
    measured of it, None where nothing was.
    """
    parts = []
    if (ranked := ranking.of(method) or ranking.of("pooling")) is not None:
        parts.append(standing_sentence(ranked.title, ranked.standing, measured_on(ranking)))
    if worth is not None and worth.auroc is not None:
        parts.append(
            f"Against the known truth it scores AUROC {worth.auroc:.2f}; the untrained network "
            f"{worth.untrained_auroc:.2f}, the bare signal's size {worth.signal_auroc:.2f}."
        )
    check = uniform_attention_check(model, series_set)
    if check is not None:
        parts.append(
            f"With flat attention in time, accuracy goes from {check.accuracy:.3f} to {check.uniform_in_time:.3f}."
        )
    return " ".join(parts)
