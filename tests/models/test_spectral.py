"""A convolution as products with waves is the direct sum."""

from __future__ import annotations

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import conv1d

from timemil_core.models.spectral import STEP, spectral_convolution


@settings(max_examples=40, deadline=None)
@given(n_timepoints=st.sampled_from([1, 2, STEP - 1, STEP, STEP + 1, 3 * STEP + 5, 400]), n_taps=st.integers(1, 40))
def test_it_is_the_direct_convolution(n_timepoints: int, n_taps: int) -> None:
    generator = torch.Generator().manual_seed(n_timepoints)
    padded = torch.randn(2, n_timepoints + n_taps - 1, 3, generator=generator, dtype=torch.float64)
    weight = torch.randn(4, 3, n_taps, generator=generator, dtype=torch.float64)
    bias = torch.randn(4, generator=generator, dtype=torch.float64)
    expected = conv1d(padded.transpose(1, 2), weight, bias).transpose(1, 2)
    torch.testing.assert_close(spectral_convolution(padded, weight, bias), expected)


def test_large_values_far_away_do_not_swamp_small_ones() -> None:
    """A block bounds how far a loud passage's rounding error reaches."""
    torch.manual_seed(2)
    padded = torch.randn(1, 1000, 1) * 1e-3
    padded[:, :100] = 1e4
    weight = torch.randn(1, 1, 40)
    direct = conv1d(padded.transpose(1, 2), weight).transpose(1, 2)
    late = slice(500, None)
    ours = spectral_convolution(padded, weight, torch.zeros(1))
    torch.testing.assert_close(ours[:, late], direct[:, late], atol=1e-7, rtol=1e-4)
