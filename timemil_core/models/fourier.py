"""Convolutions by fast Fourier transforms of overlapping blocks (overlap–save), for training on a CPU.

Their backward passes are written out: of a convolution only its input and its kernel are kept, and the spectra are
computed again. Autograd would keep the blocks, both spectra and their layouts, about six times as much, and take full
complex transforms where half of each is its mirror.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn.functional import conv1d, pad

DEPTHWISE_BLOCK = 128
SHORT_BLOCK, LONG_BLOCK = 144, 256  # points of a transform: measured best between 96 and 512
LONG_FROM = 300  # time points from which a long block is not mostly padding


def block_convolution(padded: Tensor, weight: Tensor, block: int | None = None) -> Tensor:
    """Return ``conv1d(padded, weight)``.

    Parameters
    ----------
    padded
        ``(n_series, n_in, n_timepoints + n_taps - 1)``.
    weight
        ``(n_out, n_in, n_taps)``, ``n_taps`` at most ``block`` where that is given.
    block
        Points of a transform; None chooses by the length.

    Returns
    -------
    Tensor
        ``(n_series, n_out, n_timepoints)``; differs from the direct sum by rounding alone.
    """
    if padded.dtype not in (torch.float32, torch.float64):
        return conv1d(padded, weight)  # there is no Fourier transform of half precision on a CPU
    n_timepoints = padded.shape[2] - weight.shape[2] + 1
    result: Tensor = _Convolution.apply(padded, weight, block or _block(n_timepoints, weight.shape[2]))
    return result


def depthwise_block_convolution(features: Tensor, weight: Tensor) -> Tensor:
    """Return ``conv1d(features, weight[:, None], padding="same", groups=n_features)``.

    ``features`` is ``(n_series, n_features, n_timepoints)``, ``weight`` ``(n_features, n_taps)``, ``n_taps`` odd.
    """
    result: Tensor = _DepthwiseConvolution.apply(features, weight)
    return result


def _block(n_timepoints: int, n_taps: int) -> int:
    usual = LONG_BLOCK if n_timepoints >= LONG_FROM else SHORT_BLOCK
    if 2 * n_taps <= usual:
        return usual
    whole = -(-(n_timepoints + n_taps - 1) // 16) * 16
    return min(4 * n_taps, whole)  # of a long kernel a short block is mostly overlap


class _Convolution(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, padded: Tensor, weight: Tensor, block: int) -> Tensor:
        ctx.save_for_backward(padded, weight)
        ctx.block = block
        n_out, _, n_taps = weight.shape
        spectrum = _spectrum_of_blocks(padded, n_taps, block)
        kernel = torch.fft.rfft(weight, block).conj()  # conj: correlation, as conv1d has it
        product = torch.bmm(_by_frequency(spectrum), kernel.permute(2, 1, 0))
        result = _from_frequencies(product, len(padded), block)[..., : block - n_taps + 1]
        return result.reshape(len(padded), n_out, -1)[..., : padded.shape[2] - n_taps + 1]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        padded, weight = ctx.saved_tensors
        n_taps, block = weight.shape[2], ctx.block
        step = block - n_taps + 1
        given = _by_frequency(_spectrum_of_steps(gradient, step, block))
        for_padded = for_weight = None
        if ctx.needs_input_grad[0]:
            product = torch.bmm(given, torch.fft.rfft(weight, block).permute(2, 0, 1))
            for_padded = _overlapped(_from_frequencies(product, len(padded), block), step)[..., : padded.shape[2]]
        if ctx.needs_input_grad[1]:
            product = torch.bmm(given.mH, _by_frequency(_spectrum_of_blocks(padded, n_taps, block)))
            for_weight = torch.fft.irfft(product.permute(1, 2, 0), block)[..., :n_taps]
        return for_padded, for_weight, None


class _DepthwiseConvolution(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, features: Tensor, weight: Tensor) -> Tensor:
        ctx.save_for_backward(features, weight)
        half = weight.shape[1] // 2
        spectrum = _spectrum_of_blocks(pad(features, (half, half)), weight.shape[1], DEPTHWISE_BLOCK)
        spectrum *= torch.fft.rfft(weight, DEPTHWISE_BLOCK).conj()[:, None]
        result = torch.fft.irfft(spectrum, DEPTHWISE_BLOCK)[..., : DEPTHWISE_BLOCK - weight.shape[1] + 1]
        return result.flatten(2)[..., : features.shape[2]]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor | None]:
        features, weight = ctx.saved_tensors
        n_taps, half = weight.shape[1], weight.shape[1] // 2
        step = DEPTHWISE_BLOCK - n_taps + 1
        given = _spectrum_of_steps(gradient, step, DEPTHWISE_BLOCK)
        for_features = for_weight = None
        if ctx.needs_input_grad[1]:
            spectrum = _spectrum_of_blocks(pad(features, (half, half)), n_taps, DEPTHWISE_BLOCK)
            spectrum *= given.conj()
            for_weight = torch.fft.irfft(spectrum.sum(dim=(0, 2)), DEPTHWISE_BLOCK)[:, :n_taps]
            del spectrum
        if ctx.needs_input_grad[0]:
            given *= torch.fft.rfft(weight, DEPTHWISE_BLOCK)[:, None]
            laid = _overlapped(torch.fft.irfft(given, DEPTHWISE_BLOCK), step)
            for_features = laid[..., half : half + features.shape[2]]
        return for_features, for_weight


def _spectrum_of_blocks(padded: Tensor, n_taps: int, block: int) -> Tensor:
    # (n_series, n_features, n_blocks, n_frequencies); a block gives block - n_taps + 1 results, the next begins there
    step = block - n_taps + 1
    n_blocks = -(-(padded.shape[2] - n_taps + 1) // step)
    return torch.fft.rfft(pad(padded, (0, n_blocks * step + n_taps - 1 - padded.shape[2])).unfold(2, block, step))


def _spectrum_of_steps(results: Tensor, step: int, block: int) -> Tensor:
    # Likewise of what the blocks gave: step by step, each with zeros behind it
    n_blocks = -(-results.shape[2] // step)
    return torch.fft.rfft(pad(results, (0, n_blocks * step - results.shape[2])).unflatten(2, (n_blocks, step)), block)


def _overlapped(blocks: Tensor, step: int) -> Tensor:
    # (n_series, n_features, n_blocks, block) to (n_series, n_features, n): sum of blocks that begin every step points
    n_series, n_features, n_blocks, block = blocks.shape
    n_rows = -(-block // step)
    rows = blocks.new_zeros(n_series, n_features, n_blocks + n_rows - 1, step)
    for row in range(n_rows):
        part = blocks[..., row * step : (row + 1) * step]
        rows[:, :, row : row + n_blocks, : part.shape[3]] += part
    return rows.flatten(2)


def _by_frequency(spectrum: Tensor) -> Tensor:
    # (n_series, n_features, n_blocks, n_frequencies) to (n_frequencies, n_series * n_blocks, n_features)
    return spectrum.permute(3, 0, 2, 1).flatten(1, 2)


def _from_frequencies(product: Tensor, n_series: int, block: int) -> Tensor:
    # (n_frequencies, n_series * n_blocks, n_features) to (n_series, n_features, n_blocks, block)
    return torch.fft.irfft(product.unflatten(1, (n_series, -1)).permute(1, 3, 2, 0), block)
