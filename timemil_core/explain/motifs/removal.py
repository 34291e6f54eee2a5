"""How faithful a motif is: what removing its span does to the logit, against random spans of the same length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from timemil_core.data.series_set import SeriesSet
from timemil_core.data.wording import counted
from timemil_core.explain.evaluation.fillers import default_fillers, get_filler
from timemil_core.explain.evaluation.scoring import network_score, prepared_series, score_without
from timemil_core.explain.motifs.motif import FEWEST_TO_TELL, Occurrence, Removal
from timemil_core.models.trained import TrainedModel

N_RANDOM = 20
MOST_TESTED = 10
TIMEPOINTS_IN_ALL = 40_000  # of the series that spans are removed from, for one motif
NOISE_SEED = 1_000_000  # another noise than that by which occlusion found the spans


def removal_of(
    model: TrainedModel, series_set: SeriesSet, spans: Sequence[Occurrence], target: int, seed: int
) -> Removal:
    """Remove each span, and 20 random ones of the same series, and watch the logit of a class.

    At most 10 spans, fewer of long series, the first ones. Removed points are replaced by noise and, where the model
    has a mask, masked out; the mean of the two counts. A random span overlaps the motif's by half at most, where the
    series is long enough.
    """
    fillers = default_fillers(model)
    n_tested = _n_tested(max(series_set.lengths[span.series] for span in spans))
    falls, random = [], []
    for place, span in enumerate(spans[:n_tested]):
        prepared = prepared_series(model, series_set.series[span.series])
        generator = np.random.default_rng([seed, span.series, place])
        n, length = prepared.shape[1], span.stop - span.start
        possible = np.arange(n - length + 1)
        apart = possible[np.abs(possible - span.start) >= (length + 1) // 2]
        starts = generator.choice(apart if len(apart) else possible, N_RANDOM)
        positions = np.arange(n)
        firsts = np.concatenate([[span.start], starts])[:, None]
        removed = (positions >= firsts) & (positions < firsts + length)
        removed = np.concatenate([np.zeros((1, n), dtype=np.bool_), removed])
        score = network_score(model.network)
        logits = np.mean(
            [
                score_without(score, prepared, removed, get_filler(name, seed + NOISE_SEED))[:, target]
                for name in fillers
            ],
            axis=0,
        )
        falls.append(logits[0] - logits[1])
        random.append(logits[0] - logits[2:])
    return Removal(np.array(falls), np.array(random))


def copies_scored(model: TrainedModel, n_timepoints: float) -> int:
    """Return how many copies of series of so many time points a removal is measured on, at most."""
    n_copies = 2 + N_RANDOM  # as it is, without the span, without others
    return _n_tested(n_timepoints) * len(default_fillers(model)) * n_copies


def _n_tested(n_timepoints: float) -> int:
    return min(max(int(TIMEPOINTS_IN_ALL // n_timepoints), FEWEST_TO_TELL), MOST_TESTED)


def removal_sentence(name: str, removal: Removal, held_out: Removal | None) -> str:
    """Say what removing a motif does, in plain words; what too few series show is told without a conclusion."""
    told = held_out or removal
    n, beaten = told.n_series, told.n_beaten
    of = counted(n, "series")
    where = f"{of} where its shape was found again" if held_out else f"the {of} that it was cut from"
    decides = (
        f"Removing it lowers the logit of {name!r} more than 95 % of random spans of that length do in {beaten} of "
        f"{where}"
    )
    if n < FEWEST_TO_TELL:
        return f"{decides}: too few to tell whether the model uses it."
    means = "the model uses it" if 2 * beaten >= n else "do not read it as what the model decides by"
    # Series differ in how far a logit moves: a few with large falls make a mean that most do not bear out.
    own, random = -told.falls.mean(), -told.random.mean()
    return (
        f"{decides} (chance: about 1 in 10 to 20): {means}. On average removing it changes the logit by {own:+.2g}, "
        f"removing a random span by {random:+.2g}."
    )
