import dataclasses

import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.explain.evaluation.held_out import series_to_choose_on, spread_over, spread_over_classes
from timemil_core.training.config import TrainingConfig
from timemil_core.training.run_data import split_and_prepare


@pytest.fixture
def trained():
    """A model that says it was trained on the small set, and the split by which it was."""
    series_set = build_set(30)
    training = TrainingConfig(validation_share=0.3, seed=2)
    data = split_and_prepare(series_set, training)
    facts = {"training": training.to_json(), "fingerprint": series_set.fingerprint}
    model = dataclasses.replace(build_model(), preparation=data.preparation, facts=facts)
    return model, series_set, data


def test_validation_series_where_the_model_has_them(trained):
    model, series_set, data = trained
    indices, part = series_to_choose_on(model, series_set)
    assert part == "validation" and indices.tolist() == data.validation.tolist() and len(indices) > 0
    assert not set(indices) & (set(data.fit) | set(data.test))


def test_training_series_where_the_split_is_not_the_model_s(trained):
    model, series_set, _ = trained
    other = dataclasses.replace(model, facts={**model.facts, "training": TrainingConfig(seed=3).to_json()})
    assert series_to_choose_on(other, series_set).part == "training"
    assert series_to_choose_on(build_model(), series_set).indices.tolist() == list(range(15))


def test_all_series_of_a_set_without_a_training_part():
    indices, part = series_to_choose_on(build_model(), build_set().part("test"))
    assert part == "given" and len(indices) == 6


def test_spread():
    assert spread_over(np.array([3, 5, 7, 9, 11]), 3).tolist() == [3, 7, 11]
    assert spread_over(np.array([3, 5]), 9).tolist() == [3, 5]
    assert spread_over(np.array([], dtype=int), 9).tolist() == []


def test_spread_over_classes():
    indices, labels = np.arange(10, 20), np.array([0, 0, 0, 0, 0, 0, 0, 1, 2, 2])
    assert spread_over_classes(indices, labels, 3).tolist() == [10, 17, 18]
    assert spread_over_classes(indices, labels, 6).tolist() == [10, 13, 16, 17, 18, 19]
    assert spread_over_classes(indices, labels, 99).tolist() == indices.tolist()
    assert spread_over_classes(indices, labels, 2).tolist() == [10, 18]  # the first and the last class
    assert spread_over_classes(indices, np.full(10, -1), 3).tolist() == spread_over(indices, 3).tolist()
    assert spread_over_classes(indices[:0], labels[:0], 3).tolist() == []
