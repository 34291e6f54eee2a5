import numpy as np
import pytest

from benchmarks.faithfulness import found_for
from tests.explain.builders import build_model, build_set


def test_means_over_all_and_over_each_predicted_class():
    model, series_set = build_model(), build_set(6)
    found = found_for(model, series_set, "occlusion", "noise")
    predicted = model.predict(series_set.series).labels
    assert found["all"]["series"] == 6
    assert set(found["classes"]) == {model.class_names[label] for label in predicted}
    shares = [one["series"] for one in found["classes"].values()]
    means = [one["deletion"] for one in found["classes"].values()]
    assert np.average(means, weights=shares) == pytest.approx(found["all"]["deletion"])


def test_a_random_map_is_about_as_good_at_one_place_as_at_another():
    found = found_for(build_model(), build_set(12), "random", "noise")
    assert found["all"]["deletion beats"] <= 0.2 and found["all"]["insertion beats"] <= 0.2  # of 120 maps; due: 0.095
