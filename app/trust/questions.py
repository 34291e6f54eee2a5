"""What the Trust page asks: what each method is worth, whether other seeds agree, and whether attention is used at all.

Each function gives None until it has been asked for and computed; `ask.py` draws the offer and the progress.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from app import ask
from app.common import loading, trust
from app.common.context import Context, tested
from timemil_core.data.series_set import SeriesSet
from timemil_core.explain import importance
from timemil_core.explain.cost import PROBE_TIMEPOINTS, Begin, Timed, beginning
from timemil_core.explain.evaluation.held_out import series_to_choose_on, spread_over
from timemil_core.explain.evaluation.kept import rank_and_keep, share_measured
from timemil_core.explain.evaluation.measuring import series_to_rank_on
from timemil_core.explain.evaluation.ranking import Ranking, known_ranking
from timemil_core.explain.importance import methods_for
from timemil_core.explain.progress import Progress
from timemil_core.explain.sanity import checks, seeds
from timemil_core.explain.sanity.checks import SanityChecks, sanity_checks
from timemil_core.explain.sanity.seeds import SeedSpread, seed_spread
from timemil_core.explain.sanity.siblings import Sibling, siblings
from timemil_core.explain.sanity.uniform import UniformAttention, uniform_attention_check
from timemil_core.models.storage import WEIGHTS, load_model

COPIES_BESIDE_MAPS = 3  # the maps, and about twice as much for the places and the other series
N_MODELS_OF_CASCADE = 6  # the model, and one for each part that is made random
PASSES_OF_FLAT_ATTENTION = 1.5  # the whole network, and its first layers again
PASSES_BESIDE_MAPS = 2  # the removals take about as long as the maps
MOST_SIBLINGS = 4


def ranking(chosen: Context) -> Ranking | None:
    """Return what each importance method is worth for the model, as known already or measured, which is kept."""
    model, series_set = ask.model_of(chosen), chosen.series_set
    if (known := known_ranking(model, series_set)) is not None:
        return known
    if share_measured(model, series_set) is not None:
        trust.being_measured(chosen)
        return None
    indices, _ = series_to_rank_on(model, series_set)
    return ask.computed(
        "What each method's map is worth",
        ("ranking", *ask.about(chosen)),
        COPIES_BESIDE_MAPS * int(series_set.lengths[indices].sum()),
        _all_maps(chosen),
        lambda progress: rank_and_keep(model, series_set, progress=progress),
        partial(ask.timed, chosen),
    )


def checks_of_methods(chosen: Context) -> SanityChecks | None:
    """Return how methods agree, and what becomes of their maps when weights are made random."""
    return ask.computed(
        "The agreement of all methods, and their maps under random weights",
        ("sanity", *ask.about(chosen)),
        # all methods' maps of six models: however short the series, told beforehand
        max(N_MODELS_OF_CASCADE * _timepoints(chosen, checks.N_SERIES), PROBE_TIMEPOINTS + 1),
        _all_maps(chosen),
        lambda progress: sanity_checks(
            ask.model_of(chosen), chosen.series_set, n_series=checks.N_SERIES, progress=progress
        ),
        partial(ask.timed, chosen),
    )


def uniform_attention(chosen: Context) -> UniformAttention | None:
    """Return the accuracy with flat attention, on the test series where there are any."""
    model, test = ask.model_of(chosen), tested(chosen.series_set)
    is_long = bool(test.lengths.max() > PROBE_TIMEPOINTS)

    def begin(n: int, progress: Progress) -> object:
        if is_long:
            return model.detailed(beginning(chosen.series, n))
        # many short series go through in batches, which one of them alone tells nothing of
        return uniform_attention_check(model, _first_series(test, int(n / PASSES_OF_FLAT_ATTENTION)), progress)

    def timed() -> Timed | None:
        return ask.timed(chosen) if is_long else None

    return ask.computed(
        "Whether the attention is used at all",
        ("uniform attention", *ask.about(chosen)),
        int(PASSES_OF_FLAT_ATTENTION * test.lengths.sum()),
        begin,
        lambda progress: uniform_attention_check(model, test, progress),
        timed,
    )


def other_seeds(chosen: Context) -> list[Sibling]:
    """Return the models of the same data and settings but another seed that are compared, at most four."""
    return siblings(ask.model_of(chosen))[:MOST_SIBLINGS]


def spread(chosen: Context, others: Sequence[Sibling]) -> SeedSpread | None:
    """Return how far other seeds' maps and merits go apart."""
    versions = tuple((one.reference, (one.folder / WEIGHTS).stat().st_mtime_ns) for one in others)

    def compute(progress: Progress) -> SeedSpread:
        models = [ask.model_of(chosen), *(load_model(one.folder, loading.device()) for one in others)]
        return seed_spread(models, chosen.series_set, n_series=seeds.N_SERIES, progress=progress)

    n_timepoints = PASSES_BESIDE_MAPS * _timepoints(chosen, seeds.N_SERIES)
    return ask.computed(
        f"The spread over {1 + len(others)} seeds",
        ("seeds", *ask.about(chosen), versions),
        (1 + len(others))
        * max(n_timepoints, PROBE_TIMEPOINTS + 1),  # many models and maps: however short, told beforehand
        _all_maps(chosen),
        compute,
        partial(ask.timed, chosen),
    )


def _timepoints(chosen: Context, n_series: int) -> int:
    indices = spread_over(series_to_choose_on(ask.model_of(chosen), chosen.series_set).indices, n_series)
    return int(chosen.series_set.lengths[indices].sum())


def _all_maps(chosen: Context) -> list[Begin]:
    """Return what begins each method's map of the chosen series, to find out how long all of them take."""
    model = ask.model_of(chosen)

    def begin(method: str, n: int, progress: Progress) -> None:
        importance.explain(model, beginning(chosen.series, n), method, 0, progress=progress)

    # what knows no class is read off a pass, which takes nothing beside the others
    return [partial(begin, method.key) for method in methods_for(model) if method.class_specific]


def _first_series(series_set: SeriesSet, n_timepoints: int) -> SeriesSet:
    """Return as many series as hold so many time points together."""
    n = int(np.searchsorted(series_set.lengths.cumsum(), n_timepoints)) + 1
    return series_set.subset(range(min(n, len(series_set))))
