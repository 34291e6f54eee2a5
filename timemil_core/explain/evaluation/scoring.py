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
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.fillers import Filler
from timemil_core.explain.progress import Progress, silent
from timemil_core.models.network import Network
from timemil_core.models.timemil import probabilities
from timemil_core.models.trained import TrainedModel

TIMEPOINTS_AT_ONCE = 16_000  # measured on a CPU at 30 to 3000 time points: 8,000 are up to a sixth slower

LogitArray = npt.NDArray[np.float64]
Score = Callable[[FloatArray], LogitArray]
"""From copies ``(n_copies, n_channels, n_timepoints)`` to logits ``(n_copies, n_classes)``."""


def prepared_series(model: TrainedModel, series: FloatArray) -> FloatArray:
    """Return one raw series as the network sees it, ``(n_channels, n_timepoints)`` without missing values."""
    return np.asarray(model.preparation.transform([series])[0], dtype=np.float32)


def network_score(network: Network) -> Score:
    """Return a function from prepared copies of equal length to logits; the network stays as it is.

    A time point that is NaN in all channels of a copy is masked, as padding is.
    """
    device = network.device

    def score(copies: FloatArray) -> LogitArray:
        observed = _observed(copies)
        values = torch.from_numpy(np.nan_to_num(copies) if observed is not None else np.ascontiguousarray(copies))
        mask = None if observed is None else torch.from_numpy(observed).to(device)
        with torch.inference_mode():
            logits = network(values.to(device), mask)
        return logits.double().cpu().numpy()

    return score


def score_without(
    score: Score, prepared: FloatArray, removed: BoolArray, filler: Filler, progress: Progress = silent
) -> LogitArray:
    """Score copies of a series from which time points were taken.

    Parameters
    ----------
    score
        From copies to logits.
    prepared
        ``(n_channels, n_timepoints)``.
    removed
        ``(n_copies, n_timepoints)``, or ``(n_copies, n_channels, n_timepoints)``: True where a copy lacks the value.
    filler
        What stands in their place.
    progress
        Told (distinct copies done, distinct copies).

    Returns
    -------
    LogitArray
        ``(n_copies, n_classes)``.
    """
    # Short series and many orders: often the same is removed. It is scored once.
    distinct, place = np.unique(removed, axis=0, return_inverse=True)
    # Copies that lack as much go together: masked out, the short and the long ones need different arithmetic.
    order = np.argsort(distinct.sum(axis=tuple(range(1, distinct.ndim))), kind="stable")
    logits = []
    for beyond, some in _chunks(distinct[order]):
        logits.append(score(filler(prepared, some)))
        progress(beyond, len(distinct))
    return np.concatenate(logits)[np.argsort(order)][place.reshape(-1)]


def copies_at_once(n_timepoints: int) -> int:
    """Return how many copies of a series go through a network together."""
    return max(1, TIMEPOINTS_AT_ONCE // n_timepoints)


def class_probabilities(logits: LogitArray) -> npt.NDArray[np.float64]:
    """Return the model's class probabilities of logits ``(n, n_classes)``."""
    return probabilities(torch.from_numpy(logits)).numpy()


def _observed(copies: FloatArray) -> BoolArray | None:
    missing = np.isnan(copies)
    if not missing.any():
        return None
    everywhere: BoolArray = np.asarray(missing.all(axis=1))
    if not np.array_equal(missing.any(axis=1), everywhere):
        raise SettingsError(
            "a single channel cannot be masked out: the network masks whole time points.",
            remedy="Choose another filler.",
        )
    return ~everywhere


def _chunks(removed: BoolArray) -> Iterator[tuple[int, BoolArray]]:
    size = copies_at_once(removed.shape[-1])
    for start in range(0, len(removed), size):
        some = removed[start : start + size]
        yield start + len(some), some
