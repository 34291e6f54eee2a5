"""The accuracy with flat attention: computed at once, or in the background where that takes long."""

from __future__ import annotations

from functools import partial

import numpy as np

from app.common import jobs, results
from app.common.context import Context
from app.common.examined import about, model_of, timed
from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.cost import PROBE_TIMEPOINTS, Timed, beginning
from timemil_core.explain.progress import Progress
from timemil_core.explain.sanity.uniform import UniformAttention, uniform_attention_check

PASSES_OF_FLAT_ATTENTION = 1.5  # the whole network, and its first layers again


def uniform_attention(chosen: Context) -> UniformAttention | None:
    """Return the accuracy with flat attention, on the test series where there are any."""
    model, series_set = model_of(chosen), chosen.series_set
    test = results.tested(series_set)

    def begin(n: int, progress: Progress) -> object:
        if test.lengths.max() > PROBE_TIMEPOINTS:
            return model.detailed(beginning(series_set.series[chosen.index], n))
        # many short series go through in batches, which one of them alone tells nothing of
        return uniform_attention_check(model, _first_series(test, int(n / PASSES_OF_FLAT_ATTENTION)), progress)

    return jobs.computed(
        "Whether the attention is used at all",
        ("uniform attention", *about(chosen)),
        int(PASSES_OF_FLAT_ATTENTION * test.lengths.sum()),
        begin,
        lambda progress: uniform_attention_check(model, test, progress),
        lambda: results.uniform_attention(model, series_set),
        partial(_timed_where_long, chosen, test),
    )


def _timed_where_long(chosen: Context, series_set: SeriesSet) -> Timed | None:
    return timed(chosen) if series_set.lengths.max() > PROBE_TIMEPOINTS else None


def _first_series(series_set: SeriesSet, n_timepoints: int) -> SeriesSet:
    """Return as many series as hold so many time points together."""
    n = int(np.searchsorted(series_set.lengths.cumsum(), n_timepoints)) + 1
    return series_set.subset(range(min(n, len(series_set))))
