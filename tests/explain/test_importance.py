import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_series
from timemil_core.errors import ModelError, SettingsError
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import METHODS, explain, methods_for


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_timepoints", [1, 2, 7, 40])
def test_every_method_keeps_its_contract(method, n_timepoints):
    model, series = build_model(), build_series(n_timepoints=n_timepoints)
    importance = explain(model, series, method)
    assert importance.values.shape == (n_timepoints,)
    assert np.isfinite(importance.values).all()
    assert importance.signed == METHODS[method].signed
    assert importance.class_specific == METHODS[method].class_specific
    assert (importance.target_class is not None) == importance.class_specific
    assert (importance.per_channel is not None) == METHODS[method].per_channel
    if importance.per_channel is not None:
        assert importance.per_channel.shape == (2, n_timepoints)
    if not importance.signed:
        assert importance.values.min() >= 0
    assert importance.name and importance.reference and importance.note.endswith(".")


@pytest.mark.parametrize("layer", [0, 1, -1, None])
@pytest.mark.parametrize("head", [0, 1, None])
def test_attention_is_the_row_that_the_model_used_and_sums_to_one_with_the_class_token(layer, head):
    model, series = build_model(), build_series()
    importance = explain(model, series, layer=layer, head=head)
    rows = examine(model, series).class_token_rows[-1 if layer is None else layer]
    row = rows.mean(axis=0) if head is None else rows[head]
    np.testing.assert_allclose(importance.values, row[1:], atol=1e-6)
    assert importance.values.sum() + importance.class_token_mass == pytest.approx(1, abs=1e-5)


def test_rollout_of_two_layers_is_the_product_of_the_mixed_maps():
    model, series = build_model(value_convolution="none"), build_series(n_timepoints=9)
    examination = examine(model, series)
    layers = model.network.pooling.layers
    importance = explain(model, series, "rollout", examination=examination)
    assert importance.values.sum() + importance.class_token_mass == pytest.approx(1, abs=1e-5)
    with torch.inference_mode():
        tokens = torch.cat([layers.class_token[None, None], torch.from_numpy(examination.instances)[None]], dim=1)
        maps = []
        for layer in layers.layers:
            entered = layer.normalisation(layer.encoded(tokens, None))
            query, key, _ = layer.attention.to_query_key_value(entered).view(1, 10, 3, 2, 4).permute(2, 0, 3, 1, 4)
            maps.append((query @ key.transpose(-1, -2) / 2).softmax(dim=-1).mean(dim=1)[0])
            tokens = layer(tokens, None)
    mixed = [0.5 * attention_map + 0.5 * torch.eye(10) for attention_map in maps]
    expected = (mixed[1] @ mixed[0])[0].numpy()
    np.testing.assert_allclose(importance.values, expected[1:], atol=1e-5)


def test_mean_pooling_is_flat():
    importance = explain(build_model(pooling="mean"), build_series(), "pooling")
    np.testing.assert_allclose(importance.values, 1 / 40)
    assert importance.class_token_mass is None


def test_a_nystrom_row_is_named_as_such():
    model = build_model(attention="nystrom")
    assert "Nyström" in explain(model, build_series(), layer=0).note
    assert "Nyström" not in explain(model, build_series(), layer=1).note


def test_occlusion_explains_the_class_that_is_asked_for():
    model, series = build_model(), build_series()
    maps = [explain(model, series, "occlusion", target).values for target in range(3)]
    assert not np.allclose(maps[0], maps[1])
    predicted = examine(model, series).predicted
    assert explain(model, series, "occlusion").target_class == predicted


def test_methods_that_need_a_class_token_refuse_other_poolings():
    model = build_model(pooling="max")
    keys = [method.key for method in methods_for(model)]
    assert set(METHODS) - set(keys) == {"attention", "rollout", "attention-gradient"}
    assert "channel-occlusion" not in [method.key for method in methods_for(build_model(n_channels=1))]
    with pytest.raises(ModelError, match="no class token"):
        explain(model, build_series(), "attention")


@pytest.mark.parametrize(
    "method, settings, said",
    [
        ("saliency", {}, "no importance method 'saliency'"),
        ("attention", {"layer": 2}, "no layer 2"),
        ("attention", {"head": -3}, "no head -3"),
        ("attention", {"window": 3}, "has no setting window"),
        ("occlusion", {"window": 41}, "window of 41"),
        ("occlusion", {"filler": "zero"}, "no filler 'zero'"),
        ("occlusion", {"target_class": 3}, "no class 3"),
        ("attention", {"against": 1}, "knows no class"),
        ("occlusion", {"target_class": 1, "against": 1}, "with itself"),
        ("channel-occlusion", {"filler": "masked out"}, "single channel cannot be masked"),
        ("random-masking", {"n_masks": 1}, "1 masks"),
        ("ablation", {"baseline": "black"}, "no baseline 'black'"),
    ],
)
def test_refuses_what_cannot_be_meant(method, settings, said):
    with pytest.raises(SettingsError, match=said):
        explain(build_model(), build_series(), method, **settings)


@pytest.mark.parametrize("pooling", ["mean", "max", "attention", "conjunctive"])
def test_every_method_that_applies_works_with_every_pooling(pooling):
    model = build_model(pooling=pooling)
    for method in methods_for(model):
        importance = explain(model, build_series(), method.key)
        assert np.isfinite(importance.values).all() and importance.values.shape == (40,)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_question_gets_the_same_answer(method):
    model, series = build_model(), build_series()
    np.testing.assert_array_equal(explain(model, series, method).values, explain(model, series, method).values)


def test_a_map_of_a_series_with_gaps_says_so():
    series = build_series()
    series[0, 3:5] = np.nan
    assert "2 values are missing" in explain(build_model(), series, "occlusion").note
    assert "missing" not in explain(build_model(), build_series(), "occlusion").note
