"""What the pages ask of the library, cached by the fingerprints of model and data and by the settings."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from app.common.loading import HASHES
from timemil_core.data.series_set import UNKNOWN_LABEL, BoolArray, IntArray, SeriesSet
from timemil_core.explain import baseline, boundary, class_means, importance, wavelets
from timemil_core.explain.cost import PROBE_TIMEPOINTS, beginning
from timemil_core.explain.decision_plane import DecisionPlane, RegionName
from timemil_core.explain.decision_plane import decision_plane as _decision_plane
from timemil_core.explain.evaluation.fillers import Donors, FillerName, donors_for
from timemil_core.explain.evaluation.kept import rank_and_keep
from timemil_core.explain.evaluation.ranking import Ranking, known_ranking
from timemil_core.explain.evaluation.truth import GroundTruthScores
from timemil_core.explain.evaluation.verdict import SeriesVerdict
from timemil_core.explain.evaluation.verdict import series_verdict as _series_verdict
from timemil_core.explain.examination import Examination
from timemil_core.explain.examination import examine as _examine
from timemil_core.explain.importance import Importance
from timemil_core.explain.labels import labels_for
from timemil_core.explain.padding import mass_on_padding
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.sanity.checks import SanityChecks
from timemil_core.explain.sanity.checks import sanity_checks as _sanity_checks
from timemil_core.explain.sanity.uniform import UniformAttention, uniform_attention_check
from timemil_core.models.trained import TrainedModel

Controls = tuple[GroundTruthScores, GroundTruthScores] | None
TIMEPOINTS_FOR_MEANS = 200_000  # of all series of a class mean: a few seconds on two cores


# Shared and never changed, like the models: a copy for each run of the page would be 50 MB for 100,000 time points.
@st.cache_resource(max_entries=8, hash_funcs=HASHES, show_spinner=False)
def examine(model: TrainedModel, series_set: SeriesSet, index: int) -> Examination:
    """One series through the model, with all that is drawn of it."""
    return _examine(model, series_set.series[index], name=series_set.series_ids[index])


@st.cache_data(max_entries=16, hash_funcs=HASHES, show_spinner="The model classifies every series of the set …")
def wrongly_classified(model: TrainedModel, series_set: SeriesSet) -> IntArray:
    """The indices of the series whose known class is not the predicted one."""
    labels = labels_for(model, series_set)
    predicted = model.predict_each(series_set.series).labels
    unknown = (predicted == UNKNOWN_LABEL) | (series_set.labels == UNKNOWN_LABEL)
    return np.flatnonzero((predicted != labels) & ~unknown)


@st.cache_data(max_entries=128, hash_funcs=HASHES, show_spinner=False)
def explain(
    model: TrainedModel,
    series_set: SeriesSet,
    index: int,
    method: str,
    target_class: int,
    settings: dict[str, Any],
    _examination: Examination | None = None,
) -> Importance:
    """One importance map of one series; ``_examination`` is the model's of this series, where it is at hand."""
    # What the model computes for the page is computed once: the examination holds the attention already.
    examination = _examination or examine(model, series_set, index)
    return importance.explain(
        model, series_set.series[index], method, target_class, examination=examination, **settings
    )


@st.cache_data(max_entries=128, hash_funcs=HASHES, show_spinner="Removing what the map marks, here and elsewhere …")
def series_verdict(
    model: TrainedModel,
    series_set: SeriesSet,
    index: int,
    values: np.ndarray,
    target_class: int,
    against: int | None,
    filler: FillerName | None,
) -> SeriesVerdict:
    """What removing and restoring what the map marks does, here and at other places."""
    return verdict_of_series(model, series_set, index, values, target_class, against, filler)


def verdict_of_series(
    model: TrainedModel,
    series_set: SeriesSet,
    index: int,
    values: np.ndarray,
    target_class: int,
    against: int | None,
    filler: FillerName | None,
    n_timepoints: int | None = None,
    progress: Progress = silent,
) -> SeriesVerdict:
    """Compute a verdict, of the whole series or of its first time points alone, to foretell how long it takes."""
    series = series_set.series[index]
    return _series_verdict(
        model,
        series if n_timepoints is None else beginning(series, n_timepoints),
        values[:n_timepoints],
        target_class,
        against=against,
        fillers=None if filler is None else (filler,),
        donors=donors(model, series_set, target_class),
        progress=progress,
    )


@st.cache_resource(max_entries=32, hash_funcs=HASHES, show_spinner=False)
def donors(model: TrainedModel, series_set: SeriesSet, target_class: int) -> Donors:
    """Training series of other classes, from which a removed span can be taken."""
    return donors_for(model, series_set, target_class)


@st.cache_data(max_entries=128, hash_funcs=HASHES, show_spinner=False)
def padding_mass(model: TrainedModel, series_set: SeriesSet, index: int) -> float | None:
    """The weight of all layers on padding, were half as much put behind a series; None where it is not measured."""
    series = series_set.series[index]
    if not model.network.config.masks_padding or series.shape[1] > PROBE_TIMEPOINTS:
        return None  # an import attends to zeros of its own, which its map's note tells; of a long series it takes long
    return mass_on_padding(model, series)


def truth(series_set: SeriesSet, index: int) -> BoolArray | None:
    """The instance labels of a series, where the set has any and they mark something."""
    if series_set.instance_labels is None or not series_set.instance_labels[index].any():
        return None
    return series_set.instance_labels[index]


@st.cache_resource(max_entries=4, hash_funcs=HASHES, show_spinner=False)
def untrained(model: TrainedModel) -> TrainedModel:
    """The same architecture with new random weights: the control beside every score."""
    return baseline.untrained_copy(model, seed=0)


@st.cache_data(max_entries=16, hash_funcs=HASHES, show_spinner="The mean map of each class …")
def class_mean_attention(
    model: TrainedModel, series_set: SeriesSet, layer: int | None
) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """The mean attention of each true class over relative time, on the test series where there are any."""
    chosen, n_series = series_of_means(series_set)
    return class_means.class_mean_attention(model, chosen, layer=layer, by="true", max_series=n_series)


def tested(series_set: SeriesSet) -> SeriesSet:
    """The test series where there are any, else all."""
    indices = series_set.indices("test")
    return series_set.subset(indices) if len(indices) else series_set


def series_of_means(series_set: SeriesSet) -> tuple[SeriesSet, int]:
    """The series that class means are taken of, the test series where there are any, and how many of them."""
    chosen = tested(series_set)
    affordable = int(TIMEPOINTS_FOR_MEANS // chosen.lengths.mean())
    return chosen, min(len(chosen), int(np.clip(affordable, 2 * series_set.n_classes, 200)))


@st.cache_data(max_entries=16, hash_funcs=HASHES, show_spinner="Which method measures best? …")
def ranking(model: TrainedModel, series_set: SeriesSet) -> Ranking:
    """What each method is worth for the model, as known or measured now."""
    return known_ranking(model, series_set) or measured_ranking(model, series_set)


def measured_ranking(model: TrainedModel, series_set: SeriesSet, progress: Progress = silent) -> Ranking:
    """Measure what each method is worth for the model, and keep it on this machine."""
    return rank_and_keep(model, series_set, progress=progress)


@st.cache_data(max_entries=16, hash_funcs=HASHES, show_spinner="The maps under random weights …")
def sanity_checks(model: TrainedModel, series_set: SeriesSet) -> SanityChecks:
    """How methods agree, and what becomes of their maps under random weights."""
    return _sanity_checks(model, series_set)


@st.cache_data(max_entries=16, hash_funcs=HASHES, show_spinner=False)
def uniform_attention(model: TrainedModel, series_set: SeriesSet) -> UniformAttention | None:
    """The accuracy with flat attention, on the test series where there are any."""
    return uniform_attention_check(model, tested(series_set))


@st.cache_data(max_entries=8, hash_funcs=HASHES, show_spinner=False)
def learned_wavelets(model: TrainedModel) -> tuple[wavelets.LayerWavelets, ...]:
    """Every kernel of the model."""
    return wavelets.learned_wavelets(model)


@st.cache_resource(max_entries=4, hash_funcs=HASHES, show_spinner=False)
def encoding_of_series(model: TrainedModel, series_set: SeriesSet, index: int) -> tuple[wavelets.EncodedLayer, ...]:
    """What the positional encoding adds for one series, layer by layer."""
    return wavelets.encoding_of_series(model, series_set.series[index])


@st.cache_data(max_entries=64, hash_funcs=HASHES, show_spinner=False)
def pair(model: TrainedModel, series_set: SeriesSet, target: int) -> tuple[int, ...]:
    """The paper's pair: one positive and one negative series."""
    return boundary.paper_pair(series_set, model, target)


@st.cache_data(max_entries=32, hash_funcs=HASHES, show_spinner="The plane of the instances …")
def decision_plane(
    model: TrainedModel,
    series_set: SeriesSet,
    indices: tuple[int, ...],
    target: int,
    region: RegionName,
    supervised: bool,
) -> DecisionPlane:
    """Instances, labels and regions of one of the two models."""
    return _decision_plane(model, series_set, indices, target, region=region, supervised=supervised)


@st.cache_data(max_entries=64, hash_funcs=HASHES, show_spinner=False)
def control_scores(
    model: TrainedModel,
    series_set: SeriesSet,
    index: int,
    method: str,
    target: int,
    settings: dict[str, Any],
) -> Controls:
    """The untrained network's and the bare signal's scores against the truth."""
    marked = truth(series_set, index)
    if marked is None:
        return None
    return baseline.control_scores(untrained(model), series_set.series[index], marked, method, target, **settings)
