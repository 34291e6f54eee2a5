import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.explain.builders import build_model, build_set
from timemil_core.errors import SettingsError
from timemil_core.explain.class_means import class_mean_attention, density
from timemil_core.explain.examination import examine


def test_density_by_hand():
    np.testing.assert_allclose(density(np.array([1.0, 3.0]), 4), [0.5, 0.5, 1.5, 1.5])
    # Three time points into two bins: the middle one is halved between them.
    np.testing.assert_allclose(density(np.array([0.2, 0.2, 0.6]), 2), [0.6, 1.4])
    np.testing.assert_allclose(density(np.full(7, 0.1), 100), 1.0)
    np.testing.assert_array_equal(density(np.zeros(7), 3), 0)


@given(st.lists(st.floats(0.01, 10), min_size=1, max_size=40), st.integers(1, 120))
def test_density_conserves_weight(weights, n_bins):
    assert density(np.array(weights), n_bins).mean() == pytest.approx(1)


def test_means_by_predicted_class_equal_one_series_at_a_time():
    model, series_set = build_model(), build_set()
    means = class_mean_attention(model, series_set, layer=0, n_bins=10)
    examinations = [examine(model, series) for series in series_set.series]
    for label, name in enumerate(model.class_names):
        own = [density(e.class_token_rows[0].mean(axis=0)[1:], 10) for e in examinations if e.predicted == label]
        assert (name in means) == bool(own)
        if own:
            np.testing.assert_allclose(means[name][0], np.mean(own, axis=0), atol=1e-4)


def test_means_by_true_class_leave_unknown_labels_out():
    series_set = build_set()
    labels = series_set.labels.copy()
    labels[labels == 2] = -1
    means = class_mean_attention(build_model(), dataclasses.replace(series_set, labels=labels), by="true", n_bins=5)
    assert list(means) == ["class 0", "class 1"]
    mean, low, high = means["class 0"]
    assert mean.shape == low.shape == high.shape == (5,)
    assert np.all(low <= mean) and np.all(mean <= high)


def test_classes_are_matched_by_name_not_by_place():
    series_set = build_set()
    renamed = dataclasses.replace(series_set, class_names=("class 2", "class 1", "class 0"))
    model = build_model()
    straight = class_mean_attention(model, series_set, by="true", n_bins=5)
    turned = class_mean_attention(model, renamed, by="true", n_bins=5)
    np.testing.assert_allclose(straight["class 0"][0], turned["class 2"][0])


def test_mean_pooling_is_one_everywhere():
    means = class_mean_attention(build_model(pooling="mean"), build_set(), n_bins=8, by="true")
    assert len(means) == 3
    for mean, low, high in means.values():
        np.testing.assert_allclose([mean, low, high], 1.0, rtol=1e-5)


def test_at_most_so_many_series_evenly_over_the_set():
    # series 0, 6 and 11 of 12, of classes 0, 0 and 2
    assert list(class_mean_attention(build_model(), build_set(), max_series=3, by="true")) == ["class 0", "class 2"]


def test_an_unknown_layer_is_refused():
    with pytest.raises(SettingsError, match="no layer 5"):
        class_mean_attention(build_model(), build_set(), layer=5)
