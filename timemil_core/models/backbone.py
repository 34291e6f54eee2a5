"""InceptionTime, the paper's feature extractor f (Algorithm 1, line 1; Ismail Fawaz et al. 2020). Letters: timemil.py.

By default two blocks of three modules; in each, convolutions of 10, 20 and 40 taps and a pooled branch stand side by
side. All branches see the series' own edge value beyond its ends, whatever stands behind it in the batch. Features lie
``(B, n_in, T)``, as convolutions take them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from timemil_core.models.fast.checkpointing import computed_again, stage
from timemil_core.models.fast.convolutions import KeptSpectrum, parallel_convolutions
from timemil_core.models.fast.widest import widest_of_three
from timemil_core.models.masking import MaskedBatchNorm, hold_observed, nearest_observed

KERNEL_SIZES = (10, 20, 40)
BOTTLENECK_WIDTH = 32
MODULES_PER_BLOCK = 3


class InceptionModule(nn.Module):
    """Bottleneck, three parallel convolutions, a pooled branch, batch normalisation, ReLU."""

    def __init__(self, n_in: int, width: int, kernel_sizes: Sequence[int] = KERNEL_SIZES) -> None:
        super().__init__()
        branch_width = width // (len(kernel_sizes) + 1)
        self.bottleneck = nn.Conv1d(n_in, BOTTLENECK_WIDTH, 1) if n_in > 1 else nn.Identity()
        n_bottleneck = BOTTLENECK_WIDTH if n_in > 1 else 1
        self.convolutions = nn.ModuleList(nn.Conv1d(n_bottleneck, branch_width, size) for size in kernel_sizes)
        self.pool_projection = nn.Conv1d(n_in, branch_width, 1)
        self.normalisation = MaskedBatchNorm(width)
        self._kept = KeptSpectrum()

    def train(self, mode: bool = True) -> InceptionModule:
        """Change the mode, as every module does."""
        if mode or self.training:
            self._kept.forget()
        return super().train(mode)

    def forward(self, features: Tensor, mask: Tensor | None, held: Tensor | None) -> Tensor:
        """``(B, n_in, T)`` to ``(B, L, T)``; ``held`` ``(B, T)`` names what stands in the place of padding."""
        convolutions = [cast(nn.Conv1d, one) for one in self.convolutions]
        features = hold_observed(features, held)  # (B, n_in, T)
        narrow = self.bottleneck(features)  # (B, 32, T)
        convolved = parallel_convolutions(narrow, convolutions, self._kept)  # (B, 3/4 L, T)
        pooled = computed_again(self._pooled, features)  # (B, 1/4 L, T)
        normalised = self.normalisation(torch.cat([convolved, pooled], dim=1), mask)  # (B, L, T)
        return relu(normalised, inplace=True)  # (B, L, T)

    def _pooled(self, features: Tensor) -> Tensor:
        widest = widest_of_three(features)  # (B, n_in, T)
        return self.pool_projection(widest)  # (B, 1/4 L, T)


class InceptionBlock(nn.Module):
    """Three modules in a row, or fewer, with a residual connection around them."""

    def __init__(
        self, n_in: int, width: int, kernel_sizes: Sequence[int] = KERNEL_SIZES, n_modules: int = MODULES_PER_BLOCK
    ) -> None:
        super().__init__()
        widths = [n_in] + [width] * (n_modules - 1)
        self.inception_modules = nn.ModuleList(InceptionModule(n, width, kernel_sizes) for n in widths)
        self.residual = nn.Conv1d(n_in, width, 1)
        self.residual_normalisation = MaskedBatchNorm(width)

    def forward(self, features: Tensor, mask: Tensor | None, held: Tensor | None) -> Tensor:
        """``(B, n_in, T)`` to ``(B, L, T)``."""
        residual = stage(self._residual, features, mask)  # (B, L, T)
        for module in self.inception_modules:
            features = stage(module, features, mask, held)  # (B, L, T)
        return relu(features + residual, inplace=True)  # (B, L, T)

    def _residual(self, features: Tensor, mask: Tensor | None) -> Tensor:
        return self.residual_normalisation(self.residual(features), mask)  # (B, L, T)


class InceptionTimeBackbone(nn.Module):
    """The feature extractor f of theorem 1: from time points to instance embeddings."""

    def __init__(
        self,
        n_channels: int,
        embedding_width: int = 128,
        kernel_sizes: Sequence[int] = KERNEL_SIZES,
        n_modules: int = 2 * MODULES_PER_BLOCK,
    ) -> None:
        super().__init__()
        firsts = range(0, n_modules, MODULES_PER_BLOCK)
        self.blocks = nn.ModuleList(
            InceptionBlock(
                embedding_width if first else n_channels,
                embedding_width,
                kernel_sizes,
                min(MODULES_PER_BLOCK, n_modules - first),
            )
            for first in firsts
        )

    def forward(self, values: Tensor, mask: Tensor | None = None) -> Tensor:
        """Embed each time point.

        Parameters
        ----------
        values
            ``(B, C, T)``.
        mask
            ``(B, T)``, True where observed; None where all are.

        Returns
        -------
        Tensor
            ``(B, T, L)``; what stands in the padding means nothing.
        """
        held = None if mask is None else nearest_observed(mask)  # (B, T)
        for block in self.blocks:
            values = block(values, mask, held)  # (B, L, T)
        return values.transpose(1, 2)  # (B, T, L)
