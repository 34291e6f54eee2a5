"""Does a map point at what the model uses? Measured by taking away what it marks, and told in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import FloatArray
from timemil_core.errors import SettingsError
from timemil_core.explain.deletion import (
    N_RANDOM,
    N_STEPS,
    Curve,
    CurveScores,
    DeletionScores,
    InsertionScores,
    deletion_scores,
    insertion_scores,
)
from timemil_core.explain.evaluation.fillers import DEFAULT_FILLER, FillerName, get_filler
from timemil_core.explain.evaluation.scoring import network_score, prepared_series
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.question import Question, ask
from timemil_core.explain.uniform import UniformAttention, uniform_attention_check
from timemil_core.explain.verdicts import Level, deletion_sentence, insertion_sentence, level_of
from timemil_core.models.trained import TrainedModel

__all__ = [
    "DeletionTest",
    "InsertionTest",
    "UniformAttention",
    "deletion_test",
    "insertion_test",
    "uniform_attention_check",
]

LEAST_STEPS = 4
TIMEPOINTS_IN_ALL = 60_000  # of a comparison of many maps
LEAST_STEPS_OF_A_TEST = 2
TIMEPOINTS_OF_BOTH_TESTS = 64_000  # deletion and insertion of one map: in about two seconds on two cores


@dataclass(frozen=True, eq=False)
class CurveTest:
    """What happens to the explained number when a map's most important time points go, or come back, first.

    Attributes
    ----------
    shares
        ``(n_steps + 1,)``, share of the series that was removed or restored, 0 to 0.5.
    curve
        ``(n_steps + 1,)``, the explained number by this map's order.
    random_mean, random_low, random_high
        ``(n_steps + 1,)``: mean, 5 % and 95 % of the same map at random places.
    area_over_random
        The mean change over the shares (a fall in deletion, a rise in insertion), less the mean at random
        places; above 0 is better than chance. Logits of different models are not comparable.
    random_areas
        ``(n_random,)``, the mean change at each random place.
    rank
        The share of random places that this map beats, 0 to 1.
    chance
        How often a map that means nothing does at least as well: (1 + places not beaten) / (1 + n_random).
    level
        "strong", "weak" or "none": what ``sentence`` makes of the rank.
    filler
        What stood in place of removed time points, for the chart.
    quantity
        What ``curve`` is, for the chart's axis.
    target_class
        Index of the class.
    sentence
        What the numbers mean for this map, in plain words.
    """

    shares: Curve
    curve: Curve
    random_mean: Curve
    random_low: Curve
    random_high: Curve
    area_over_random: float
    random_areas: Curve
    rank: float
    chance: float
    level: Level
    filler: FillerName
    quantity: str
    target_class: int
    sentence: str

    @property
    def n_beaten(self) -> int:
        """How many random places this map beats."""
        return round(self.rank * len(self.random_areas))

    @property
    def area(self) -> float:
        """The mean change over the shares, in the direction that a good map causes."""
        return float(self.area_over_random + self.random_areas.mean())


@dataclass(frozen=True, eq=False)
class DeletionTest(CurveTest):
    """The curve of removal, and what rests on it.

    Attributes
    ----------
    comprehensiveness
        ``p(X) − p(X without the top 20 %)``: higher is better.
    sufficiency
        ``p(X) − p(the top 20 % alone)``: lower is better.
    aopcr
        MILLET's area over the perturbation curve, less that of the same map at random places (EVALUATION.md has
        points in random order; these are too weak a rival). Within one model only.
    """

    comprehensiveness: float
    sufficiency: float
    aopcr: float


@dataclass(frozen=True, eq=False)
class InsertionTest(CurveTest):
    """The curve of restoring, from a series of which nothing is left."""


def deletion_test(
    model: TrainedModel,
    series: FloatArray,
    values: npt.NDArray[np.floating],
    target_class: int,
    *,
    against: int | None = None,
    filler: FillerName = DEFAULT_FILLER,
    n_random: int = N_RANDOM,
    n_steps: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> DeletionTest:
    """Test a map of one series against itself at random places, by removal.

    Parameters
    ----------
    model
        Stays as it is.
    series
        ``(n_channels, n_timepoints)``, raw. Time points are removed after its preparation, in all channels.
    values
        The map, ``(n_timepoints,)``; the highest values are removed first.
    target_class, against
        Index of the class whose logit is watched, and of the one whose logit is subtracted, if any.
    filler
        What stands in place of removed time points; see ``fillers`` for how they compare.
    n_random, n_steps, seed
        Random places (a series of T time points has 2 T - 1 others at most); steps up to half of the series, by
        default 10, fewer (at least 2) for long series, so that this test and the other of the two end within about two
        seconds; seed of places, ties and noise.
    progress
        Told (done, of); raises to cancel.

    Raises
    ------
    SettingsError
        Where the map does not fit the series, the class or filler does not exist, or nothing would be compared.
    """
    settings = {"n_random": n_random, "n_steps": n_steps, "seed": seed, "progress": progress}
    question = ask(model, target_class, against)
    scores: DeletionScores = _scores(deletion_scores, model, series, values, question, filler, settings)
    return DeletionTest(
        **_summary(scores, question, filler, deletion_sentence(scores, question)),
        comprehensiveness=scores.comprehensiveness,
        sufficiency=scores.sufficiency,
        aopcr=scores.aopcr,
    )


def insertion_test(
    model: TrainedModel,
    series: FloatArray,
    values: npt.NDArray[np.floating],
    target_class: int,
    *,
    against: int | None = None,
    filler: FillerName = DEFAULT_FILLER,
    n_random: int = N_RANDOM,
    n_steps: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> InsertionTest:
    """Test a map of one series against itself at random places, by restoring.

    Parameters and errors are those of ``deletion_test``.
    """
    settings = {"n_random": n_random, "n_steps": n_steps, "seed": seed, "progress": progress}
    question = ask(model, target_class, against)
    scores: InsertionScores = _scores(insertion_scores, model, series, values, question, filler, settings)
    return InsertionTest(**_summary(scores, question, filler, insertion_sentence(scores, question)))


def default_steps(n_timepoints: int, n_random: int) -> int:
    """Return 10 steps, or as many as a comparison of many maps can afford, but no fewer than 4."""
    affordable = TIMEPOINTS_IN_ALL // (n_timepoints * (n_random + 1))
    return int(np.clip(affordable, LEAST_STEPS, N_STEPS))


def steps_of_a_test(n_timepoints: int, n_random: int) -> int:
    """Return 10 steps, or as many as let deletion and insertion of one map end within two seconds, but at least 2."""
    affordable = TIMEPOINTS_OF_BOTH_TESTS // (2 * n_timepoints * (n_random + 1))
    return int(np.clip(affordable, LEAST_STEPS_OF_A_TEST, N_STEPS))


def _scores(
    curves: Callable[..., Any],
    model: TrainedModel,
    series: FloatArray,
    values: npt.NDArray[np.floating],
    question: Question,
    filler: FillerName,
    settings: dict[str, Any],
) -> Any:
    prepared = prepared_series(model, series)
    _check(values, prepared.shape[1], settings["n_random"], settings["n_steps"])
    settings["n_steps"] = settings["n_steps"] or steps_of_a_test(prepared.shape[1], settings["n_random"])
    chosen = get_filler(filler, settings["seed"])
    return curves(network_score(model.network), prepared, values, question, chosen, **settings)


def _summary(scores: CurveScores, question: Question, filler: FillerName, sentence: str) -> dict[str, Any]:
    low, high = np.percentile(scores.random_curves, [5, 95], axis=0)
    return {
        "shares": scores.shares,
        "curve": scores.curve,
        "random_mean": scores.random_curves.mean(axis=0),
        "random_low": low,
        "random_high": high,
        "area_over_random": float(scores.area - scores.random_areas.mean()),
        "random_areas": scores.random_areas,
        "rank": scores.rank,
        "chance": scores.chance,
        "level": level_of(scores),
        "filler": filler,
        "quantity": question.quantity,
        "target_class": question.target,
        "sentence": sentence,
    }


def _check(values: npt.NDArray[np.floating], n_timepoints: int, n_random: int, n_steps: int | None) -> None:
    if values.shape != (n_timepoints,):
        raise SettingsError(
            f"a map of shape {values.shape} does not fit a series of {n_timepoints} time points.",
            remedy="Give one value a time point.",
        )
    if n_random < 1 or (n_steps is not None and n_steps < 1):
        raise SettingsError("a test needs at least one random place and one step.")
