"""Nyström's approximation of attention (Xiong et al. 2021), masked, and the same for a series in any batch.

``softmax(Q Kᵀ) ≈ left · pinv(middle) · right`` with landmarks that are means of segments. Segments divide each
series' *observed* tokens evenly, and the pseudo-inverse is scaled per series and head, so neither padding nor batch
mates change a result.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import one_hot, scaled_dot_product_attention

from timemil_core.models.fast.checkpointing import computed_again
from timemil_core.models.masking import masked_softmax


@dataclass(frozen=True)
class NystromFactors:
    """An attention map as three factors; of the two large ones only what they are made of is kept.

    Attributes
    ----------
    query, key
        ``(..., n, d)``, queries scaled.
    query_landmarks, key_landmarks
        ``(..., m, d)``.
    inverse
        ``(..., m, m)``: the pseudo-inverse among landmarks.
    token_mask, landmark_mask
        ``(..., 1, n)`` and ``(..., 1, m)``, True where observed and in use; None where all are.
    """

    query: Tensor
    key: Tensor
    query_landmarks: Tensor
    key_landmarks: Tensor
    inverse: Tensor
    token_mask: Tensor | None
    landmark_mask: Tensor | None

    @property
    def left(self) -> Tensor:
        """How tokens attend to landmarks, ``(..., n, m)``."""
        return self._left_rows(self.query)

    @property
    def right(self) -> Tensor:
        """How landmarks attend to tokens, ``(..., m, n)``."""
        return masked_softmax(self.query_landmarks @ self.key.transpose(-1, -2), self.token_mask)

    def apply(self, values: Tensor) -> Tensor:
        """Return map · values, ``(..., n, d)``, in time and memory linear in n: neither left nor right is formed."""
        gathered = scaled_dot_product_attention(
            self.query_landmarks, self.key, values, attn_mask=self.token_mask, scale=1.0
        )
        return scaled_dot_product_attention(
            self.query, self.key_landmarks, self.inverse @ gathered, attn_mask=self.landmark_mask, scale=1.0
        )

    def rows(self, start: int, stop: int) -> Tensor:
        """Return rows of the map, ``(..., stop - start, n)``. They can be negative and need not sum to 1."""
        return self._left_rows(self.query[..., start:stop, :]) @ self.inverse @ self.right

    def left_multiply(self, row: Tensor) -> Tensor:
        """Return row · map for ``row (..., 1, n)``."""
        return ((row @ self.left) @ self.inverse) @ self.right

    def _left_rows(self, query: Tensor) -> Tensor:
        return masked_softmax(query @ self.key_landmarks.transpose(-1, -2), self.landmark_mask)


def pseudo_inverse(matrix: Tensor, n_iterations: int) -> Tensor:
    """Moore–Penrose inverse of ``(..., m, m)`` by Razavi's iteration, started per matrix (Xiong et al., eq. 11)."""
    column = matrix.abs().sum(dim=-2).amax(dim=-1)
    row = matrix.abs().sum(dim=-1).amax(dim=-1)
    inverse = matrix.transpose(-1, -2) / (column * row)[..., None, None]
    shape, size = matrix.shape, matrix.shape[-1]
    matrix, inverse = matrix.reshape(-1, size, size), inverse.reshape(-1, size, size)
    identity = torch.eye(size, dtype=matrix.dtype, device=matrix.device)

    def iterated(matrix: Tensor, inverse: Tensor) -> Tensor:
        product = matrix @ inverse
        inner = torch.baddbmm(15 * identity, product, 7 * identity - product, alpha=-1)
        return 0.25 * inverse @ torch.baddbmm(13 * identity, product, inner, alpha=-1)

    for _ in range(n_iterations):
        inverse = computed_again(iterated, matrix, inverse)
    return inverse.view(shape)


def segments(mask: Tensor, n_landmarks: int) -> Tensor:
    """Return the landmark of each token: ``(n_series, n)``; ``n_landmarks`` itself where the token is masked.

    A series with fewer observed tokens than landmarks uses one landmark a token, the rest stay empty.
    """
    rank = mask.cumsum(dim=1) - 1
    n_observed = mask.sum(dim=1, keepdim=True)
    n_used = n_observed.clamp(max=n_landmarks)
    segment = torch.div(rank * n_used, n_observed.clamp(min=1), rounding_mode="floor")
    return torch.where(mask, segment, n_landmarks)


def landmark_means(tokens: Tensor, segment: Tensor, n_landmarks: int) -> Tensor:
    """Return the mean of each landmark's tokens, zeros for an empty landmark, in O(n).

    Parameters
    ----------
    tokens
        ``(n_series, n_heads, n, d)``.
    segment
        ``(n_series, n)``, from `segments`.

    Returns
    -------
    Tensor
        ``(n_series, n_heads, n_landmarks, d)``.
    """
    n_series, n_heads, n, size = tokens.shape
    if tokens.device.type != "cpu":  # there additions come in no fixed order, and a seed would not fix the weights
        members = one_hot(segment, n_landmarks + 1)[..., :n_landmarks].to(tokens.dtype).transpose(1, 2)
        return (members / members.sum(dim=-1, keepdim=True).clamp(min=1))[:, None] @ tokens
    places = (segment + (n_landmarks + 1) * torch.arange(n_series)[:, None]).flatten()
    counts = torch.bincount(places, minlength=n_series * (n_landmarks + 1)).clamp(min=1)
    rows = tokens.transpose(1, 2).reshape(n_series * n, n_heads * size)
    sums = rows.new_zeros(len(counts), n_heads * size).index_add(0, places, rows)
    means = (sums / counts[:, None]).view(n_series, n_landmarks + 1, n_heads, size)
    return means[:, :n_landmarks].transpose(1, 2)


def nystrom_factors(
    query: Tensor, key: Tensor, mask: Tensor | None, n_landmarks: int, n_iterations: int
) -> NystromFactors:
    """Factor the attention map of scaled queries and keys ``(n_series, n_heads, n, d)``.

    ``mask`` is ``(n_series, n)``, True where observed. Empty landmarks form an identity block of the middle matrix,
    which the pseudo-inverse leaves apart.
    """
    n_landmarks = min(n_landmarks, query.shape[2])
    everywhere = torch.ones(query.shape[0], query.shape[2], dtype=torch.bool, device=query.device)
    segment = segments(everywhere if mask is None else mask, n_landmarks)
    query_landmarks, key_landmarks = (landmark_means(tokens, segment, n_landmarks) for tokens in (query, key))
    among = query_landmarks @ key_landmarks.transpose(-1, -2)
    landmark_mask = None
    if mask is not None:
        used = torch.arange(n_landmarks, device=query.device) < mask.sum(dim=1, keepdim=True)  # (n_series, m)
        landmark_mask = used[:, None, None, :]
        identity = torch.eye(n_landmarks, dtype=torch.bool, device=query.device)
        among = among.masked_fill(~((used[:, :, None] & used[:, None, :]) | identity)[:, None], float("-inf"))
    return NystromFactors(
        query=query,
        key=key,
        query_landmarks=query_landmarks,
        key_landmarks=key_landmarks,
        inverse=pseudo_inverse(among.softmax(dim=-1), n_iterations),
        token_mask=None if mask is None else mask[:, None, None, :],
        landmark_mask=landmark_mask,
    )
