"""What a page asks of a model and all series of a set: each class, each method, each prediction.

All of it takes seconds for short series and minutes for long ones. Each function gives None until it has been asked for
and computed; `jobs.py` draws the offer and the progress.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from app.common import jobs, results
from app.common.context import Context
from app.common.examined import about, model_of, timed
from timemil_core.data.series_set import UNKNOWN_LABEL, IntArray, SeriesSet
from timemil_core.explain import class_means, importance
from timemil_core.explain.cost import Begin, beginning
from timemil_core.explain.evaluation.held_out import series_to_choose_on, spread_over
from timemil_core.explain.evaluation.kept import share_measured
from timemil_core.explain.evaluation.measuring import series_to_rank_on
from timemil_core.explain.evaluation.ranking import Ranking, known_ranking
from timemil_core.explain.importance import methods_for
from timemil_core.explain.labels import labels_for
from timemil_core.explain.progress import Progress
from timemil_core.explain.sanity.checks import N_SERIES as N_SERIES_OF_CHECKS
from timemil_core.explain.sanity.checks import SanityChecks, sanity_checks
from timemil_core.models.trained import TrainedModel

COPIES_BESIDE_MAPS = 3  # the maps, and about twice as much for the places and the other series
N_MODELS_OF_CASCADE = 6  # the model, and one for each part that is made random


def class_mean_attention(chosen: Context, layer: int) -> dict[str, class_means.ClassMean] | None:
    """Return the mean attention of each true class, on the test series where there are any."""
    model, series_set = model_of(chosen), chosen.series_set
    test, n_series = results.series_of_means(series_set)
    return jobs.computed(
        f"The mean attention of each class, over {n_series} series",
        ("class means", *about(chosen), layer),
        int(n_series * test.lengths.mean()),
        lambda n, progress: model.detailed(beginning(series_set.series[chosen.index], n)),
        lambda progress: class_means.class_mean_attention(
            model, test, layer=layer, by="true", max_series=n_series, progress=progress
        ),
        lambda: results.class_mean_attention(model, series_set, layer),
        partial(timed, chosen),
    )


def wrongly_classified(chosen: Context) -> IntArray | None:
    """Return the indices of the series whose known class is not the predicted one."""
    model, series_set = model_of(chosen), chosen.series_set
    return jobs.computed(
        f"The class of each of {len(series_set)} series",
        ("wrong", *about(chosen)),
        int(series_set.lengths.sum()),
        lambda n, progress: model.predict([beginning(series_set.series[chosen.index], n)]),
        lambda progress: _wrong(model, series_set, progress),
        lambda: results.wrongly_classified(model, series_set),
        partial(timed, chosen),
    )


def ranking(chosen: Context) -> Ranking | None:
    """Return what each importance method is worth for the model, as known already or measured."""
    model, series_set = model_of(chosen), chosen.series_set
    if known_ranking(model, series_set) is not None:
        return results.ranking(model, series_set)
    if share_measured(model, series_set) is not None:
        _being_measured(chosen)
        return None
    indices, _ = series_to_rank_on(model, series_set)
    return jobs.computed(
        "What each method's map is worth",
        ("ranking", *about(chosen)),
        COPIES_BESIDE_MAPS * int(series_set.lengths[indices].sum()),
        all_maps(chosen),
        lambda progress: results.measured_ranking(model, series_set, progress),
        lambda: results.ranking(model, series_set),
        partial(timed, chosen),
    )


@st.fragment(run_every=2.0)
def _being_measured(chosen: Context) -> None:
    """Tell how far the process that trained the model has come; draw the page anew once it is done or gone."""
    share = share_measured(model_of(chosen), chosen.series_set)
    if share is None or known_ranking(model_of(chosen), chosen.series_set) is not None:
        st.rerun()
    st.progress(share, text="Which method's maps are evidence is being measured since the training ended …")


def checks_of_methods(chosen: Context) -> SanityChecks | None:
    """Return how methods agree, and what becomes of their maps when weights are made random."""
    model, series_set = model_of(chosen), chosen.series_set
    return jobs.computed(
        "The agreement of all methods, and their maps under random weights",
        ("sanity", *about(chosen)),
        N_MODELS_OF_CASCADE * _timepoints_of_maps(chosen, N_SERIES_OF_CHECKS),
        all_maps(chosen),
        lambda progress: sanity_checks(model, series_set, progress=progress),
        lambda: results.sanity_checks(model, series_set),
        partial(timed, chosen),
    )


def _timepoints_of_maps(chosen: Context, n_series: int) -> int:
    indices = spread_over(series_to_choose_on(model_of(chosen), chosen.series_set).indices, n_series)
    return int(chosen.series_set.lengths[indices].sum())


def all_maps(chosen: Context) -> list[Begin]:
    """Return what begins each method's map of the chosen series, to find out how long all of them take."""
    model, series = model_of(chosen), chosen.series_set.series[chosen.index]

    def begin(method: str, n: int, progress: Progress) -> None:
        importance.explain(model, beginning(series, n), method, 0, progress=progress)

    # what knows no class is read off a pass, which takes nothing beside the others
    return [partial(begin, method.key) for method in methods_for(model) if method.class_specific]


def _wrong(model: TrainedModel, series_set: SeriesSet, progress: Progress) -> IntArray:
    labels = labels_for(model, series_set)
    predicted = np.empty(len(series_set), dtype=np.int64)
    for index, series in enumerate(series_set.series):
        predicted[index] = model.predict_each([series]).labels[0]
        progress(index + 1, len(series_set))
    unknown = (predicted == UNKNOWN_LABEL) | (series_set.labels == UNKNOWN_LABEL)
    return np.flatnonzero((predicted != labels) & ~unknown)
