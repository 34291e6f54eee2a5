"""What a model's attention is worth, measured over a part of its data: the numbers on its card."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.baseline import control_scores, untrained_copy
from timemil_core.explain.evaluation.held_out import spread_over, with_values
from timemil_core.explain.evaluation.truth import flatness, ground_truth_scores
from timemil_core.explain.faithfulness import deletion_test
from timemil_core.explain.importance import METHODS, explain
from timemil_core.explain.uniform import uniform_attention_check
from timemil_core.explain.verdicts import STRONG
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
    beats_random
        The share of series on which removing what the map marks lowers the predicted class's logit more than the
        same marks at 95 % of random places do. Chance alone gives 2 in 21 with 20 places, about 0.10.
    auroc, untrained_auroc, signal_auroc
        Means against the instance labels: of the map, of the same method on the untrained network, and of the bare
        signal's size. None where there are no instance labels.
    """

    method: str
    n_series: int
    flatness: float | None
    beats_random: float
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
    ranks, flat, truths, name = [], [], [], method
    for index in chosen:
        series = series_set.series[index]
        target = int(model.predict([series]).labels[0])
        importance = explain(model, series, method, target, **settings)
        name = METHODS[method].title if importance.class_specific else importance.name
        ranks.append(deletion_test(model, series, importance.values, target).rank)
        flat.append(None if importance.signed else flatness(importance.values))
        truths.append(_against_truth(model, control, series_set, int(index), method, target, settings))
    known = [row for row in truths if row is not None]
    auroc, untrained, signal = np.mean(known, axis=0) if known else (None, None, None)
    return MapWorth(
        method=name,
        n_series=len(chosen),
        flatness=None if None in flat else float(np.mean([value for value in flat if value is not None])),
        beats_random=float(np.mean([rank >= STRONG for rank in ranks])),
        auroc=_number(auroc),
        untrained_auroc=_number(untrained),
        signal_auroc=_number(signal),
    )


def worth_sentence(model: TrainedModel, series_set: SeriesSet, attention: MapWorth) -> str:
    """Say in plain words what the attention of the last layer is worth, for a model's card."""
    parts = [
        f"Removing what the last layer's attention marks beats the same marks at 95 % of random places on "
        f"{attention.beats_random:.0%} of {attention.n_series} series (chance: about 10 %)."
    ]
    if attention.auroc is not None:
        parts.append(
            f"Against the known truth it scores AUROC {attention.auroc:.2f}; the untrained network "
            f"{attention.untrained_auroc:.2f}, the bare signal's size {attention.signal_auroc:.2f}."
        )
    check = uniform_attention_check(model, series_set)
    if check is not None:
        parts.append(
            f"With flat attention in time, accuracy goes from {check.accuracy:.3f} to {check.uniform_in_time:.3f}."
        )
    return " ".join(parts)


def _against_truth(
    model: TrainedModel,
    control: TrainedModel,
    series_set: SeriesSet,
    index: int,
    method: str,
    target: int,
    settings: dict[str, Any],
) -> tuple[float, float, float] | None:
    if series_set.instance_labels is None:
        return None
    series, truth = series_set.series[index], series_set.instance_labels[index]
    own = ground_truth_scores(explain(model, series, method, target, **settings).values, truth)
    controls = control_scores(control, series, truth, method, target, **settings)
    if own is None or controls is None:
        return None
    return own.auroc, controls[0].auroc, controls[1].auroc


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)
