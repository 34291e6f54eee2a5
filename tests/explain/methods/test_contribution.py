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
def test_the_sum_is_complete_without_a_rest(changes):
    # Biases are worked out by their own slopes: that all sums to the logit is no matter of definition.
    model, series = build_model(**changes), build_series()
    for target in range(3):
        assert "the head beyond its slope" not in explain(model, series, "contribution", target).parts


def test_a_head_behind_a_layer_norm_by_hand():
    # Mean pooling, so an instance adds h_t / T; LayerNorm with its deviation held; then one linear layer.
    model = build_model(pooling="mean", positional_encoding="none", classifier="linear")
    network = model.network
    with torch.no_grad():
        network.normalisation.weight.uniform_(0.5, 2)
        network.normalisation.bias.uniform_(-1, 1)
    instances = examine(model, build_series()).instances.astype(np.float64)
    weight, bias, gamma, beta = (
        one.detach().double().numpy()
        for one in (
            network.classifier.weight, network.classifier.bias, network.normalisation.weight, network.normalisation.bias
        )
    )  # fmt: skip
    deviation = np.sqrt(instances.mean(axis=0).var() + network.normalisation.eps)
    centred = instances - instances.mean(axis=1, keepdims=True)
    importance = explain(model, build_series(), "contribution", 2)
    np.testing.assert_allclose(importance.values, centred / deviation * gamma @ weight[2] / 40, atol=1e-5)
    assert importance.parts["the head's biases"] == pytest.approx(beta @ weight[2] + bias[2], abs=1e-5)


def test_a_linear_head_leaves_only_its_bias_over():
    model = build_model(final_normalisation=False, classifier="linear")
    importance = explain(model, build_series(), "contribution", 1)
    bias = float(model.network.classifier.bias[1].detach())
    assert importance.parts == {**importance.parts, "the head's biases": pytest.approx(bias, abs=1e-4)}


def test_conjunctive_pooling_contributes_weight_times_instance_logit():
    model, series = build_model(pooling="conjunctive"), build_series()
    instances = torch.from_numpy(examine(model, series).instances)[None]
    with torch.no_grad():
        _, evidence = model.timemil.pooling.instance_logits(instances)
    importance = explain(model, series, "contribution", 2)
    np.testing.assert_allclose(importance.values, evidence[0, :, 2].numpy() / 40, atol=1e-6)
    assert importance.parts == {}


def test_max_pooling_credits_only_instances_that_hold_a_maximum():
    model, series = build_model(pooling="max"), build_series()
    held = explain(model, series, "pooling").values > 0
    values = explain(model, series, "contribution", 0).values
    assert np.all(values[~held] == 0) and np.any(values[held] != 0)


def test_a_contrast_is_the_difference():
    model, series = build_model(), build_series()
    first, second = (explain(model, series, "contribution", target).values for target in (0, 1))
    np.testing.assert_allclose(explain(model, series, "contribution", 0, against=1).values, first - second, atol=1e-5)


def test_the_note_names_what_the_rest_comes_from_or_says_that_there_is_none():
    note = explain(build_model(), build_series(), "contribution", 0).note
    assert "the rest comes from the class token before the layer, " in note
    alone = explain(build_model(pooling="conjunctive"), build_series(), "contribution", 0)
    assert not alone.parts
    assert alone.note.startswith(
        f"What each instance adds to the logit of class 'class 0' ({alone.total:.3g}) and nothing"
    )
