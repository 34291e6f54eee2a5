import math

import numpy as np
import pytest
import torch
from scipy.signal import convolve

from tests.explain.builders import build_model, build_series
from timemil_core.explain.examination import examine
from timemil_core.explain.wavelets import (
    encoding_of_series,
    frequency_response,
    learned_wavelets,
    pass_band,
    peak_frequency,
)


def hat(scale, size=201, shift=0.0):
    positions = (np.arange(size) - size // 2 - shift) / scale
    return 2 / (math.sqrt(3) * math.pi**0.25) * (1 - positions**2) * np.exp(-(positions**2) / 2) / math.sqrt(scale)


def test_learned_kernels_are_mexican_hats_of_the_learned_scales_and_shifts():
    model = build_model()
    layers = learned_wavelets(model)
    assert [layer.layer for layer in layers] == [0, 1]
    first = layers[0]
    assert first.scales.shape == first.shifts.shape == (3, 8)
    assert first.kernels.shape == first.initial_kernels.shape == (3, 8, 19)
    np.testing.assert_array_equal(first.positions, np.arange(-9, 10))
    np.testing.assert_allclose(first.kernels[1, 4], hat(first.scales[1, 4], 19, first.shifts[1, 4]), atol=1e-5)


def test_initial_kernels_stay_when_the_learned_ones_move():
    model = build_model()
    before = learned_wavelets(model)[1]
    np.testing.assert_allclose(before.kernels, before.initial_kernels, atol=1e-5)
    with torch.no_grad():
        model.timemil.pooling.layers.layers[1].encoding.wavelets.shifts += 1
    after = learned_wavelets(model)[1]
    np.testing.assert_array_equal(after.initial_kernels, before.initial_kernels)
    np.testing.assert_allclose(after.shifts, before.shifts + 1, atol=1e-5)
    assert not np.allclose(after.kernels, before.kernels)


@pytest.mark.parametrize("pooling, n_layers", [("mean", 1), ("conjunctive", 1), ("time-aware", 2)])
def test_every_pooling_shows_its_wavelets(pooling, n_layers):
    model = build_model(pooling=pooling)
    assert len(learned_wavelets(model)) == n_layers
    assert len(encoding_of_series(model, build_series())) == n_layers


@pytest.mark.parametrize("encoding", ["none", "sinusoidal"])
def test_other_encodings_have_no_wavelets(encoding):
    assert learned_wavelets(build_model(positional_encoding=encoding)) == ()


def test_added_is_the_sum_of_three_convolutions():
    model, series = build_model(), build_series()
    wavelets, encoded = learned_wavelets(model), encoding_of_series(model, series)
    np.testing.assert_allclose(encoded[0].before, examine(model, series).instances, atol=1e-6)
    for layer, kernels in zip(encoded, (layer.kernels for layer in wavelets), strict=True):
        for feature in range(8):
            # conv1d slides without flipping; scipy flips: so does this, back
            one_by_one = [
                convolve(layer.before[:, feature], kernels[wavelet, feature, ::-1], mode="same") for wavelet in range(3)
            ]
            np.testing.assert_allclose(layer.added[:, feature], np.sum(one_by_one, axis=0), atol=1e-4)


def test_what_enters_the_second_layer_is_what_left_the_first():
    model, series = build_model(n_layers=2), build_series()
    encoded = encoding_of_series(model, series)
    with torch.inference_mode():
        layers = model.timemil.pooling.layers
        tokens = torch.cat([layers.class_token[None, None], torch.from_numpy(encoded[0].before)[None]], dim=1)
        left = layers.layers[0](tokens, None)[0, 1:].numpy()
    np.testing.assert_allclose(encoded[1].before, left, atol=1e-5)


@pytest.mark.parametrize("scale", [1.0, 2.0, 5.0])
@pytest.mark.parametrize("sampling_rate", [None, 100.0])
def test_a_mexican_hat_peaks_where_theory_has_it(scale, sampling_rate):
    expected = math.sqrt(2) / (2 * math.pi * scale) * (sampling_rate or 1)
    assert peak_frequency(hat(scale), sampling_rate) == pytest.approx(expected, rel=0.01)


def test_pass_band_is_where_the_power_halves():
    # |ψ̂(ω)| = c ω² exp(−ω²/2) at scale 1: find by hand where it is 1/√2 of its peak at ω = √2.
    omega = np.linspace(0, 5, 500_001)
    power = (omega**2 * np.exp(-(omega**2) / 2)) ** 2
    inside = omega[power >= power.max() / 2] / (2 * math.pi)
    low, high = pass_band(hat(2.0))
    assert low == pytest.approx(inside[0] / 2, rel=0.01)
    assert high == pytest.approx(inside[-1] / 2, rel=0.01)


def test_frequency_response_by_hand():
    frequencies, magnitude = frequency_response(np.array([1.0, -1.0]), 8.0, n=5)
    np.testing.assert_allclose(frequencies, [0, 1, 2, 3, 4])
    np.testing.assert_allclose(magnitude, 2 * np.sin(np.pi * frequencies / 8), atol=1e-12)
    # more taps than the transform is long
    taps = np.random.default_rng(0).normal(size=19)
    np.testing.assert_allclose(frequency_response(taps, n=5)[1], frequency_response(taps, n=129)[1][::32], atol=1e-9)


def test_many_kernels_at_once():
    kernels = np.stack([[hat(1.0), hat(2.0)], [hat(3.0), hat(5.0)]])
    assert frequency_response(kernels, n=64)[1].shape == (2, 2, 64)
    peaks = peak_frequency(kernels)
    low, high = pass_band(kernels)
    assert peaks.shape == low.shape == high.shape == (2, 2)
    assert np.all(low < peaks) and np.all(peaks < high)
    assert peaks[1, 1] == peak_frequency(kernels[1, 1])
