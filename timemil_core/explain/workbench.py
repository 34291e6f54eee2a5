"""All series of a set as a model sees them: what it predicts, how sure it is, and which it confuses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import UNKNOWN_LABEL, BoolArray, IntArray, SeriesSet
from timemil_core.explain.cost import PROBE_TIMEPOINTS
from timemil_core.explain.labels import confusion_counts, labels_for
from timemil_core.explain.progress import Progress, silent
from timemil_core.models.trained import TrainedModel

TIMEPOINTS_TOGETHER = 32 * PROBE_TIMEPOINTS  # classified before how far it is is told
UNSURE = 0.2


@dataclass(frozen=True, eq=False)
class Classified:
    """What a model says of each series of a set.

    Attributes
    ----------
    true, predicted
        ``(n_series,)`` indices into the model's classes; -1 where not known, or where a series cannot be classified.
    probability
        ``(n_series,)`` of the predicted class; NaN where a series cannot be classified.
    lead
        ``(n_series,)``: that less the second highest probability.
    """

    true: IntArray
    predicted: IntArray
    probability: npt.NDArray[np.float64]
    lead: npt.NDArray[np.float64]

    @property
    def wrong(self) -> BoolArray:
        """``(n_series,)``: whether the known class is not the predicted one."""
        known = (self.true != UNKNOWN_LABEL) & (self.predicted != UNKNOWN_LABEL)
        return known & (self.true != self.predicted)

    @property
    def unsure(self) -> BoolArray:
        """``(n_series,)``: whether a second class comes within 20 per cent points."""
        return self.lead < UNSURE

    def confusion(self, n_classes: int) -> IntArray:
        """Return ``(n_classes, n_classes)``: how many series of each true class (row) got each class (column)."""
        return confusion_counts(self.true, self.predicted, n_classes)


def classified(model: TrainedModel, series_set: SeriesSet, progress: Progress = silent) -> Classified:
    """Return what a model says of each series; those that cannot be classified are unknown, none is refused."""
    n_together = max(1, TIMEPOINTS_TOGETHER // int(series_set.lengths.max()))
    n = len(series_set)
    predicted, probabilities = np.empty(n, dtype=np.int64), np.empty((n, len(model.class_names)))
    for start in range(0, n, n_together):
        some = slice(start, start + n_together)
        told = model.predict_each(series_set.series[some])
        predicted[some], probabilities[some] = told.labels, told.probabilities
        progress(min(some.stop, n), n)
    ordered = np.sort(probabilities, axis=1)
    second = ordered[:, -2] if ordered.shape[1] > 1 else np.zeros(n)
    return Classified(labels_for(model, series_set), predicted, ordered[:, -1], ordered[:, -1] - second)
