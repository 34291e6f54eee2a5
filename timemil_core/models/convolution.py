"""Several convolutions of one input at once, by whichever arithmetic is faster where it runs.

Kernels of 10, 20 and 40 taps are dear on a CPU: the convolution theorem on overlapping blocks (overlap–save) measures
3 to 5 times faster than the direct sum with its backward pass (benchmarks/throughput). Of 3, 5 and 9 taps the direct
sum is faster by a quarter at 1008 time points, by two fifths at 100 and 160. On a GPU the direct convolution
is as fast or faster. In eval mode without gradients a CPU takes another way (``folded.py``).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import conv1d, conv2d, pad

from timemil_core.models.fourier import LONG_FROM, block_convolution, depthwise_block_convolution
from timemil_core.models.precision import in_float32

FEW_TAPS = 9


def same_padding(kernel_size: int) -> tuple[int, int]:
    """Return (left, right) so that the length stays; an even kernel's extra point goes to the right."""
    left = (kernel_size - 1) // 2
    return left, kernel_size - 1 - left


def parallel_convolutions(features: Tensor, convolutions: Sequence[nn.Conv1d]) -> Tensor:
    """Convolve one input with several kernels, edges replicated, and stack the results.

    Parameters
    ----------
    features
        ``(n_series, n_in, n_timepoints)``.
    convolutions
        Without padding, of ``n_out`` channels each and of any sizes; the largest decides the padding.

    Returns
    -------
    Tensor
        ``(n_series, len(convolutions) * n_out, n_timepoints)``.
    """
    largest = max(convolution.kernel_size[0] for convolution in convolutions)
    padded = pad(features, same_padding(largest), mode="replicate")
    by_blocks = torch.is_grad_enabled() or features.shape[2] >= LONG_FROM
    if features.device.type == "cpu" and by_blocks and largest > FEW_TAPS:
        weight = torch.cat([centred(convolution.weight, largest) for convolution in convolutions])
        biases = [convolution.bias for convolution in convolutions if convolution.bias is not None]
        return block_convolution(padded, weight) + torch.cat(biases)[:, None]
    return torch.cat([_direct(padded, convolution, largest) for convolution in convolutions], dim=1)


def _direct(padded: Tensor, convolution: nn.Conv1d, largest: int) -> Tensor:
    left, right = same_padding(largest)
    own_left, own_right = same_padding(convolution.kernel_size[0])
    return convolution(padded[..., left - own_left : padded.shape[-1] - (right - own_right)])


def centred(weight: Tensor, size: int) -> Tensor:
    """Return a shorter kernel ``(n_out, n_in, n_taps)`` with zeros around it, so that all share one transform."""
    left, right = same_padding(size)
    own_left, own_right = same_padding(weight.shape[-1])
    return pad(weight, (left - own_left, right - own_right))


@in_float32
def depthwise_convolution(features: Tensor, weight: Tensor) -> Tensor:
    """Convolve each feature with a kernel of its own, zeros beyond the ends: ``conv1d(..., groups=n_features)``.

    On a CPU with gradients blocks of Fourier transforms measure 2 to 6 times faster than the direct sum. Without, the
    direct sum over features that lie point by point measures 7 to 11 times faster than the blocks; it is taken.

    Parameters
    ----------
    features
        ``(n_series, n_features, n_timepoints)``.
    weight
        ``(n_features, n_taps)``, ``n_taps`` odd.

    Returns
    -------
    Tensor
        ``(n_series, n_features, n_timepoints)``.
    """
    n_taps = weight.shape[1]
    if features.device.type == "cpu" and not torch.is_grad_enabled():
        rows = features.transpose(1, 2).contiguous().transpose(1, 2)[:, :, None]  # points in rows, as oneDNN likes them
        return conv2d(rows, weight[:, None, None], padding=(0, n_taps // 2), groups=len(weight))[:, :, 0]
    if features.device.type != "cpu" or features.dtype not in (torch.float32, torch.float64):
        return conv1d(features, weight[:, None], padding=n_taps // 2, groups=len(weight))
    return depthwise_block_convolution(features, weight)
