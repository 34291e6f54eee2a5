"""Imported models go through every explanation; short ones tell of their own time points and of the zeros apart."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.explain.builders import build_model, build_series, build_set, keys_for
from tests.models.authors import naive
from tests.models.authors.builders import checkpoint, state_dict
from timemil_core.explain.baseline import untrained_copy
from timemil_core.explain.boundary import embeddings, grid_over, head_regions, instance_plane
from timemil_core.explain.class_means import class_mean_attention
from timemil_core.explain.evaluation.measuring import rank_methods
from timemil_core.explain.evaluation.verdict import series_verdict
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import explain
from timemil_core.explain.imported import AROUND, weight_on_zeros
from timemil_core.explain.sanity.uniform import uniform_attention_check
from timemil_core.explain.wavelets import encoding_of_series, learned_wavelets
from timemil_core.models.authors.importing import as_model, import_network
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.trained import TrainedModel

SIZES = {"n_channels": 2, "n_classes": 3}
BEFORE = (21 - 8) // 2  # zeros before a series of 8 time points


@pytest.fixture
def model(tmp_path: Path) -> TrainedModel:
    checkpoint(tmp_path / "best_model.pth", **SIZES)
    names = tuple(f"class {index}" for index in range(3))
    return as_model(import_network(tmp_path / "best_model.pth"), class_names=names)


def normalised_tokens(series: np.ndarray) -> tuple[naive.Weights, np.ndarray]:
    """What the first layer's attention sees, ``(22, 16)`` for a short series, by the naive statement."""
    weights = naive.Weights(state_dict(**SIZES))
    features = naive.extract(weights, series.astype(float)).T
    tokens = np.concatenate([weights["cls_token"][0], features])[None]
    tokens = naive.encode(weights, "pos_layer", ("wave1", "wave2", "wave3"), tokens)
    mean, variance = tokens.mean(-1, keepdims=True), tokens.var(-1, keepdims=True)
    normal = (tokens - mean) / np.sqrt(variance + 1e-5)
    return weights, (normal * weights["layer1.norm.weight"] + weights["layer1.norm.bias"])[0]


def class_token_row(weights: naive.Weights, tokens: np.ndarray) -> np.ndarray:
    """Nyström's row of the class token over zeros, itself and instances: ``(8, 2 + 22)``."""
    x = np.pad(tokens, ((2, 0), (0, 0)))
    q, k, _ = (x @ weights["layer1.attn.to_qkv.weight"].T).reshape(24, 3, 8, 2).transpose(1, 2, 0, 3)
    q = q / np.sqrt(2)
    few_q, few_k = (one.reshape(8, 8, 3, 2).mean(axis=2) for one in (q, k))
    left, middle, right = (naive.softmax(a @ b.swapaxes(-1, -2)) for a, b in ((q, few_k), (few_q, few_k), (few_q, k)))
    return (left @ naive.inverse(middle) @ right)[:, 2]


@pytest.mark.parametrize("method", keys_for())
@pytest.mark.parametrize("n_timepoints", [8, 30])
def test_every_map_is_of_the_series_own_time_points(model: TrainedModel, method: str, n_timepoints: int) -> None:
    importance = explain(model, build_series(n_timepoints=n_timepoints), method)
    assert importance.values.shape == (n_timepoints,)
    assert np.isfinite(importance.values).all()
    assert "imported from the authors' code" in importance.note
    if importance.total is not None:
        assert importance.values.sum() + sum(importance.parts.values()) == pytest.approx(importance.total, abs=1e-3)


def test_the_attention_of_a_short_series_and_what_falls_on_zeros(model: TrainedModel) -> None:
    series = build_series(n_timepoints=8)
    row = class_token_row(*normalised_tokens(series))
    own = slice(3 + BEFORE, 3 + BEFORE + 8)
    importance = explain(model, series, "attention", layer=0)
    np.testing.assert_allclose(importance.values, row[:, own].mean(axis=0), atol=1e-4)
    assert importance.class_token_mass == pytest.approx(row[:, 2].mean(), abs=1e-4)
    on_zeros = row.sum(axis=1) - row[:, own].sum(axis=1) - row[:, 2]
    shares = weight_on_zeros(model, series)
    assert shares[0] == pytest.approx(on_zeros.mean(), abs=1e-4)
    assert f"{shares[0]:.0%} and {shares[1]:.0%} falls on them" in importance.note
    assert weight_on_zeros(build_model(), series) == ()


def test_methods_that_pool_again_pool_the_zeros_too(model: TrainedModel) -> None:
    series = build_series(n_timepoints=8)
    examination = examine(model, series)
    assert examination.instances.shape == (8, 16)
    assert examination.pooled.shape == (21, 16)
    np.testing.assert_array_equal(examination.pooled[BEFORE : BEFORE + 8], examination.instances)
    importance = explain(model, series, "contribution", 1)
    assert importance.total == pytest.approx(float(examination.logits[1]), abs=1e-4)
    assert AROUND in importance.parts
    assert AROUND not in explain(model, build_series(n_timepoints=30), "contribution", 1).parts


def test_wavelets_whose_start_is_not_known(model: TrainedModel) -> None:
    layers = learned_wavelets(model)
    assert [layer.kernels.shape for layer in layers] == [(3, 16, 19)] * 2
    for layer in layers:
        assert (layer.scales > 0).all()
        assert layer.moved is layer.initial_scales is layer.initial_kernels is None
    assert all(layer.moved is not None for layer in learned_wavelets(build_model()))


def test_what_the_encoding_adds_to_a_short_series(model: TrainedModel) -> None:
    series = build_series(n_timepoints=8)
    weights = naive.Weights(state_dict(**SIZES))
    features = naive.extract(weights, series.astype(float)).T
    tokens = np.concatenate([weights["cls_token"][0], features])[None]
    after = naive.encode(weights, "pos_layer", ("wave1", "wave2", "wave3"), tokens)[0, 1:]
    first, _ = encoding_of_series(model, series)
    own = slice(BEFORE, BEFORE + 8)
    np.testing.assert_allclose(first.before, features[own], rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(first.added, (after - features)[own], rtol=1e-3, atol=1e-3)


def test_embeddings_of_short_series_and_the_plane(model: TrainedModel) -> None:
    series_set = build_set()
    short = replace(series_set, series=tuple(one[:, :8] for one in series_set.series))
    found = embeddings(model, short, [0, 3])
    for index, instances in zip((0, 3), found, strict=True):
        np.testing.assert_allclose(instances, examine(model, short.series[index]).instances, rtol=1e-4)
    plane = instance_plane(found)
    assert np.isfinite(head_regions(model, plane, grid_over(plane, n=4), 0)).all()


def test_what_is_measured_of_ours_is_measured_of_theirs(model: TrainedModel) -> None:
    series_set = build_set()
    means = class_mean_attention(model, series_set)
    assert all(np.isfinite(curve).all() for one in means.values() for curve in one)
    check = uniform_attention_check(model, series_set)
    assert check is not None
    assert check.accuracy == pytest.approx(np.mean(model.predict(series_set.series).labels == series_set.labels))
    values = explain(model, build_series(), "attention").values
    assert 0 <= series_verdict(model, build_series(), values, 0, n_places=5).rank <= 1
    ranking = rank_methods(model, series_set, methods=["pooling", "occlusion"], n_series=1)
    assert ranking.fillers == ("noise", "local mean")  # their arithmetic cannot mask


def test_the_untrained_control_keeps_the_arithmetic(model: TrainedModel) -> None:
    network = untrained_copy(model).network
    assert isinstance(network, AuthorsTimeMIL)
    assert network.config == model.network.config
    assert untrained_copy(model).fingerprint != model.fingerprint
