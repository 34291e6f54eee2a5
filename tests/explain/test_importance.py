import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_series, keys_for
from tests.explain.methods.linear import linear_model
from timemil_core.errors import ModelError, SettingsError
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import METHODS, explain, methods_for


@pytest.mark.parametrize("method", keys_for())
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
    layers = model.timemil.pooling.layers
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
    assert set(keys_for()) - set(keys) == {"attention", "rollout", "attention-gradient"}
    assert "channel-occlusion" not in [method.key for method in methods_for(build_model(n_channels=1))]
    with pytest.raises(ModelError, match=r"no class token, which Attention rollout needs.*pooling, contribution"):
        explain(model, build_series(), "rollout")
    with pytest.raises(ModelError, match="no second channel"):
        explain(build_model(n_channels=1), build_series(n_channels=1), "channel-occlusion")


def test_methods_ask_for_abilities_and_a_model_without_instances_has_those_of_its_logits():
    model = linear_model(np.random.default_rng(0).normal(size=(3, 2, 40)))
    keys = [method.key for method in methods_for(model)]
    assert keys == [
        "gradient-input", "integrated-gradients", "occlusion", "channel-occlusion", "ablation", "random-masking"
    ]  # fmt: skip
    predicted = int(np.tensordot(model.network.weights.detach().numpy(), build_series(), 2).argmax())
    for key in keys:
        assert explain(model, build_series(), key).target_class == predicted
    with pytest.raises(ModelError, match="no embeddings and pooling weights"):
        explain(model, build_series(), "contribution")


@pytest.mark.parametrize(
    "method, settings, said",
    [
        ("saliency", {}, "no importance method 'saliency'"),
        ("attention", {"layer": 2}, "layer is 2. Give a whole number from -2 to 1"),
        ("attention", {"layer": "last"}, "layer is 'last'. Give a whole number from -2 to 1"),
        ("attention", {"head": -3}, "head is -3. Give a whole number from -2 to 1"),
        ("attention", {"head": 1.5}, "head is 1.5. Give a whole number from -2 to 1"),
        ("attention-gradient", {"layer": True}, "layer is True. Give a whole number from -2 to 1"),
        ("attention", {"window": 3}, "has no setting window"),
        ("occlusion", {"window": 41}, "window is 41. Give a whole number from 1 to 40"),
        ("occlusion", {"window": 2.5}, "window is 2.5. Give a whole number from 1 to 40"),
        ("ablation", {"window": 0}, "window is 0. Give a whole number from 1 to 40"),
        ("occlusion", {"filler": "zero"}, "filler is 'zero'. Choose one of noise"),
        ("occlusion", {"filler": None}, "filler is None. Choose one of noise"),
        ("occlusion", {"seed": -1}, "seed is -1. Give a whole number from 0 up"),
        ("occlusion", {"seed": None}, "seed is None. Give a whole number from 0 up"),
        ("occlusion", {"target_class": 3}, "no class 3"),
        ("attention", {"against": 1}, "knows no class"),
        ("occlusion", {"target_class": 1, "against": 1}, "with itself"),
        ("channel-occlusion", {"filler": "masked out"}, "single channel cannot be masked"),
        ("random-masking", {"n_masks": 1}, "n_masks is 1. Give a whole number from 2 to 10000"),
        ("integrated-gradients", {"n_steps": 0}, "n_steps is 0. Give a whole number from 1 to 1000"),
        ("integrated-gradients", {"n_steps": 8.0}, "n_steps is 8.0. Give a whole number from 1 to 1000"),
        ("gradient-input", {"smoothing": 4}, "smoothing is 4. Give an odd number from 1 to 40"),
        ("gradient-input", {"smoothing": float("nan")}, "smoothing is nan. Give an odd number from 1 to 40"),
        ("ablation", {"baseline": "black"}, "baseline is 'black'. Choose one of series mean"),
        ("ablation", {"baseline": ["noise"]}, "Choose one of series mean"),
    ],
)
def test_refuses_what_cannot_be_meant(method, settings, said):
    with pytest.raises(SettingsError) as refused:
        explain(build_model(), build_series(), method, **settings)
    assert said in str(refused.value)


def test_settings_may_be_numpy_s_whole_numbers():
    model, series = build_model(), build_series()
    window = explain(model, series, "occlusion", window=np.int64(7)).values
    np.testing.assert_array_equal(window, explain(model, series, "occlusion", window=7).values)
    head = explain(model, series, head=np.int32(-1))
    assert head.name == explain(model, series, head=1).name


@pytest.mark.parametrize("pooling", ["mean", "max", "attention", "conjunctive"])
def test_every_method_that_applies_works_with_every_pooling(pooling):
    model = build_model(pooling=pooling)
    for method in methods_for(model):
        importance = explain(model, build_series(), method.key)
        assert np.isfinite(importance.values).all() and importance.values.shape == (40,)


@pytest.mark.parametrize("method", keys_for())
def test_the_same_question_gets_the_same_answer(method):
    model, series = build_model(), build_series()
    np.testing.assert_array_equal(explain(model, series, method).values, explain(model, series, method).values)


def test_a_map_of_a_series_with_gaps_says_so():
    series = build_series()
    series[0, 3:5] = np.nan
    assert "2 values are missing" in explain(build_model(), series, "occlusion").note
    assert "missing" not in explain(build_model(), build_series(), "occlusion").note
