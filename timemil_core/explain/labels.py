"""A set's labels in a model's own order of classes, which may have been read from different files; and both counted."""

from __future__ import annotations

import numpy as np

from timemil_core.data.preparation import has_values
from timemil_core.data.series_set import UNKNOWN_LABEL, IntArray, SeriesSet
from timemil_core.models.trained import TrainedModel


def labels_for(model: TrainedModel, series_set: SeriesSet) -> IntArray:
    """Return ``(n_series,)`` indices into the model's class names; -1 where a class is unknown to set or model.

    A series without a single value counts as unknown: there is nothing that a model could be right about.
    """
    place = {name: index for index, name in enumerate(model.class_names)}
    names = (
        series_set.label_name(index) if has_values(values) else None for index, values in enumerate(series_set.series)
    )
    return np.array([UNKNOWN_LABEL if name is None else place.get(name, UNKNOWN_LABEL) for name in names], np.int64)


def confusion_counts(true: IntArray, predicted: IntArray, n_classes: int) -> IntArray:
    """Return ``(n_classes, n_classes)``: how many series of each true class (row) got each class (column).

    Those of which either is not known are left out.
    """
    from sklearn.metrics import confusion_matrix  # a second that only this shall cost

    known = (true != UNKNOWN_LABEL) & (predicted != UNKNOWN_LABEL)
    if not known.any():
        return np.zeros((n_classes, n_classes), dtype=np.int64)
    counts: IntArray = confusion_matrix(true[known], predicted[known], labels=range(n_classes))
    return counts
