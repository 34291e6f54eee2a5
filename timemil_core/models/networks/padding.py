"""Zeros beyond a series' ends, for convolutions that keep its length."""

from __future__ import annotations

from torch import Tensor
from torch.nn.functional import pad


def around(features: Tensor, taps: int) -> Tensor:
    """Put taps − 1 zeros around ``(B, L, T)``; of an odd number of them the greater half comes behind."""
    return pad(features, ((taps - 1) // 2, taps // 2))
