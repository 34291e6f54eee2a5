import math

import numpy as np
import pytest
import pywt
import torch

from timemil_core.models.wavelets import (
    INITIAL_SCALES,
    SMALLEST_SCALE,
    WaveletBank,
    inverse_softplus,
    mexican_hat,
    tap_positions,
)


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 0.0), (0.3, 0.0), (2.5, -1.25), (7.0, 3.0)])
def test_kernel_equals_pywavelets_mexh(scale: float, shift: float) -> None:
    psi, x = pywt.ContinuousWavelet("mexh").wavefun(length=401)
    positions = torch.from_numpy(scale * x + shift)  # where (t - b) / a = x
    ours = mexican_hat(positions, torch.tensor(scale, dtype=torch.float64), torch.tensor(shift, dtype=torch.float64))
    np.testing.assert_allclose(ours.numpy(), psi / math.sqrt(scale), atol=1e-12)


def test_kernel_by_hand() -> None:
    # psi_{2,1} at t = 1 is c / sqrt(2); at t = 1 ± 2 it crosses zero; at t = 5, x = 2: -3 c exp(-2) / sqrt(2)
    kernel = mexican_hat(torch.tensor([1.0, 3.0, -1.0, 5.0]), torch.tensor(2.0), torch.tensor(1.0))
    c = 0.8673250705840776
    expected = [c / 2**0.5, 0.0, 0.0, -3 * c * math.exp(-2) / 2**0.5]
    torch.testing.assert_close(kernel, torch.tensor(expected), atol=1e-6, rtol=0)


@pytest.mark.parametrize("scale", [0.5, 1.0, 4.0])
def test_kernel_has_norm_one_and_no_mean(scale: float) -> None:
    step = 0.001
    t = torch.arange(-60, 60, step, dtype=torch.float64)
    kernel = mexican_hat(t, torch.tensor(scale, dtype=torch.float64), torch.tensor(0.7, dtype=torch.float64))
    assert float((kernel**2).sum() * step) == pytest.approx(1, abs=1e-6)
    assert float(kernel.sum() * step) == pytest.approx(0, abs=1e-6)


def test_tap_positions_are_whole_time_points_around_zero() -> None:
    assert tap_positions(5).tolist() == [-2, -1, 0, 1, 2]
    assert tap_positions(1, like=torch.zeros(1, dtype=torch.float64)).dtype == torch.float64


def test_inverse_softplus() -> None:
    values = torch.tensor([1e-3, 0.4, 1.0, 30.0])
    torch.testing.assert_close(torch.nn.functional.softplus(inverse_softplus(values)), values)


def test_bank_starts_with_the_scales_it_remembers() -> None:
    bank = WaveletBank(width=64, n_wavelets=3, size=19)
    torch.testing.assert_close(bank.scales, bank.initial_scales)
    assert bank.scales.min() >= INITIAL_SCALES[0] - 1e-5
    assert bank.scales.max() <= INITIAL_SCALES[1] + 1e-5
    assert all(wavelet_shifts.std() > 0.5 for wavelet_shifts in bank.shifts)  # every wavelet's, not only the first's
    assert bank.kernels().shape == (3, 64, 19)


def test_bank_kernels_are_those_of_its_scales_and_shifts() -> None:
    bank = WaveletBank(width=4, n_wavelets=2, size=7)
    scale, shift = bank.scales[1, 2], bank.shifts[1, 2]
    torch.testing.assert_close(bank.kernels()[1, 2], mexican_hat(tap_positions(7), scale, shift))


@pytest.mark.parametrize("free_scale", [-1e9, -50.0, 0.0, 1e6])
def test_scale_near_its_bounds_keeps_kernels_and_gradients_finite(free_scale: float) -> None:
    bank = WaveletBank(width=4)
    with torch.no_grad():
        bank.free_scales.fill_(free_scale)
        bank.shifts[0].zero_()  # a tap exactly at the centre
    kernels = bank.kernels()
    kernels.square().sum().backward()
    assert bank.scales.min() >= SMALLEST_SCALE
    for tensor in (kernels, bank.free_scales.grad, bank.shifts.grad):
        assert tensor is not None
        assert tensor.isfinite().all()


def test_gradients_of_the_mexican_hat() -> None:
    positions = tap_positions(7).double()
    scale = torch.tensor([0.2, 1.0, 2.5], dtype=torch.float64, requires_grad=True)
    shift = torch.tensor([0.1, -0.4, 1.5], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda a, b: mexican_hat(positions, a, b), (scale, shift))
