"""Pass bands and reach against the Mexican hat's closed form and against kernels worked out by hand."""

import math

import numpy as np
import pytest

from tests.explain.wavelets.test_learned import hat
from timemil_core.explain.wavelets import bands_of, hat_band, pass_band, peak_frequency


def test_the_closed_form_of_the_hats_band() -> None:
    # |ψ̂(ω)| ~ ω² exp(−ω²/2): the peak at √2; half of its power at the two roots of ω⁴ exp(−ω²) = 2 e⁻².
    low, peak, high = (2 * math.pi * 3 * edge for edge in hat_band(3.0))
    assert peak == pytest.approx(math.sqrt(2), rel=1e-12)
    for edge in (low, high):
        assert edge**4 * math.exp(-(edge**2)) == pytest.approx(2 * math.exp(-2), rel=1e-9)
    assert low < peak < high


@pytest.mark.parametrize("scale", [1.5, 3.0, 8.0])
@pytest.mark.parametrize("shift", [0.0, 0.4, -3.0])
def test_a_well_sampled_hat_has_the_band_of_the_closed_form(scale: float, shift: float) -> None:
    kernel = hat(scale, 201, shift)
    low, peak, high = hat_band(scale)
    assert pass_band(kernel)[0] == pytest.approx(low, abs=2e-4)
    assert pass_band(kernel)[1] == pytest.approx(high, abs=2e-4)
    assert peak_frequency(kernel) == pytest.approx(peak, abs=2e-4)
    assert not bands_of(kernel, np.arange(-100.0, 101), np.array(scale)).unlike_hat


def test_a_second_difference_by_hand() -> None:
    # |H| = 4 sin²(π f): its peak 4 at half a cycle, half of its power where sin²(π f) = 1/√2.
    bands = bands_of(np.array([0, 1, -2, 1, 0.0]), np.arange(-2.0, 3))
    assert bands.peak == 0.5 and bands.high == 0.5
    assert bands.low == pytest.approx(math.asin(2**-0.25) / math.pi, abs=2e-4)
    # Energies 1, 4, 1 of 6: two taps hold 5/6 < 95 %, three hold all.
    assert (bands.first, bands.last, bands.extent) == (-1, 1, 3)
    assert bands.unlike_hat is None


def test_the_reach_follows_the_shift() -> None:
    kernels = np.stack([hat(1.0, 19, shift) for shift in (-4.0, 0.0, 4.0)])
    bands = bands_of(kernels, np.arange(-9.0, 10))
    # ψ²(t) at 0, ±1, ±2, ±3 in units of c²: 1, 0, 9 e⁻⁴ = 0.165, 64 e⁻⁹ = 0.008; of 1.346, five taps hold 98.8 %.
    np.testing.assert_array_equal(bands.first, [-6, -2, 2])
    np.testing.assert_array_equal(bands.last, [-2, 2, 6])
    np.testing.assert_array_equal(bands.extent, [5, 5, 5])


def test_a_shorter_run_is_chosen_where_it_holds_most() -> None:
    # Energies 4, 0, 0, 100: the last tap alone holds 96 %.
    assert bands_of(np.array([2.0, 0, 0, 10]), np.arange(4.0)).first == 3
    # Energies 1, 9, 9, 1 of 20: two hold 90 %, three 95 %; the first three of two equal runs.
    bands = bands_of(np.array([1.0, 3, 3, 1]), np.arange(4.0))
    assert (bands.first, bands.last) == (0, 2)


def test_cut_off_and_coarse_hats_are_told() -> None:
    scales, shifts = np.array([2.0, 6.0, 0.3, 2.0]), (0.0, 0.0, 0.5, 9.0)
    kernels = np.stack([hat(scale, 19, shift) for scale, shift in zip(scales, shifts, strict=True)])
    bands = bands_of(kernels, np.arange(-9.0, 10), scales)
    # as it should be; 19 taps hold only ±1.5 scales; sampled beside its peak, all taps negative; half of it missing
    np.testing.assert_array_equal(bands.unlike_hat, [False, True, True, True])
    assert bands.low[2] == 0  # a low pass, which no Mexican hat is


def test_shapes_are_kept() -> None:
    kernels = np.random.default_rng(0).normal(size=(3, 4, 19))
    bands = bands_of(kernels, np.arange(-9.0, 10), np.ones((3, 4)))
    for one in (bands.low, bands.peak, bands.high, bands.first, bands.last, bands.extent, bands.unlike_hat):
        assert one is not None and one.shape == (3, 4)
    assert bands_of(np.zeros(5), np.arange(5.0)).extent == 1
