import dataclasses

import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.errors import SettingsError
from timemil_core.explain.sanity.by_class import ClassScores, scores_by_class, series_of_classes


def of(merit: list[list[float]]) -> ClassScores:
    values = np.array(merit)
    return ClassScores(("a", "b"), ("x", "y"), np.array([1, 1]), values, np.full(values.shape, np.nan), "training")


def test_each_class_is_measured_on_its_own_training_series() -> None:
    found = scores_by_class(build_model(), build_set(), n_series=3)
    assert found.classes == ("class 0", "class 1", "class 2")
    assert found.n_series.tolist() == [1, 1, 1]
    assert found.part == "training"
    assert found.merit.shape == (len(found.methods), 3)
    assert np.isfinite(found.merit).all()
    assert np.isnan(found.auroc).all()  # nothing is known to be true
    assert "Pooling weights" not in found.methods


def test_truth_is_scored_where_it_is_known() -> None:
    series_set = build_set(6)
    truth = tuple(np.arange(series.shape[1]) < (5 if index else 0) for index, series in enumerate(series_set.series))
    found = scores_by_class(build_model(), dataclasses.replace(series_set, instance_labels=truth), n_series=3)
    assert np.isnan(found.auroc[:, 0]).all()  # of the first series no time point is marked
    assert ((found.auroc[:, 1:] >= 0) & (found.auroc[:, 1:] <= 1)).all()


def test_series_are_spread_over_the_classes_that_are_there() -> None:
    model, series_set = build_model(), build_set()
    chosen = series_of_classes(model, series_set, np.array([0, 1, 3, 4, 6, 9]), 4)
    assert {label: indices.tolist() for label, indices in chosen.items()} == {0: [0, 9], 1: [1, 4]}


def test_the_sentence_tells_whether_one_method_is_best_everywhere() -> None:
    assert of([[0.3, 0.2], [0.1, 0.1]]).sentence == "a measures best for every class."
    told = of([[0.3, 0.1], [0.1, 0.2]]).sentence
    assert told == "The best method depends on the class: a for class x, b for class y."
    assert of([[0.3, -0.1], [0.1, 0.0]]).best == ("a", "")
    assert "no class" in of([[-0.3, 0.0], [-0.1, 0.0]]).sentence


def test_without_a_known_class_there_is_nothing_to_measure() -> None:
    series_set = dataclasses.replace(build_set(), class_names=("p", "q", "r"))
    with pytest.raises(SettingsError, match="no series of a known class"):
        scores_by_class(build_model(), series_set)
