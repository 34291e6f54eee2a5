"""What a caller's classifier can be asked: its probabilities, or the margins behind its decisions."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import expit

from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import ModelError
from timemil_core.explain.evaluation.held_out import spread_over
from timemil_core.models.own.network import Decide, Probabilities, Series
from timemil_core.models.ridge import likeliest_stretch

SERIES_ASKED = 20
NO_MARGINS = (
    "This classifier's probabilities are 0 and 1 alone: a change of a series moves nothing until the class turns, and "
    "maps are steps."
)
BY_MARGINS = (
    "This classifier gives the class alone, and no graded probabilities. What is shown are its margins, stretched by "
    "the one factor that makes the given classes likeliest; the class that it gives is the same."
)


def asked_of(classifier: Any, series_set: SeriesSet, flat: bool) -> tuple[Decide, list[str]]:
    """Return what to ask of a classifier, and what to tell of it.

    Where probabilities are 0 and 1 alone, a change of a series moves nothing until the class turns. Many such have
    margins behind them (ridge, support vectors): these are taken instead, stretched by the one factor that makes the
    given classes likeliest.
    """
    asked_for = getattr(classifier, "predict_proba", classifier if callable(classifier) else None)
    decide = None if asked_for is None else _given(asked_for, flat)
    known = spread_over(np.arange(len(series_set)), SERIES_ASKED)
    asked = [np.asarray(series_set.series[index], dtype=np.float64)[None] for index in known]
    if decide is not None and not np.isin(np.concatenate([decide(one) for one in asked]), (0.0, 1.0)).all():
        return decide, []
    margins = margins_of(classifier, flat)
    if margins is None:
        if decide is None:
            raise ModelError(
                f"{type(classifier).__name__} has neither predict_proba nor decision_function, and is no function.",
                remedy="Give a function from series to probabilities.",
            )
        return decide, [NO_MARGINS]
    targets = np.where(series_set.labels[known][:, None] == np.arange(series_set.n_classes), 1.0, -1.0)
    stretch = likeliest_stretch(np.concatenate([margins(one) for one in asked]), targets)

    def by_margins(series: Series) -> Probabilities:
        chances = expit(stretch * margins(series))
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    return by_margins, [BY_MARGINS]


def margins_of(classifier: Any, flat: bool = False) -> Decide | None:
    """Return the margins ``(n_series, n_classes)`` by which a classifier decides; None where it has none.

    Its own ``decision_function``, or that of the pipeline or of the last step within (aeon's convolution-based
    classifiers end in a ridge, and give the class alone).
    """
    if hasattr(classifier, "decision_function"):
        return _both_sides(_given(classifier.decision_function, flat))
    if hasattr(getattr(classifier, "pipeline_", None), "decision_function"):
        return _both_sides(_given(classifier.pipeline_.decision_function, flat))
    last = getattr(classifier, "classifier", None)
    if not (hasattr(last, "decision_function") and hasattr(classifier, "_predict")):
        return None
    opened = copy.copy(classifier)
    opened.classifier = _Deciding(last)
    return _both_sides(_given(opened._predict, flat))


class _Deciding:
    """A last step that tells its margins where it is asked for a class."""

    def __init__(self, last: Any) -> None:
        self.predict = last.decision_function


def _both_sides(decision: Decide) -> Decide:
    def margins(series: Series) -> Probabilities:
        found = decision(series)
        return np.stack([-found, found], axis=1) if found.ndim == 1 else found  # of two classes, one number

    return margins


def _given(asked: Callable[[Series], Any], flat: bool) -> Decide:
    return lambda series: np.asarray(asked(series[:, 0] if flat else series), dtype=np.float64)
