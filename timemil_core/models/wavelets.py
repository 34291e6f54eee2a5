"""Mexican hat kernels Ψ_j with learnable scales a and shifts b (section 3.3 and appendix "Background")."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import softplus

MEXICAN_HAT_FACTOR = 2 / (math.sqrt(3) * math.pi**0.25)  # makes the L2 norm of psi 1
SMALLEST_SCALE = 0.1  # below it a kernel sampled at whole time points is a single point
INITIAL_SCALES = (0.5, 3.0)  # a kernel of 19 taps holds scales up to about 3


def tap_positions(size: int, *, like: Tensor | None = None) -> Tensor:
    """Return the time points of a kernel's taps, centred on 0: ``(size,)``."""
    half = (size - 1) // 2
    return torch.arange(-half, half + 1, dtype=torch.float32 if like is None else like.dtype).to(
        "cpu" if like is None else like.device
    )


def mexican_hat(positions: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    """Return psi_{a,b}(t) = a^(-1/2) psi((t - b) / a), psi(t) = c (1 - t^2) exp(-t^2 / 2).

    Parameters
    ----------
    positions
        ``(size,)`` time points.
    scale, shift
        ``a > 0`` and ``b``, both in time points, of one shape ``(...)``.

    Returns
    -------
    Tensor
        ``(..., size)``.
    """
    square = ((positions - shift[..., None]) / scale[..., None]) ** 2  # ((t - b) / a)², (..., size)
    return MEXICAN_HAT_FACTOR * (1 - square) * torch.exp(-square / 2) / scale[..., None].sqrt()  # (..., size)


def inverse_softplus(value: Tensor) -> Tensor:
    """Return x with softplus(x) = value, for value > 0."""
    return value + torch.log(-torch.expm1(-value))


class WaveletBank(nn.Module):
    """The ``n_W`` learnable wavelets Ψ_1 … Ψ_{n_W} of each feature of one layer.

    A scale is ``softplus(free parameter) + 0.1`` and so never passes through zero, where the kernel would be
    undefined. Scales start log-uniform in [0.5, 3], shifts normal, in all wavelets of all layers alike.
    """

    def __init__(self, width: int, n_wavelets: int = 3, size: int = 19) -> None:
        super().__init__()
        self.size = size
        low, high = (math.log(value) for value in INITIAL_SCALES)
        scales = torch.exp(low + (high - low) * torch.rand(n_wavelets, width))
        self.free_scales = nn.Parameter(inverse_softplus(scales - SMALLEST_SCALE))
        self.shifts = nn.Parameter(torch.randn(n_wavelets, width))
        self.register_buffer("initial_scales", scales.clone())
        self.register_buffer("initial_shifts", self.shifts.detach().clone())

    @property
    def scales(self) -> Tensor:
        """The scales a, in time points, ``(n_W, L)``, all above 0.1."""
        return softplus(self.free_scales) + SMALLEST_SCALE  # (n_W, L)

    def kernels(self) -> Tensor:
        """Return every kernel, ``(n_W, L, size)``."""
        return mexican_hat(tap_positions(self.size, like=self.shifts), self.scales, self.shifts)  # (n_W, L, size)
