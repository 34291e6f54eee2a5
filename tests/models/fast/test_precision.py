"""What mixed precision must leave in float32: the same bits as without it."""

from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor

from tests.training.builders import small_model
from timemil_core.models.attention import NystromAttention, SelfAttention
from timemil_core.models.fast.convolutions import depthwise_convolution
from timemil_core.models.fast.precision import in_float32
from timemil_core.models.masking import masked_mean
from timemil_core.models.wavelets import WaveletBank


@pytest.fixture(autouse=True)
def seed() -> Iterator[None]:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        yield


def attention() -> SelfAttention:
    return SelfAttention(small_model()).eval()


def nystrom() -> NystromAttention:
    return NystromAttention(*torch.randn(2, 2, 2, 30, 8), None, 4, 6)


def long_mask() -> Tensor:
    return torch.arange(600) < torch.tensor([[600], [555]])


FLOAT32: dict[str, Callable[[], Tensor]] = {
    "Nyström": lambda: nystrom().mixed(torch.randn(2, 2, 30, 8)),
    "scores of the class token": lambda: attention().class_token_row(10 * torch.randn(2, 30, 16), None),
    "wavelets": lambda: WaveletBank(16).kernels(),
    "convolution with wavelets": lambda: depthwise_convolution(torch.randn(2, 16, 50), WaveletBank(16).kernels()[0]),
    "mean over a long series": lambda: masked_mean(torch.randn(2, 600, 16), long_mask()),
}


@pytest.mark.parametrize("what", FLOAT32)
def test_what_stays_in_float32(what: str) -> None:
    expected = FLOAT32[what]()
    torch.manual_seed(0)
    with torch.autocast("cpu", torch.bfloat16):
        found = FLOAT32[what]()
    assert found.dtype == torch.float32
    assert torch.equal(found, expected)


def test_values_of_sixteen_bits_are_widened_and_autocast_comes_back() -> None:
    product = in_float32(torch.matmul)
    one = torch.rand(4, 4)
    with torch.autocast("cpu", torch.bfloat16):
        assert product(one.bfloat16(), one.bfloat16()).dtype == torch.float32
        assert torch.matmul(one, one).dtype == torch.bfloat16
    assert product(one.bfloat16(), one.bfloat16()).dtype == torch.bfloat16  # nothing is changed without autocast
