"""InceptionTime, as the paper's feature extractor f (Ismail Fawaz et al. 2020; width L = 128).

By default two blocks of three modules; in each, convolutions of 10, 20 and 40 taps and a pooled branch stand side by
side. All branches see the series' own edge value beyond its ends, whatever stands behind it in the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from timemil_core.models.checkpointing import computed_again, stage
from timemil_core.models.convolution import parallel_convolutions
from timemil_core.models.folded import folds, parallel, pointwise, scale_and_shift
from timemil_core.models.masking import MaskedBatchNorm, hold_observed, nearest_observed
from timemil_core.models.widest import widest_of_three

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

    def forward(self, features: Tensor, mask: Tensor | None, held: Tensor | None) -> Tensor:
        """``(n_series, n_in, n_timepoints)`` to ``(n_series, width, n_timepoints)``."""
        if folds(self, features):
            return self._folded(features.transpose(1, 2), held).transpose(1, 2)
        features = hold_observed(features, held)
        convolved = parallel_convolutions(
            self.bottleneck(features), [cast(nn.Conv1d, one) for one in self.convolutions]
        )
        pooled = computed_again(self._pooled, features)
        return relu(self.normalisation(torch.cat([convolved, pooled], dim=1), mask), inplace=True)

    def _pooled(self, features: Tensor) -> Tensor:
        projected: Tensor = self.pool_projection(widest_of_three(features, dim=2))
        return projected

    def _folded(self, features: Tensor, held: Tensor | None) -> Tensor:
        # (n_series, n_timepoints, n_in) to (n_series, n_timepoints, width)
        if held is not None:
            features = features.gather(1, held[:, :, None].expand_as(features))
        scale, shift = scale_and_shift(self.normalisation)
        n_convolved = len(scale) - self.pool_projection.out_channels
        narrow = pointwise(features, self.bottleneck) if isinstance(self.bottleneck, nn.Conv1d) else features
        convolutions = [cast(nn.Conv1d, one) for one in self.convolutions]
        convolved = parallel(narrow, convolutions, scale[:n_convolved], shift[:n_convolved])
        pooled = pointwise(
            widest_of_three(features, dim=1), self.pool_projection, scale[n_convolved:], shift[n_convolved:]
        )
        result = features.new_empty(*features.shape[:2], len(scale))
        torch.clamp_min(convolved, 0, out=result[..., :n_convolved])
        torch.clamp_min(pooled, 0, out=result[..., n_convolved:])
        return result


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
        """``(n_series, n_in, n_timepoints)`` to ``(n_series, width, n_timepoints)``."""
        residual = stage(self._residual, features, mask)
        for module in self.inception_modules:
            features = stage(module, features, mask, held)
        total = features + residual if torch.is_grad_enabled() else features.add_(residual)
        return relu(total, inplace=True)

    def _residual(self, features: Tensor, mask: Tensor | None) -> Tensor:
        if folds(self, features):
            folded = pointwise(features.transpose(1, 2), self.residual, *scale_and_shift(self.residual_normalisation))
            return folded.transpose(1, 2)
        return self.residual_normalisation(self.residual(features), mask)


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
            ``(n_series, n_channels, n_timepoints)``.
        mask
            ``(n_series, n_timepoints)``, True where observed; None where all are.

        Returns
        -------
        Tensor
            ``(n_series, n_timepoints, L)``; what stands in the padding means nothing.
        """
        held = None if mask is None else nearest_observed(mask)
        for block in self.blocks:
            values = block(values, mask, held)
        return values.transpose(1, 2)
