"""How good predictions are, by scikit-learn's measures."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import IntArray


def scores(labels: IntArray, logits: npt.NDArray[np.floating[Any]]) -> dict[str, float | int | None]:
    """Score predictions.

    Parameters
    ----------
    labels
        ``(n_series,)``, all known.
    logits
        ``(n_series, n_classes)``, one-vs-rest; the highest is the prediction.

    Returns
    -------
    dict
        ``accuracy``; ``balanced_accuracy``, the mean recall of the classes that occur; ``macro_f1``, over classes
        that occur or are predicted; ``auroc``, each class against the rest by its own logit, mean over classes that
        some series have and some have not, None where there is none; ``n``.
    """
    predicted = logits.argmax(axis=1)
    present = np.unique(labels)
    from sklearn.metrics import accuracy_score, f1_score, recall_score  # two seconds of every start

    return {
        "accuracy": float(accuracy_score(labels, predicted)),
        "balanced_accuracy": float(recall_score(labels, predicted, labels=present, average="macro")),
        "macro_f1": float(f1_score(labels, predicted, average="macro", zero_division=0)),
        "auroc": _auroc(labels, logits, present),
        "n": len(labels),
    }


def _auroc(labels: IntArray, logits: npt.NDArray[np.floating[Any]], present: IntArray) -> float | None:
    if len(present) < 2:
        return None
    from sklearn.metrics import roc_auc_score

    return float(np.mean([roc_auc_score(labels == label, logits[:, label]) for label in present]))
