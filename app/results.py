"""What the pages ask of the library, cached by the fingerprints of model and data and by the settings."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.loading import HASHES
from timemil_core.data.series_set import BoolArray, SeriesSet
from timemil_core.explain import boundary, class_means, faithfulness, importance, scores, wavelets
from timemil_core.explain.examination import Examination
from timemil_core.explain.examination import examine as _examine
from timemil_core.explain.importance import Importance
from timemil_core.models.trained import Prediction, TrainedModel


@st.cache_data(max_entries=64, hash_funcs=HASHES, show_spinner=False)
def examine(model: TrainedModel, series_set: SeriesSet, index: int) -> Examination:
    """One series through the model, with all that is drawn of it."""
    return _examine(model, series_set.series[index])


@st.cache_data(max_entries=16, hash_funcs=HASHES, show_spinner="The model classifies every series of the set …")
def predictions(model: TrainedModel, series_set: SeriesSet) -> Prediction:
    """Every series of the set, for filters and scores."""
    return model.predict(series_set.series)


@st.cache_data(max_entries=128, hash_funcs=HASHES, show_spinner=False)
def explain(
    model: TrainedModel,
    series_set: SeriesSet,
    index: int,
    method: str,
    target_class: int,
    layer: int | None = None,
    head: int | None = None,
) -> Importance:
    """One importance map of one series."""
    settings = {} if method != "attention" else {"layer": layer, "head": head}
    return importance.explain(model, series_set.series[index], method, target_class, **settings)


@st.cache_data(max_entries=128, hash_funcs=HASHES, show_spinner="Removing what the map marks, and random blocks …")
def deletion_test(
    model: TrainedModel, series_set: SeriesSet, index: int, values: np.ndarray, target_class: int, filler: str
) -> faithfulness.DeletionTest:
    """Does removing what the map marks change the prediction more than removing random blocks?"""
    return faithfulness.deletion_test(model, series_set.series[index], values, target_class, filler=filler)


def truth(series_set: SeriesSet, index: int) -> BoolArray | None:
    """The instance labels of a series, where the set has any and they mark something."""
    if series_set.instance_labels is None or not series_set.instance_labels[index].any():
        return None
    return series_set.instance_labels[index]


@st.cache_resource(max_entries=4, hash_funcs=HASHES, show_spinner=False)
def untrained(model: TrainedModel) -> TrainedModel:
    """The same architecture with new random weights: the control beside every score."""
    return scores.untrained_copy(model, seed=0)


@st.cache_data(max_entries=16, hash_funcs=HASHES, show_spinner="The mean map of each class …")
def class_mean_attention(
    model: TrainedModel, series_set: SeriesSet, layer: int | None
) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """The mean attention of each class over relative time, on the test series where there are any."""
    indices = series_set.indices("test")
    chosen = series_set.subset(indices) if len(indices) else series_set
    return class_means.class_mean_attention(model, chosen, layer=layer)


@st.cache_data(max_entries=8, hash_funcs=HASHES, show_spinner=False)
def learned_wavelets(model: TrainedModel) -> tuple[wavelets.LayerWavelets, ...]:
    """Every kernel of the model."""
    return wavelets.learned_wavelets(model)


@st.cache_data(max_entries=32, hash_funcs=HASHES, show_spinner=False)
def encoding_of_series(model: TrainedModel, series_set: SeriesSet, index: int) -> tuple[wavelets.EncodedLayer, ...]:
    """What the positional encoding adds for one series, layer by layer."""
    return wavelets.encoding_of_series(model, series_set.series[index])


@st.cache_data(max_entries=64, hash_funcs=HASHES, show_spinner=False)
def pair(model: TrainedModel, series_set: SeriesSet, target: int) -> tuple[int, int]:
    """The paper's pair: one positive and one negative series."""
    return boundary.paper_pair(series_set, model, target)
