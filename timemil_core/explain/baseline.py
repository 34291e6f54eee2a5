"""The controls that stand beside every score against the truth: the same method without training, and no model.

A map that an untrained network or the bare signal matches explains the data, not the model (Adebayo et al. 2018).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from timemil_core.data.series_set import BoolArray, FloatArray
from timemil_core.explain.evaluation.scoring import prepared_series
from timemil_core.explain.evaluation.truth import GroundTruthScores, ground_truth_scores
from timemil_core.explain.importance import explain
from timemil_core.models.trained import TrainedModel


@torch.inference_mode(False)
def untrained_copy(model: TrainedModel, seed: int = 0) -> TrainedModel:
    """Return the same architecture and preparation without what was learned."""

    return replace(
        model,
        network=model.network.untrained(seed).to(model.device).eval(),
        supervised=None if model.supervised is None else model.supervised.untrained(seed).to(model.device).eval(),
        facts={"untrained": True, "seed": seed},
    )


def signal_magnitude(prepared: FloatArray) -> npt.NDArray[np.float64]:
    """Return the size of a prepared series at each time point: ``(n_channels, n_timepoints)`` to ``(n_timepoints,)``.

    The Euclidean norm over channels; |x| for one channel.
    """
    return np.linalg.norm(prepared.astype(np.float64), axis=0)


def control_scores(
    untrained: TrainedModel,
    series: FloatArray,
    truth: BoolArray,
    method: str,
    target_class: int | None = None,
    **settings: Any,
) -> tuple[GroundTruthScores, GroundTruthScores] | None:
    """Score the controls of one map against the truth.

    Parameters
    ----------
    untrained
        ``untrained_copy(model)``.
    series
        ``(n_channels, n_timepoints)``, raw.
    truth
        ``(n_timepoints,)``.
    method, target_class, settings
        As the map that is to be judged was made.

    Returns
    -------
    tuple or None
        Scores of the same method on the untrained network, and of the signal's magnitude; None where all or no time
        points are relevant.
    """
    values = explain(untrained, series, method, target_class, **settings).values
    of_network = ground_truth_scores(values, truth)
    of_signal = ground_truth_scores(signal_magnitude(prepared_series(untrained, series)), truth)
    return None if of_network is None or of_signal is None else (of_network, of_signal)
