"""The largest of each time point and its two neighbours: max pooling of width 3 and stride 1.

PyTorch's own keeps, for the backward pass, an index of 8 bytes for each value of 4; here the features are compared
again, and only they are kept.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


def widest_of_three(features: Tensor) -> Tensor:
    """Return the largest of each time point and its two neighbours, in the shape of ``features (B, n_features, T)``."""
    if not torch.is_grad_enabled():
        return _widest(features)
    result: Tensor = _WidestOfThree.apply(features)
    return result


class _WidestOfThree(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, features: Tensor) -> Tensor:
        ctx.save_for_backward(features)
        return _widest(features)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        (features,) = ctx.saved_tensors
        if features.shape[2] == 1:
            return gradient
        widest = _widest(features)
        # Of equal ones the first counts, as in PyTorch's pooling.
        left = features[..., :-1] >= widest[..., 1:]  # of all places but the first
        own = features >= widest
        own[..., 1:] &= ~left
        right = ~own[..., :-1]  # of all places but the last
        right[..., 1:] &= ~left[..., :-1]
        result = gradient * own
        result[..., :-1] += gradient[..., 1:] * left
        result[..., 1:] += gradient[..., :-1] * right
        return result


def _widest(features: Tensor) -> Tensor:
    before, after = features[..., :-1], features[..., 1:]
    result = features.clone()
    torch.maximum(before, after, out=result[..., :-1])
    torch.maximum(result[..., 1:], before, out=result[..., 1:])
    return result
