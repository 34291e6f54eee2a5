"""Nyström's approximation of attention (Xiong et al. 2021), masked, and the same for a series in any batch.

``softmax(Q Kᵀ) ≈ left · pinv(middle) · right`` with landmarks that are means of segments. Segments divide each
series' *observed* tokens evenly, and the pseudo-inverse is scaled per series and head, so neither padding nor batch
mates change a result.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class NystromFactors:
    """``left (..., n, m)``, ``inverse (..., m, m)``, ``right (..., m, n)``: their product is the attention map."""

    left: Tensor
    inverse: Tensor
    right: Tensor

    def apply(self, values: Tensor) -> Tensor:
        """Return map · values, ``(..., n, d)``, in time linear in n."""
        return self.left @ (self.inverse @ (self.right @ values))

    def rows(self, start: int, stop: int) -> Tensor:
        """Return rows of the map, ``(..., stop - start, n)``. They can be negative and need not sum to 1."""
        return self.left[..., start:stop, :] @ self.inverse @ self.right

    def left_multiply(self, row: Tensor) -> Tensor:
        """Return row · map for ``row (..., 1, n)``."""
        return ((row @ self.left) @ self.inverse) @ self.right


def pseudo_inverse(matrix: Tensor, n_iterations: int) -> Tensor:
    """Moore–Penrose inverse of ``(..., m, m)`` by Razavi's iteration, started per matrix (Xiong et al., eq. 11)."""
    column = matrix.abs().sum(dim=-2).amax(dim=-1)
    row = matrix.abs().sum(dim=-1).amax(dim=-1)
    inverse = matrix.transpose(-1, -2) / (column * row)[..., None, None]
    identity = torch.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)
    for _ in range(n_iterations):
        product = matrix @ inverse
        inverse = 0.25 * inverse @ (13 * identity - product @ (15 * identity - product @ (7 * identity - product)))
    return inverse


def segments(mask: Tensor, n_landmarks: int) -> Tensor:
    """Return the landmark of each token: ``(n_series, n)``; ``n_landmarks`` itself where the token is masked.

    A series with fewer observed tokens than landmarks uses one landmark a token, the rest stay empty.
    """
    rank = mask.cumsum(dim=1) - 1
    n_observed = mask.sum(dim=1, keepdim=True)
    n_used = n_observed.clamp(max=n_landmarks)
    segment = torch.div(rank * n_used, n_observed.clamp(min=1), rounding_mode="floor")
    return torch.where(mask, segment, n_landmarks)


def segment_means(tokens: Tensor, segment: Tensor, n_landmarks: int) -> tuple[Tensor, Tensor]:
    """Return landmark means ``(n_series, n_heads, m, d)`` and which are in use ``(n_series, m)``."""
    n_series, n_heads, n, width = tokens.shape
    index = segment[:, None, :, None].expand(n_series, n_heads, n, width)
    sums = tokens.new_zeros(n_series, n_heads, n_landmarks + 1, width).scatter_add(2, index, tokens)
    counts = tokens.new_zeros(n_series, n_landmarks + 1).scatter_add(
        1, segment, torch.ones_like(segment, dtype=tokens.dtype)
    )
    means = sums / counts.clamp(min=1)[:, None, :, None]
    return means[:, :, :n_landmarks], counts[:, :n_landmarks] > 0


def nystrom_factors(
    query: Tensor, key: Tensor, mask: Tensor | None, n_landmarks: int, n_iterations: int
) -> NystromFactors:
    """Factor the attention map of scaled queries and keys ``(n_series, n_heads, n, d)``.

    ``mask`` is ``(n_series, n)``, True where observed. Empty landmarks form an identity block of the middle matrix,
    which the pseudo-inverse leaves apart.
    """
    if mask is None:
        mask = torch.ones(query.shape[0], query.shape[2], dtype=torch.bool, device=query.device)
    n_landmarks = min(n_landmarks, query.shape[2])
    segment = segments(mask, n_landmarks)
    query_landmarks, used = segment_means(query, segment, n_landmarks)
    key_landmarks, _ = segment_means(key, segment, n_landmarks)
    lowest = torch.finfo(query.dtype).min
    to_landmarks = (query @ key_landmarks.transpose(-1, -2)).masked_fill(~used[:, None, None, :], lowest)
    identity = torch.eye(n_landmarks, dtype=torch.bool, device=query.device)
    allowed = (used[:, :, None] & used[:, None, :]) | identity
    among = (query_landmarks @ key_landmarks.transpose(-1, -2)).masked_fill(~allowed[:, None], lowest)
    from_landmarks = (query_landmarks @ key.transpose(-1, -2)).masked_fill(~mask[:, None, None, :], lowest)
    return NystromFactors(
        left=to_landmarks.softmax(dim=-1),
        inverse=pseudo_inverse(among.softmax(dim=-1), n_iterations),
        right=from_landmarks.softmax(dim=-1),
    )
