"""Attributions of a linear model, worked out by hand."""

import numpy as np
import pytest

from tests.explain.methods.linear import linear_model
from timemil_core.explain.importance import explain

# Two channels, four time points, two classes.
SERIES = np.array([[1.0, 2.0, 3.0, 6.0], [0.0, 4.0, -4.0, 8.0]], dtype=np.float32)
WEIGHTS = np.array([[[1, 0, 2, -1], [0, 1, 1, 0.5]], [[0, 1, 0, 0], [1, 0, 0, 1]]], dtype=np.float64)
BIAS = np.array([10.0, -3.0])
MODEL = linear_model(WEIGHTS, BIAS)
# Of class A with everything compared with 0: weight · value.
FROM_ZERO = np.array([[1, 0, 6, -6], [0, 4, -4, 4]])
# With each channel's mean (3 and 2) in the place of 0: weight · (value − mean).
FROM_MEAN = np.array([[-2, 0, 0, -3], [0, 2, -6, 3]])


@pytest.mark.parametrize("method", ["gradient-input", "integrated-gradients"])
@pytest.mark.parametrize("baseline, expected", [("training mean", FROM_ZERO), ("series mean", FROM_MEAN)])
def test_gradients(method, baseline, expected):
    importance = explain(MODEL, SERIES, method, 0, baseline=baseline, smoothing=1)
    np.testing.assert_allclose(importance.per_channel, expected, atol=1e-5)
    np.testing.assert_allclose(importance.values, expected.sum(axis=0), atol=1e-5)


def test_integrated_gradients_and_its_parts_sum_to_the_logit():
    importance = explain(MODEL, SERIES, "integrated-gradients", 0, baseline="series mean")
    # Logit of the means: 3 · (1 + 0 + 2 − 1) + 2 · 2.5 + 10 = 21; of the series 1 + 6 − 6 + 4 + 10 = 15.
    assert importance.parts["baseline"] == pytest.approx(21, abs=1e-4)
    assert importance.parts["integration error"] == pytest.approx(0, abs=1e-4)
    assert importance.total == pytest.approx(15, abs=1e-4)
    assert importance.values.sum() == pytest.approx(-6, abs=1e-4)


def test_smoothing_spreads_and_keeps_the_sum():
    raw = np.array([-2.0, 2.0, -6.0, 0.0])  # FROM_MEAN, summed over channels
    importance = explain(MODEL, SERIES, "gradient-input", 0, smoothing=3)
    # The first and the last value spread over two points, the others over three.
    expected = [-1 + 2 / 3, -1 + 2 / 3 - 2, 2 / 3 - 2 + 0, -2 + 0]
    np.testing.assert_allclose(importance.values, expected, atol=1e-5)
    assert importance.values.sum() == pytest.approx(raw.sum(), abs=1e-5)


def test_ablation_of_single_values_and_of_windows():
    single = explain(MODEL, SERIES, "ablation", 0, window=1, baseline="training mean")
    np.testing.assert_allclose(single.per_channel, FROM_ZERO, atol=1e-5)
    wide = explain(MODEL, SERIES, "ablation", 0, window=3, baseline="training mean")
    np.testing.assert_allclose(wide.per_channel, [[7, 7, 7, -6], [0, 0, 0, 4]], atol=1e-5)
    np.testing.assert_allclose(wide.values, [7, 7, 7, -2], atol=1e-5)


def test_occlusion_by_channel_replaces_one_channel_at_a_time():
    importance = explain(MODEL, SERIES, "channel-occlusion", 0, window=1, filler="interpolation")
    # Replaced by the neighbours' mean, at the ends by the neighbour: weight · (value − that).
    by_hand = [[1 * (1 - 2), 0, 2 * (3 - 4), -1 * (6 - 3)], [0, 1 * (4 + 2), 1 * (-4 - 6), 0.5 * (8 + 4)]]
    np.testing.assert_allclose(importance.per_channel, by_hand, atol=1e-5)
    whole = explain(MODEL, SERIES, "occlusion", 0, window=1, filler="interpolation")
    # A linear model adds up: all channels at once fall by the sum of each alone.
    np.testing.assert_allclose(whole.values, importance.values, atol=1e-5)
    assert whole.per_channel is None


def test_random_masking_finds_each_block_s_share_of_a_linear_model():
    model = linear_model(np.array([[[1.0, 1.0, 1.0, 1.0]], [[0, 0, 0, 0]]]))
    series = np.array([[6.0, 6.0, -2.0, -2.0]], dtype=np.float32)
    importance = explain(model, series, "random-masking", 0, window=1, n_masks=2000, filler="noise", seed=3)
    noise = np.random.default_rng(3).standard_normal((1, 4))[0]
    np.testing.assert_allclose(importance.values, series[0] - noise, atol=0.5)


@pytest.mark.parametrize(
    "method, settings",
    [
        ("gradient-input", {}),
        ("integrated-gradients", {}),
        ("occlusion", {}),
        ("channel-occlusion", {}),
        ("ablation", {}),
        ("random-masking", {"n_masks": 6}),
    ],
)
def test_a_contrast_is_the_difference_of_two_maps(method, settings):
    of_a, of_b = (explain(MODEL, SERIES, method, target, **settings).values for target in (0, 1))
    contrast = explain(MODEL, SERIES, method, 1, against=0, **settings)
    np.testing.assert_allclose(contrast.values, of_b - of_a, atol=1e-4)
    assert (contrast.target_class, contrast.against_class) == (1, 0)
    assert "'B' and not 'A'" in contrast.name
