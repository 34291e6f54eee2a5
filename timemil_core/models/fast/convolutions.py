"""Convolutions by whichever arithmetic is quickest where they run.

Kernels of 10, 20 and 40 taps are dear on a CPU: there the convolution theorem on overlapping blocks (overlap–save) does
with fewer multiplications than the direct sum. Its backward pass is written out: only its input and its kernel are
kept, and the spectra computed again. Autograd would keep the blocks, both spectra and their layouts, about six times as
much, and take full complex transforms where half of each is its mirror.

Without gradients, and with one thread, the kernels' spectrum is made once and kept (``KeptSpectrum``), laid out as a
real matrix for each frequency: a batch of short series has less to transform than its kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn.functional import conv1d, conv2d, pad

from timemil_core.models.fast.precision import in_float32

SHORT_BLOCK, LONG_BLOCK = 144, 256  # points of a transform: measured best between 96 and 512
LONG_FROM = 10_000  # time points of a batch from which the spectrum of longer kernels is worth its making
FEW_TAPS = 9  # up to which the direct sum is quicker, by a quarter to two fifths
MANY_POINTS = 1500  # of a batch without gradients: below them the direct sum is as quick


def same_padding(kernel_size: int) -> tuple[int, int]:
    """Return (left, right) so that the length stays; an even kernel's extra point goes to the right."""
    left = (kernel_size - 1) // 2
    return left, kernel_size - 1 - left


class KeptSpectrum:
    """The spectrum of kernels, for use without gradients, made anew where a kernel or the transform is another.

    A training changes weights behind PyTorch's back (``tensor.data``): ``forget`` wherever its mode changes.
    """

    def __init__(self) -> None:
        self._made: tuple[tuple[object, ...], Sequence[Tensor], Tensor] | None = None

    def __deepcopy__(self, memo: object) -> KeptSpectrum:
        return KeptSpectrum()

    def forget(self) -> None:
        """Make it anew when it is next asked for."""
        self._made = None

    def of(self, weights: Sequence[Tensor], size: int, block: int) -> Tensor:
        """Return ``(n_frequencies, 2 n_in, 2 n_out)``: real and imaginary parts side by side, both ways."""
        key = (block, *((id(one), one._version, one.data_ptr(), one.dtype) for one in weights))
        made = self._made  # models are shared between threads: read once
        if made is None or made[0] != key:
            kernel = torch.fft.rfft(torch.cat([_centred(one, size) for one in weights]), block)  # (n_out, n_in, F)
            kernel = kernel.conj().permute(2, 1, 0)  # conj: correlation, as conv1d has it
            of_real = torch.stack([kernel.real, kernel.imag], dim=-1).flatten(2)
            of_imaginary = torch.stack([-kernel.imag, kernel.real], dim=-1).flatten(2)
            # The weights are kept too: no other can come to lie where one of these was.
            made = self._made = (key, weights, torch.stack([of_real, of_imaginary], dim=2).flatten(1, 2))
        return made[2]


def parallel_convolutions(
    features: Tensor, convolutions: Sequence[nn.Conv1d], kept: KeptSpectrum | None = None
) -> Tensor:
    """Convolve one input with several kernels, edges replicated, and stack the results.

    Parameters
    ----------
    features
        ``(B, n_in, T)``.
    convolutions
        Without padding, of ``n_out`` channels each and of any sizes; the largest decides the padding.
    kept
        Of these convolutions.

    Returns
    -------
    Tensor
        ``(B, len(convolutions) * n_out, T)``.
    """
    largest = max(convolution.kernel_size[0] for convolution in convolutions)
    left, _ = same_padding(largest)
    padded = pad(features, same_padding(largest), mode="replicate")  # (B, n_in, T + largest - 1)
    if largest > FEW_TAPS and _by_blocks(features):
        weights = [one.weight for one in convolutions]
        bias = torch.cat([one.bias for one in convolutions if one.bias is not None])  # (n * n_out,)
        # With several threads: whether such products have the same last digits each time is not known.
        if kept is not None and not torch.is_grad_enabled() and torch.get_num_threads() == 1:
            block = _block(padded, largest)
            spectrum = kept.of(weights, largest, block)
            return _by_kept_spectrum(padded, spectrum, largest, block) + bias[:, None]  # (B, n * n_out, T)
        weight = torch.cat([_centred(one, largest) for one in weights])  # (n * n_out, n_in, largest)
        return block_convolution(padded, weight) + bias[:, None]  # (B, n * n_out, T)
    starts = [left - same_padding(one.kernel_size[0])[0] for one in convolutions]
    lengths = [features.shape[2] + one.kernel_size[0] - 1 for one in convolutions]
    parts = zip(convolutions, starts, lengths, strict=True)
    return torch.cat([one(padded.narrow(2, start, length)) for one, start, length in parts], dim=1)


@in_float32
def depthwise_convolution(features: Tensor, weight: Tensor) -> Tensor:
    """Convolve each feature with a kernel of its own, zeros beyond the ends: ``conv1d(..., groups=n_features)``.

    Parameters
    ----------
    features
        ``(B, n_features, T)``.
    weight
        ``(n_features, n_taps)``, ``n_taps`` odd.

    Returns
    -------
    Tensor
        ``(B, n_features, T)``.
    """
    n_taps = weight.shape[1]
    if features.device.type != "cpu":
        return conv1d(features, weight[:, None], padding=n_taps // 2, groups=len(weight))
    rows = features.transpose(1, 2).contiguous().transpose(1, 2)[:, :, None]  # points in rows, as oneDNN likes them
    return conv2d(rows, weight[:, None, None], padding=(0, n_taps // 2), groups=len(weight))[:, :, 0]


def block_convolution(padded: Tensor, weight: Tensor, block: int | None = None) -> Tensor:
    """Return ``conv1d(padded, weight)``, which differs by rounding alone.

    Parameters
    ----------
    padded
        ``(B, n_in, T + n_taps - 1)``, in single or double precision.
    weight
        ``(n_out, n_in, n_taps)``, ``n_taps`` at most ``block``.
    block
        Points of a transform; None chooses by the number of time points.

    Returns
    -------
    Tensor
        ``(B, n_out, T)``.
    """
    result: Tensor = _Convolution.apply(padded, weight, block or _block(padded, weight.shape[2]))
    return result


def _by_kept_spectrum(padded: Tensor, spectrum: Tensor, n_taps: int, block: int) -> Tensor:
    blocks = torch.view_as_real(_spectrum_of_blocks(padded, n_taps, block))  # (B, n_in, n_blocks, F, 2)
    by_frequency = blocks.permute(3, 0, 2, 1, 4).flatten(3).flatten(1, 2)  # (F, B n_blocks, 2 n_in)
    product = torch.view_as_complex(torch.bmm(by_frequency, spectrum).unflatten(2, (-1, 2)))  # (F, B n_blocks, n_out)
    result = _from_frequencies(product, len(padded), block)[..., : block - n_taps + 1]
    return result.flatten(2)[..., : padded.shape[2] - n_taps + 1]


def _block(padded: Tensor, n_taps: int) -> int:
    many = padded.shape[0] * padded.shape[2] >= LONG_FROM
    wanted = max(LONG_BLOCK if many else SHORT_BLOCK, 2 * n_taps)
    return -(-min(wanted, padded.shape[2]) // 16) * 16  # a short series fills one block; transforms like small factors


def _by_blocks(features: Tensor) -> bool:
    # There is no Fourier transform of half precision on a CPU.
    if features.device.type != "cpu" or features.dtype not in (torch.float32, torch.float64):
        return False
    return torch.is_grad_enabled() or features.shape[0] * features.shape[2] >= MANY_POINTS


def _centred(weight: Tensor, size: int) -> Tensor:
    # A shorter kernel (n_out, n_in, n_taps) with zeros around it, so that all share one transform
    left, right = same_padding(size)
    own_left, own_right = same_padding(weight.shape[-1])
    return pad(weight, (left - own_left, right - own_right))


class _Convolution(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, padded: Tensor, weight: Tensor, block: int) -> Tensor:
        ctx.save_for_backward(padded, weight)
        ctx.block = block
        n_out, _, n_taps = weight.shape
        kernel = torch.fft.rfft(weight, block).conj()  # conj: correlation, as conv1d has it
        product = torch.bmm(_by_frequency(_spectrum_of_blocks(padded, n_taps, block)), kernel.permute(2, 1, 0))
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


def _spectrum_of_blocks(padded: Tensor, n_taps: int, block: int) -> Tensor:
    # (B, n_features, n_blocks, n_frequencies); a block gives block - n_taps + 1 results, the next begins there
    step = block - n_taps + 1
    n_blocks = -(-(padded.shape[2] - n_taps + 1) // step)
    return torch.fft.rfft(pad(padded, (0, n_blocks * step + n_taps - 1 - padded.shape[2])).unfold(2, block, step))


def _spectrum_of_steps(results: Tensor, step: int, block: int) -> Tensor:
    # Likewise of what the blocks gave: step by step, each with zeros behind it
    n_blocks = -(-results.shape[2] // step)
    return torch.fft.rfft(pad(results, (0, n_blocks * step - results.shape[2])).unflatten(2, (n_blocks, step)), block)


def _overlapped(blocks: Tensor, step: int) -> Tensor:
    # (B, n_features, n_blocks, block) to (B, n_features, n): sum of blocks that begin every step points
    n_series, n_features, n_blocks, block = blocks.shape
    n_rows = -(-block // step)
    rows = blocks.new_zeros(n_series, n_features, n_blocks + n_rows - 1, step)
    for row in range(n_rows):
        part = blocks[..., row * step : (row + 1) * step]
        rows[:, :, row : row + n_blocks, : part.shape[3]] += part
    return rows.flatten(2)


def _by_frequency(spectrum: Tensor) -> Tensor:
    # (B, n_features, n_blocks, n_frequencies) to (n_frequencies, B * n_blocks, n_features)
    return spectrum.permute(3, 0, 2, 1).flatten(1, 2)


def _from_frequencies(product: Tensor, n_series: int, block: int) -> Tensor:
    # (n_frequencies, B * n_blocks, n_features) to (B, n_features, n_blocks, block)
    return torch.fft.irfft(product.unflatten(1, (n_series, -1)).permute(1, 3, 2, 0), block)
