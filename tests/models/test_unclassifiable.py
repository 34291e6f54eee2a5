"""What cannot be classified is called no class, and the others are classified all the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_series, build_set
from timemil_core.data.series_set import UNKNOWN_LABEL, FloatArray
from timemil_core.errors import DataError, ModelError
from timemil_core.explain.class_means import class_mean_attention
from timemil_core.explain.evaluation.worth import map_worth
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import explain, methods_for
from timemil_core.explain.labels import labels_for
from timemil_core.models.trained import TrainedModel


def with_value(value: float) -> FloatArray:
    series = build_series()
    series[1, 7] = value
    return series


MISSING = np.full((2, 40), np.nan, dtype=np.float32)
WRONG = {
    "nothing to classify": MISSING,
    r"'channel 1' is 1e\+19 at time point 7": with_value(1e19),
    r"'channel 1' is -3e\+38 at time point 7": with_value(-3e38),
}


@pytest.fixture(scope="module")
def model() -> TrainedModel:
    return build_model()


@pytest.mark.parametrize("message", WRONG)
def test_no_class_is_called(model: TrainedModel, message: str) -> None:
    good, wrong = build_series(seed=3), WRONG[message]
    with pytest.raises(DataError, match=f"series 'b'.*{message}"):
        model.predict([good, wrong], ["a", "b"])
    with pytest.raises(DataError, match=f"series '1'.*{message}"):
        model.predict([good, wrong])
    with pytest.raises(DataError, match=f"series 'b'.*{message}"):
        examine(model, wrong, name="b")


@pytest.mark.parametrize("message", WRONG)
@pytest.mark.parametrize("method", [method.key for method in methods_for(build_model())])
def test_nothing_is_explained(model: TrainedModel, message: str, method: str) -> None:
    with pytest.raises(DataError, match=f"series 'b'.*{message}"):
        explain(model, WRONG[message], method, 1, name="b")


def test_the_others_are_classified_as_ever(model: TrainedModel) -> None:
    good = [build_series(seed=seed, n_timepoints=20 + seed) for seed in range(3)]
    mixed = model.predict_each([good[0], MISSING, good[1], with_value(1e30), good[2]])
    expected = model.predict(good)
    assert sorted(mixed.problems) == [1, 3]
    assert mixed.labels[[0, 2, 4]].tolist() == expected.labels.tolist()
    np.testing.assert_allclose(mixed.logits[[0, 2, 4]], expected.logits, atol=1e-5)
    assert mixed.labels[[1, 3]].tolist() == [UNKNOWN_LABEL] * 2
    assert np.isnan(mixed.probabilities[[1, 3]]).all()
    assert not np.isnan(mixed.probabilities[[0, 2, 4]]).any()


def test_an_infinite_value_is_a_missing_one(model: TrainedModel) -> None:
    expected = model.predict([with_value(np.nan)])
    assert np.array_equal(model.predict([with_value(np.inf)]).logits, expected.logits)


def test_weights_that_are_no_numbers_are_blamed_themselves() -> None:
    model = build_model(seed=4)
    next(model.network.classifier.parameters()).data.fill_(torch.nan)
    with pytest.raises(ModelError, match="weights of the model"):
        model.predict([build_series()])


def test_a_set_is_measured_without_what_cannot_be_classified(model: TrainedModel) -> None:
    whole = build_set()
    series = (*whole.series[:6], np.full_like(whole.series[6], np.nan), *whole.series[7:])
    with_gap = replace(whole, series=series)
    without = whole.subset([index for index in range(len(whole)) if index != 6])
    assert labels_for(model, with_gap)[6] == UNKNOWN_LABEL
    settings: dict[str, Any] = {"by": "predicted"}
    means, expected = (class_mean_attention(model, one, **settings) for one in (with_gap, without))
    assert means.keys() == expected.keys()
    for name in means:
        np.testing.assert_allclose(means[name], expected[name])
    assert map_worth(model, with_gap, "attention") == map_worth(model, without, "attention")
