"""Hats against the formula, and against a series in which the place is known."""

from __future__ import annotations

import numpy as np
import pytest

from timemil_core.explain.wavelets.bands import bands_of
from timemil_core.explain.wavelets.hats import hat_between_taps, recognisable, strongest_answer
from timemil_core.explain.wavelets.learned import LayerWavelets

POSITIONS = np.arange(-9, 10, dtype=np.float32)


def psi(positions: np.ndarray, scale: float, shift: float) -> np.ndarray:
    square = ((positions - shift) / scale) ** 2
    return 2 / (np.sqrt(3) * np.pi**0.25) * (1 - square) * np.exp(-square / 2) / np.sqrt(scale)


def layer_of(scales: np.ndarray, shifts: np.ndarray, height: float = 1.0) -> LayerWavelets:
    kernels = np.array(
        [
            [height * psi(POSITIONS, float(a), float(b)) for a, b in zip(row_a, row_b, strict=True)]
            for row_a, row_b in zip(scales, shifts, strict=True)
        ]
    )
    return LayerWavelets(0, scales, shifts, kernels, None, None, None, POSITIONS)


@pytest.mark.parametrize("height", [1.0, 0.25])
def test_the_hat_goes_through_its_taps_whatever_its_height(height: float) -> None:
    layer = layer_of(np.array([[1.5]]), np.array([[0.7]]), height)
    hat = hat_between_taps(layer, (0, 0))
    assert (hat.positions[0], hat.positions[-1]) == (-9.0, 9.0)
    np.testing.assert_allclose(np.interp(POSITIONS, hat.positions, hat.values), layer.kernels[0, 0], atol=1e-3)
    assert hat.positions[hat.values.argmax()] == pytest.approx(0.7, abs=0.05)


def test_the_page_opens_on_the_widest_hat_that_the_taps_can_hold() -> None:
    # too narrow for its taps; fine; wider and fine; wider still, cut off at the end; as wide, shifted out
    scales = np.array([[0.3, 1.0, 1.8, 6.0, 1.9]])
    shifts = np.array([[0.0, 0.0, 0.5, 0.0, 8.0]])
    layer = layer_of(scales, shifts)
    bands = bands_of(layer.kernels, layer.positions, layer.scales)
    assert recognisable(layer, bands) == (0, 2)


def test_of_the_held_hats_the_one_is_taken_that_the_series_follows() -> None:
    layer = layer_of(np.array([[1.8, 1.0, 1.2]]), np.zeros((1, 3)))
    bands = bands_of(layer.kernels, layer.positions, layer.scales)
    before = np.zeros((100, 3))
    before[0, 0] = 5.0  # answers most at the end, where it is cut off
    before[:, 1] = psi(np.arange(100.0), 1.0, 50.0)
    before[:, 2] = np.sin(np.arange(100) * 2.5)
    assert recognisable(layer, bands, before) == (0, 1)
    assert recognisable(layer, bands, np.zeros((100, 3))) == (0, 0)  # nothing answers: the widest


def test_where_no_hat_is_held_the_widest_is_taken() -> None:
    layer = layer_of(np.array([[7.0, 9.0]]), np.array([[0.0, 0.0]]))
    assert recognisable(layer, bands_of(layer.kernels, layer.positions, layer.scales)) == (0, 1)


@pytest.mark.parametrize(("sign", "shift"), [(1.0, 0.0), (-1.0, 0.0), (1.0, 3.0)])
def test_it_is_laid_where_the_feature_looks_like_it(sign: float, shift: float) -> None:
    layer = layer_of(np.array([[1.5]]), np.array([[shift]]))
    feature = sign * 5 * psi(np.arange(100.0), 1.5, 40.0)
    answer = strongest_answer(feature, layer, (0, 0))
    assert answer.timepoint == 40 - shift  # a kernel with shift b answers at t to what happens at t + b
    np.testing.assert_allclose(answer.values, sign * 5 * psi(answer.positions, 1.5, 40.0), atol=1e-6)


def test_a_flat_feature_and_a_short_one_have_an_answer_too() -> None:
    layer = layer_of(np.array([[2.0]]), np.array([[0.0]]))
    for feature in (np.zeros(30), np.ones(2), np.ones(1)):
        answer = strongest_answer(feature, layer, (0, 0))
        assert 0 <= answer.timepoint < len(feature)
        assert np.isfinite(answer.values).all()
