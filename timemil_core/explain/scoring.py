"""What a model says of many changed copies of one prepared series; the ground of all perturbation methods.

Copies are changed after preparation, as the network sees them: a change at one time point then cannot move the
others through a series' own mean and deviation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import torch

from timemil_core.data.series_set import BoolArray, FloatArray
from timemil_core.explain.fillers import Filler
from timemil_core.models.timemil import TimeMIL, probabilities
from timemil_core.models.trained import TrainedModel

TIMEPOINTS_AT_ONCE = 8_000  # measured: larger batches of copies are slower on a CPU, they fall out of its caches

LogitArray = npt.NDArray[np.float64]
Score = Callable[[FloatArray], LogitArray]
"""From copies ``(n_copies, n_channels, n_timepoints)`` to logits ``(n_copies, n_classes)``."""


def prepared_series(model: TrainedModel, series: FloatArray) -> FloatArray:
    """Return one raw series as the network sees it, ``(n_channels, n_timepoints)`` without missing values."""
    return np.asarray(model.preparation.transform([series])[0], dtype=np.float32)


def network_score(network: TimeMIL) -> Score:
    """Return a function from prepared copies of equal length to logits; the network stays as it is."""
    device = next(network.parameters()).device

    def score(copies: FloatArray) -> LogitArray:
        with torch.inference_mode():
            logits = network(torch.from_numpy(np.ascontiguousarray(copies)).to(device))
        return logits.double().cpu().numpy()

    return score


def score_without(score: Score, prepared: FloatArray, removed: BoolArray, filler: Filler) -> LogitArray:
    """Score copies of a series from which time points were taken.

    Parameters
    ----------
    score
        From copies to logits.
    prepared
        ``(n_channels, n_timepoints)``.
    removed
        ``(n_copies, n_timepoints)``, True where a copy lacks the time point.
    filler
        What stands in their place.

    Returns
    -------
    LogitArray
        ``(n_copies, n_classes)``.
    """
    return np.concatenate([score(filler(prepared, some)) for some in _chunks(removed)])


def class_probabilities(logits: LogitArray) -> npt.NDArray[np.float64]:
    """Return the model's class probabilities of logits ``(n, n_classes)``."""
    return probabilities(torch.from_numpy(logits)).numpy()


def _chunks(removed: BoolArray) -> Iterator[BoolArray]:
    size = max(1, TIMEPOINTS_AT_ONCE // removed.shape[1])
    for start in range(0, len(removed), size):
        yield removed[start : start + size]
