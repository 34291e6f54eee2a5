"""How flat a map is, and how well it finds the truth where the truth is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import BoolArray

Values = npt.NDArray[np.floating]


@dataclass(frozen=True)
class GroundTruthScores:
    """A map of one series against its instance labels.

    Attributes
    ----------
    auroc
        The chance that a relevant time point ranks above another; 0.5 for a flat map.
    average_precision
        To be read against ``share_of_time``, which a random map scores.
    ndcg
        NDCG@n over the n highest-ranked time points, n = number of relevant ones (Early et al. 2024).
    pointing_game
        Whether the highest-ranked time point is relevant; where several tie, whether all of them are.
    mass_inside
        The share of positive importance that lies on relevant time points; NaN where nothing is positive.
    share_of_time
        The share of time points that are relevant: what chance alone scores.
    """

    auroc: float
    average_precision: float
    ndcg: float
    pointing_game: bool
    mass_inside: float
    share_of_time: float


def ground_truth_scores(values: Values, truth: BoolArray) -> GroundTruthScores | None:
    """Score a map ``(n_timepoints,)`` against the truth ``(n_timepoints,)``; None where all or no points are relevant.

    Negative values rank below all others and hold no mass.
    """
    truth = np.asarray(truth, dtype=np.bool_)
    if truth.all() or not truth.any():
        return None
    values = np.asarray(values, dtype=np.float64)
    positive = np.clip(values, 0, None)
    total = positive.sum()
    from sklearn.metrics import average_precision_score, ndcg_score, roc_auc_score  # two seconds of every start

    return GroundTruthScores(
        auroc=float(roc_auc_score(truth, values)),
        average_precision=float(average_precision_score(truth, values)),
        ndcg=float(ndcg_score(truth[None].astype(int), values[None], k=int(truth.sum()))),
        pointing_game=bool(truth[values == values.max()].all()),
        mass_inside=float(positive[truth].sum() / total) if total > 0 else float("nan"),
        share_of_time=float(truth.mean()),
    )


def flatness(weights: Values) -> float:
    """Return the normalised entropy of weights ``(n_timepoints,)``: 1 where flat, 0 where one time point has all.

    Negative weights count as 0, the rest are divided by their sum. A single time point, or nothing positive, stands
    out from nothing: 1.
    """
    positive = np.clip(np.asarray(weights, dtype=np.float64), 0, None)
    largest = positive.max()
    if positive.size < 2 or largest <= 0:
        return 1.0
    shares = positive[positive > 0] / largest  # first by the largest, so that no sum overflows
    shares = shares[shares > 0] / shares.sum()
    entropy = -(shares * np.log(shares)).sum()
    return float(np.clip(entropy / np.log(positive.size), 0.0, 1.0))
