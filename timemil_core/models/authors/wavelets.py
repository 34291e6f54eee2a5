"""Wavelets whose scales are free to be negative, as in the authors' code."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from timemil_core.models.wavelets import WaveletBank

N_WAVELETS, SIZE = 3, 19


class SignedWaveletBank(WaveletBank):
    """Three Mexican hats a feature with a scale of any sign, which training may take through zero.

    ψ_{a,b} holds (t - b)² / a² and |a|, so a kernel is that of |a|: ``scales`` gives the size, ``signed_scales`` what
    was learned. How they began is not in a checkpoint: ``initial_scales`` and ``initial_shifts`` are None.
    """

    def __init__(self, width: int) -> None:
        nn.Module.__init__(self)  # their scales have no softplus
        self.size = SIZE
        self.signed_scales = nn.Parameter(1 + torch.randn(N_WAVELETS, width))
        self.shifts = nn.Parameter(torch.zeros(N_WAVELETS, width))
        nn.init.normal_(self.shifts[0])  # of the others the shifts start at 0
        self.register_buffer("initial_scales", None)
        self.register_buffer("initial_shifts", None)

    @property
    def scales(self) -> Tensor:
        """The sizes of the scales, in time points, ``(n_wavelets, width)``."""
        return self.signed_scales.abs()
