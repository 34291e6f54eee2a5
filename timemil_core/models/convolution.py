"""Several convolutions of one input at once, by whichever arithmetic is faster where it runs.

Kernels of 10, 20 and 40 taps are dear on a CPU: the convolution theorem on overlapping blocks (overlap–save) measures
3 to 5 times faster than the direct sum with its backward pass (benchmarks/throughput). On a GPU the direct convolution
is as fast or faster. In eval mode without gradients a CPU takes another way (``folded.py``).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import conv1d, conv2d, pad

from timemil_core.models.precision import in_float32

DEPTHWISE_BLOCK = 128
SHORT_BLOCK, LONG_BLOCK = 144, 256  # taps of the Fourier transform: measured best between 96 and 512
LONG_FROM = 300  # time points from which a long block is not mostly padding


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
    if features.device.type == "cpu" and (torch.is_grad_enabled() or features.shape[2] >= LONG_FROM):
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


def block_convolution(padded: Tensor, weight: Tensor, block: int | None = None) -> Tensor:
    """Return ``conv1d(padded, weight)`` by Fourier transforms of overlapping blocks.

    Parameters
    ----------
    padded
        ``(n_series, n_in, n_timepoints + n_taps - 1)``.
    weight
        ``(n_out, n_in, n_taps)``, ``n_taps`` at most ``block``.
    block
        Points of a transform; None chooses by the length.

    Returns
    -------
    Tensor
        ``(n_series, n_out, n_timepoints)``; differs from the direct sum by rounding alone.
    """
    if padded.dtype not in (torch.float32, torch.float64):
        return conv1d(padded, weight)  # there is no Fourier transform of half precision on a CPU
    n_series, n_in, length = padded.shape
    n_out, _, n_taps = weight.shape
    n_timepoints = length - n_taps + 1
    block = block or (LONG_BLOCK if n_timepoints >= LONG_FROM else SHORT_BLOCK)
    step = block - n_taps + 1
    spectrum = _spectrum_of_blocks(padded, n_taps, block)
    n_blocks = spectrum.shape[2]
    kernel = torch.fft.rfft(weight, block).conj()  # (n_out, n_in, n_frequencies); conj: correlation, as conv1d has it
    by_frequency = spectrum.permute(3, 0, 2, 1).reshape(-1, n_series * n_blocks, n_in)
    product = torch.bmm(by_frequency, kernel.permute(2, 1, 0)).view(-1, n_series, n_blocks, n_out)
    result = torch.fft.irfft(product.permute(1, 3, 2, 0), block)[..., :step]
    return result.reshape(n_series, n_out, n_blocks * step)[..., :n_timepoints]


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
    n_timepoints, n_taps = features.shape[2], weight.shape[1]
    if features.device.type == "cpu" and not torch.is_grad_enabled():
        rows = features.transpose(1, 2).contiguous().transpose(1, 2)[:, :, None]  # points in rows, as oneDNN likes them
        return conv2d(rows, weight[:, None, None], padding=(0, n_taps // 2), groups=len(weight))[:, :, 0]
    if features.device.type != "cpu" or features.dtype not in (torch.float32, torch.float64):
        return conv1d(features, weight[:, None], padding=n_taps // 2, groups=len(weight))
    spectrum = _spectrum_of_blocks(pad(features, (n_taps // 2, n_taps // 2)), n_taps, DEPTHWISE_BLOCK)
    kernel = torch.fft.rfft(weight, DEPTHWISE_BLOCK).conj()[:, None]  # (n_features, 1, n_frequencies)
    result = torch.fft.irfft(spectrum * kernel, DEPTHWISE_BLOCK)[..., : DEPTHWISE_BLOCK - n_taps + 1]
    return result.flatten(2)[..., :n_timepoints]


def _spectrum_of_blocks(padded: Tensor, n_taps: int, block: int) -> Tensor:
    # Overlap–save: (n_series, n_features, n_blocks, n_frequencies); a block gives block - n_taps + 1 results
    step = block - n_taps + 1
    n_blocks = -(-(padded.shape[2] - n_taps + 1) // step)
    return torch.fft.rfft(pad(padded, (0, n_blocks * step + n_taps - 1 - padded.shape[2])).unfold(2, block, step))
