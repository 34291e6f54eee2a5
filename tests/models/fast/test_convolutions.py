"""The convolutions that stand side by side in the backbone: whichever arithmetic, the same numbers."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.nn.functional import conv1d, pad

from timemil_core.models.fast.convolutions import (
    block_convolution,
    depthwise_convolution,
    parallel_convolutions,
    same_padding,
)


@settings(max_examples=40, deadline=None)
@given(n_timepoints=st.integers(1, 400), n_taps=st.integers(1, 40), block=st.sampled_from([64, 144]))
def test_block_convolution_is_the_direct_one(n_timepoints: int, n_taps: int, block: int) -> None:
    generator = torch.Generator().manual_seed(n_timepoints)
    padded = torch.randn(2, 3, n_timepoints + n_taps - 1, generator=generator, dtype=torch.float64)
    weight = torch.randn(4, 3, n_taps, generator=generator, dtype=torch.float64)
    torch.testing.assert_close(block_convolution(padded, weight, block), conv1d(padded, weight))


@pytest.mark.parametrize(
    ("n_timepoints", "n_taps", "block"), [(1, 10, 32), (51, 10, 32), (46, 10, 32), (100, 40, 64), (300, 40, None)]
)
def test_gradients_are_those_of_the_direct_convolution(n_timepoints: int, n_taps: int, block: int | None) -> None:
    torch.manual_seed(0)
    padded = torch.randn(2, 2, n_timepoints + n_taps - 1, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(3, 2, n_taps, dtype=torch.float64, requires_grad=True)
    by_blocks = torch.autograd.grad(block_convolution(padded, weight, block).square().sum(), (padded, weight))
    directly = torch.autograd.grad(conv1d(padded, weight).square().sum(), (padded, weight))
    for ours, theirs in zip(by_blocks, directly, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_gradients_of_blocks_are_differences() -> None:
    torch.manual_seed(3)
    padded = torch.randn(2, 2, 27, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(2, 2, 7, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda values, kernel: block_convolution(values, kernel, 10), (padded, weight))


def test_of_a_convolution_nothing_is_kept_but_its_input_and_kernel() -> None:
    kept: list[int] = []

    def pack(tensor: Tensor) -> Tensor:
        kept.append(tensor.numel())
        return tensor

    features = torch.randn(2, 3, 500, requires_grad=True)
    with saved_tensors_hooks(pack, lambda tensor: tensor):
        block_convolution(features, torch.randn(4, 3, 40, requires_grad=True))
        depthwise_convolution(features, torch.randn(3, 19, requires_grad=True))
    assert sorted(kept) == sorted([2 * 3 * 500, 4 * 3 * 40, 2 * 3 * 500, 3 * 19])


@pytest.mark.parametrize("n_timepoints", [1, 7, 90])
def test_both_ways_are_torchs_replicated_same_convolutions(n_timepoints: int) -> None:
    torch.manual_seed(1)
    convolutions = [nn.Conv1d(2, 3, size) for size in (10, 20, 40)]
    features = torch.randn(4, 2, n_timepoints)
    expected = torch.cat(
        [
            conv1d(pad(features, same_padding(10 * 2**index), mode="replicate"), one.weight, one.bias)
            for index, one in enumerate(convolutions)
        ],
        dim=1,
    )
    torch.testing.assert_close(parallel_convolutions(features, convolutions), expected, atol=1e-5, rtol=1e-5)
    with torch.no_grad():
        torch.testing.assert_close(parallel_convolutions(features, convolutions), expected, atol=1e-5, rtol=1e-5)


def test_large_values_far_away_do_not_swamp_small_ones_beyond_rounding() -> None:
    """Blocks of 144 points bound how far a loud passage's rounding error reaches."""
    torch.manual_seed(2)
    padded = torch.randn(1, 1, 1000) * 1e-3
    padded[..., :100] = 1e4
    weight = torch.randn(1, 1, 40)
    late = slice(500, None)
    torch.testing.assert_close(
        block_convolution(padded, weight)[..., late], conv1d(padded, weight)[..., late], atol=1e-7, rtol=1e-4
    )


@settings(max_examples=40, deadline=None)
@given(n_timepoints=st.integers(1, 400), half=st.integers(0, 20))
def test_depthwise_convolution_is_torchs(n_timepoints: int, half: int) -> None:
    generator = torch.Generator().manual_seed(n_timepoints)
    features = torch.randn(2, 5, n_timepoints, generator=generator, dtype=torch.float64)
    weight = torch.randn(5, 2 * half + 1, generator=generator, dtype=torch.float64)
    expected = conv1d(features, weight[:, None], padding=half, groups=5)
    torch.testing.assert_close(depthwise_convolution(features, weight), expected)


@pytest.mark.parametrize(("n_timepoints", "n_taps"), [(1, 19), (110, 19), (150, 19), (150, 1)])
def test_depthwise_gradients_are_torchs(n_timepoints: int, n_taps: int) -> None:
    torch.manual_seed(0)
    features = torch.randn(2, 3, n_timepoints, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(3, n_taps, dtype=torch.float64, requires_grad=True)
    ours = torch.autograd.grad(depthwise_convolution(features, weight).square().sum(), (features, weight))
    direct = conv1d(features, weight[:, None], padding=n_taps // 2, groups=3)
    for mine, theirs in zip(ours, torch.autograd.grad(direct.square().sum(), (features, weight)), strict=True):
        torch.testing.assert_close(mine, theirs)
