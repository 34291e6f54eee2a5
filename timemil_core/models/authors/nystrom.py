"""Nyström's approximation as the authors' code has it: zeros in front of the tokens, and nobody masks them."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import pad

from timemil_core.models.authors.config import Scaling
from timemil_core.models.nystrom import NystromFactors


@dataclass(frozen=True)
class FrontPaddedFactors(NystromFactors):
    """Factors over ``n_padding`` zeros and then the tokens; what comes in and goes out is of the tokens alone.

    The zeros take their share of every softmax and are averaged into the first landmarks. Their values are zero, so
    a row without them still is what mixes the tokens.
    """

    n_padding: int

    def apply(self, values: Tensor) -> Tensor:
        """Return map · values, ``(..., n, d)``."""
        return super().apply(pad(values, (0, 0, self.n_padding, 0)))[..., self.n_padding :, :]

    def rows(self, start: int, stop: int) -> Tensor:
        """Return rows of the map over the tokens, ``(..., stop - start, n)``."""
        return self._padded_rows(start, stop)[..., self.n_padding :]

    def left_multiply(self, row: Tensor) -> Tensor:
        """Return row · map for ``row (..., 1, n)``."""
        return super().left_multiply(pad(row, (self.n_padding, 0)))[..., self.n_padding :]

    def weight_on_padding(self, start: int, stop: int) -> Tensor:
        """Return what rows give to the zeros, ``(..., stop - start)``."""
        return self._padded_rows(start, stop)[..., : self.n_padding].sum(dim=-1)

    def _padded_rows(self, start: int, stop: int) -> Tensor:
        return super().rows(self.n_padding + start, self.n_padding + stop)


def front_padded_factors(
    query: Tensor, key: Tensor, n_landmarks: int, n_iterations: int, scaling: Scaling
) -> FrontPaddedFactors:
    """Factor the attention map of scaled queries and keys ``(n_series, n_heads, n, d)``.

    Zeros in front make n a multiple of ``n_landmarks``; a landmark is the mean of as many tokens as every other.
    """
    n_padding = -query.shape[2] % n_landmarks
    query, key = (pad(one, (0, 0, n_padding, 0)) for one in (query, key))
    query_landmarks, key_landmarks = (one.unflatten(2, (n_landmarks, -1)).mean(dim=3) for one in (query, key))
    among = (query_landmarks @ key_landmarks.transpose(-1, -2)).softmax(dim=-1)
    return FrontPaddedFactors(
        query=query,
        key=key,
        query_landmarks=query_landmarks,
        key_landmarks=key_landmarks,
        inverse=pseudo_inverse(among, n_iterations, scaling),
        token_mask=None,
        landmark_mask=None,
        n_padding=n_padding,
    )


def pseudo_inverse(matrix: Tensor, n_iterations: int, scaling: Scaling) -> Tensor:
    """Iterate towards the inverse of ``(n_series, n_heads, m, m)`` from a scale that heads, or all series, share."""
    shared = (1, 2) if scaling == "series" else (0, 1, 2)
    column, row = (matrix.abs().sum(dim=dim).amax(dim=shared, keepdim=True) for dim in (-2, -1))
    inverse = matrix.transpose(-1, -2) / (column * row)[..., None]
    identity = torch.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)
    for _ in range(n_iterations):
        product = matrix @ inverse
        inverse = 0.25 * inverse @ (13 * identity - product @ (15 * identity - product @ (7 * identity - product)))
    return inverse
