import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_series
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import explain
from timemil_core.models.config import POOLING_NAMES

CONFIGS = [
    *({"pooling": name} for name in POOLING_NAMES),
    *({"pooling": name, "positional_encoding": "none"} for name in ("mean", "conjunctive")),
    {"n_layers": 1},
    {"value_convolution": "all"},
    {"value_convolution": "all", "class_token_row_only": False},
    {"attention": "nystrom", "class_token_row_only": False},
    {"final_normalisation": False, "classifier": "linear"},
]


@pytest.mark.parametrize("changes", CONFIGS)
def test_values_and_parts_sum_to_the_logit(changes):
    model, series = build_model(**changes), build_series()
    logits = examine(model, series).logits
    for target in range(3):
        importance = explain(model, series, "contribution", target)
        assert importance.total == pytest.approx(logits[target], abs=1e-4)
        assert importance.values.sum() + sum(importance.parts.values()) == pytest.approx(logits[target], abs=1e-4)


@pytest.mark.parametrize("changes", CONFIGS)
def test_the_parts_of_a_bag_are_the_model_s_own_bag(changes):
    model = build_model(**changes)
    instances = torch.from_numpy(examine(model, build_series()).instances)[None]
    with torch.no_grad():
        bag, _ = model.network.pooling(instances, None)
        torch.testing.assert_close(model.network.pooling.parts(instances).bag, bag[0], atol=1e-4, rtol=1e-3)


def test_a_linear_head_leaves_only_its_bias_over():
    model = build_model(final_normalisation=False, classifier="linear")
    importance = explain(model, build_series(), "contribution", 1)
    bias = float(model.network.classifier.bias[1].detach())
    assert importance.parts["the head beyond its slope"] == pytest.approx(bias, abs=1e-4)


def test_conjunctive_pooling_contributes_weight_times_instance_logit():
    model, series = build_model(pooling="conjunctive"), build_series()
    instances = torch.from_numpy(examine(model, series).instances)[None]
    with torch.no_grad():
        _, evidence = model.network.pooling.instance_logits(instances)
    importance = explain(model, series, "contribution", 2)
    np.testing.assert_allclose(importance.values, evidence[0, :, 2].numpy() / 40, atol=1e-6)
    assert importance.parts["the head beyond its slope"] == pytest.approx(0, abs=1e-4)


def test_max_pooling_credits_only_instances_that_hold_a_maximum():
    model, series = build_model(pooling="max"), build_series()
    held = explain(model, series, "pooling").values > 0
    values = explain(model, series, "contribution", 0).values
    assert np.all(values[~held] == 0) and np.any(values[held] != 0)


def test_a_contrast_is_the_difference():
    model, series = build_model(), build_series()
    first, second = (explain(model, series, "contribution", target).values for target in (0, 1))
    np.testing.assert_allclose(explain(model, series, "contribution", 0, against=1).values, first - second, atol=1e-5)
