"""Does a map point at what the model uses? Measured by taking away what it marks, and told in a sentence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from timemil_core.data.series_set import FloatArray
from timemil_core.errors import SettingsError
from timemil_core.explain.contract import check_class
from timemil_core.explain.deletion import Curve, DeletionScores, deletion_scores
from timemil_core.explain.fillers import DEFAULT_FILLER, FillerName, get_filler
from timemil_core.explain.scoring import network_score, prepared_series
from timemil_core.explain.uniform import UniformAttention, uniform_attention_check
from timemil_core.models.trained import TrainedModel

__all__ = ["DeletionTest", "UniformAttention", "deletion_test", "uniform_attention_check"]

MOST_STEPS, LEAST_STEPS = 10, 4
TIMEPOINTS_IN_ALL = 60_000  # measured: under two seconds on two cores, up to 1000 time points
STRONG, WEAK = 0.95, 0.8


@dataclass(frozen=True, eq=False)
class DeletionTest:
    """What happens to a class's logit when a map's most important time points go first.

    Attributes
    ----------
    shares
        ``(n_steps + 1,)``, removed share of the series, 0 to 0.5.
    curve
        ``(n_steps + 1,)``, the logit by this map's order.
    random_mean, random_low, random_high
        ``(n_steps + 1,)``: mean, 5 % and 95 % of the random block orders.
    area_over_random
        The mean fall of the logit over the shares, less the mean of the random orders'; above 0 is better than
        chance. Logits of different models are not comparable.
    random_areas
        ``(n_random,)``, the mean fall of each random order.
    rank
        The share of random orders that this map beats, 0 to 1.
    chance
        How often a map that means nothing does at least as well: (1 + orders not beaten) / (1 + n_random).
    comprehensiveness
        ``p(X) − p(X without the top 20 %)``: higher is better.
    sufficiency
        ``p(X) − p(the top 20 % alone)``: lower is better.
    block_length
        Of the random orders, in time points: that of the stretches that this map marks.
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
    comprehensiveness: float
    sufficiency: float
    block_length: int
    filler: FillerName
    quantity: str
    target_class: int
    sentence: str


def deletion_test(
    model: TrainedModel,
    series: FloatArray,
    values: npt.NDArray[np.floating],
    target_class: int,
    *,
    filler: FillerName = DEFAULT_FILLER,
    n_random: int = 20,
    n_steps: int | None = None,
    seed: int = 0,
) -> DeletionTest:
    """Test a map of one series against random block orders.

    Parameters
    ----------
    model
        Stays as it is.
    series
        ``(n_channels, n_timepoints)``, raw. Time points are removed after its preparation, in all channels.
    values
        The map, ``(n_timepoints,)``; the highest values are removed first.
    target_class
        Index of the class whose logit is watched.
    filler
        What stands in place of removed time points; see ``fillers`` for how they compare.
    n_random, n_steps, seed
        Random orders; steps up to half of the series, by default 10, fewer (at least 4) for long series, so that
        the answer comes within about two seconds; seed of orders, ties and noise.

    Raises
    ------
    SettingsError
        Where the map does not fit the series, the class or filler does not exist, or nothing would be compared.
    """
    check_class(model, target_class)
    prepared = prepared_series(model, series)
    _check(values, prepared.shape[1], n_random, n_steps)
    scores = deletion_scores(
        network_score(model.network),
        prepared,
        values,
        target_class,
        get_filler(filler, seed),
        n_random=n_random,
        n_steps=n_steps or default_steps(prepared.shape[1], n_random),
        seed=seed,
    )
    return _test(scores, filler, target_class, model.class_names[target_class])


def default_steps(n_timepoints: int, n_random: int) -> int:
    """Return 10 steps, or as many as two seconds allow, but no fewer than 4."""
    affordable = TIMEPOINTS_IN_ALL // (n_timepoints * (n_random + 1))
    return int(np.clip(affordable, LEAST_STEPS, MOST_STEPS))


def sentence(scores: DeletionScores, class_name: str) -> str:
    """Tell in plain words what a deletion test means for its map."""
    area, random_areas = scores.area, scores.random_areas
    n_random = len(random_areas)
    n_beaten = int((area > random_areas).sum())
    subject = "Removing what this map marks"
    if area <= 0:
        return f"{subject} does not lower the logit of {class_name!r}: do not read it as evidence for that class."
    if n_beaten < WEAK * n_random:
        return (
            f"{subject} lowers the logit of {class_name!r} no more than random blocks do (more than {n_beaten} of "
            f"{n_random} random block orders): do not read it as evidence."
        )
    says = "the map points at what the model uses" if n_beaten >= STRONG * n_random else "weak evidence only"
    return (
        f"{subject} lowers the logit of {class_name!r} more than {n_beaten} of {n_random} random block orders "
        f"(by {area:.2g} on average, random ones by {random_areas.mean():.2g}): {says}. A map that means nothing does "
        f"as well in about {by_chance(n_beaten, n_random):.0%} of cases."
    )


def by_chance(n_beaten: int, n_random: int) -> float:
    """Return how often a map that means nothing beats so many random orders: its rank is uniform among all."""
    return (1 + n_random - n_beaten) / (1 + n_random)


def _test(scores: DeletionScores, filler: FillerName, target_class: int, class_name: str) -> DeletionTest:
    low, high = np.percentile(scores.random_curves, [5, 95], axis=0)
    random_areas = scores.random_areas
    n_beaten = int((scores.area > random_areas).sum())
    return DeletionTest(
        shares=scores.shares,
        curve=scores.curve,
        random_mean=scores.random_curves.mean(axis=0),
        random_low=low,
        random_high=high,
        area_over_random=float(scores.area - random_areas.mean()),
        random_areas=random_areas,
        rank=n_beaten / len(random_areas),
        chance=by_chance(n_beaten, len(random_areas)),
        comprehensiveness=scores.comprehensiveness,
        sufficiency=scores.sufficiency,
        block_length=scores.block_length,
        filler=filler,
        quantity=f"logit of class {class_name!r}",
        target_class=target_class,
        sentence=sentence(scores, class_name),
    )


def _check(values: npt.NDArray[np.floating], n_timepoints: int, n_random: int, n_steps: int | None) -> None:
    if values.shape != (n_timepoints,):
        raise SettingsError(
            f"a map of shape {values.shape} does not fit a series of {n_timepoints} time points.",
            remedy="Give one value a time point.",
        )
    if n_random < 1 or (n_steps is not None and n_steps < 1):
        raise SettingsError("a deletion test needs at least one random order and one step.")
