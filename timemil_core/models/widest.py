"""The largest of each time point and its two neighbours: max pooling of width 3 and stride 1.

PyTorch's own keeps, for the backward pass, an index of 8 bytes for each value of 4; here the features are compared
again, and only they are kept.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


def widest_of_three(features: Tensor, dim: int) -> Tensor:
    """Return the largest of each place along ``dim`` and its two neighbours there, in the shape of ``features``."""
    if not torch.is_grad_enabled():
        return _widest(features, dim)
    result: Tensor = _WidestOfThree.apply(features, dim)
    return result


class _WidestOfThree(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, features: Tensor, dim: int) -> Tensor:
        ctx.save_for_backward(features)
        ctx.dim = dim
        return _widest(features, dim)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        (features,) = ctx.saved_tensors
        n = features.shape[ctx.dim] - 1
        if n == 0:
            return gradient, None
        widest = _widest(features, ctx.dim)
        # Of equal ones the first counts, as in PyTorch's pooling.
        left = features.narrow(ctx.dim, 0, n) >= widest.narrow(ctx.dim, 1, n)  # of all places but the first
        own = features >= widest
        own.narrow(ctx.dim, 1, n).logical_and_(~left)
        right = ~own.narrow(ctx.dim, 0, n)  # of all places but the last
        right.narrow(ctx.dim, 1, n - 1).logical_and_(~left.narrow(ctx.dim, 0, n - 1))
        result = gradient * own
        result.narrow(ctx.dim, 0, n).add_(gradient.narrow(ctx.dim, 1, n) * left)
        result.narrow(ctx.dim, 1, n).add_(gradient.narrow(ctx.dim, 0, n) * right)
        return result, None


def _widest(features: Tensor, dim: int) -> Tensor:
    n = features.shape[dim] - 1
    before, after = features.narrow(dim, 0, n), features.narrow(dim, 1, n)
    result = features.clone()
    torch.maximum(before, after, out=result.narrow(dim, 0, n))
    rest = result.narrow(dim, 1, n)
    torch.maximum(rest, before, out=rest)
    return result
