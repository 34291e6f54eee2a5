"""What the Trust page asks beyond the whole set: other seeds of the same training."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from app.common import jobs, loading
from app.common.context import Context
from app.common.examined import about, model_of, timed
from app.common.whole_set import all_maps
from timemil_core.explain.cost import PROBE_TIMEPOINTS
from timemil_core.explain.evaluation.held_out import series_to_choose_on, spread_over
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.sanity import seeds
from timemil_core.explain.sanity.seeds import SeedSpread, seed_spread
from timemil_core.explain.sanity.siblings import Sibling, siblings
from timemil_core.models.storage import WEIGHTS, load_model
from timemil_core.models.trained import TrainedModel

MOST_SIBLINGS = 4
PASSES_BESIDE_MAPS = 2  # the removals take about as long as the maps


def other_seeds(chosen: Context) -> list[Sibling]:
    """Return the models of the same data and settings but another seed that are compared, at most four."""
    return siblings(model_of(chosen))[:MOST_SIBLINGS]


def spread(chosen: Context, others: Sequence[Sibling]) -> SeedSpread | None:
    """Return how far other seeds' maps and merits go apart, once it was asked for and has been measured."""
    model, series_set = model_of(chosen), chosen.series_set
    versions = tuple((one.reference, (one.folder / WEIGHTS).stat().st_mtime_ns) for one in others)

    def compute(progress: Progress) -> SeedSpread:
        return seed_spread([model, *_loaded(others)], series_set, n_series=seeds.N_SERIES, progress=progress)

    return jobs.computed(
        f"The spread over {1 + len(others)} seeds",
        ("seeds", *about(chosen), versions),
        (1 + len(others)) * _timepoints(chosen, seeds.N_SERIES),
        all_maps(chosen),
        compute,
        lambda: compute(silent),
        partial(timed, chosen),
    )


def _timepoints(chosen: Context, n_series: int) -> int:
    indices = spread_over(series_to_choose_on(model_of(chosen), chosen.series_set).indices, n_series)
    n_timepoints = PASSES_BESIDE_MAPS * int(chosen.series_set.lengths[indices].sum())
    return max(n_timepoints, PROBE_TIMEPOINTS + 1)  # many models and maps: however short the series, told beforehand


def _loaded(others: Sequence[Sibling]) -> list[TrainedModel]:
    return [load_model(one.folder, loading.device()) for one in others]
