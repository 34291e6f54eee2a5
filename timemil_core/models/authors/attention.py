"""Self-attention as the authors' code has it: Nyström's approximation with zeros in front, which nobody masks."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import pad

from timemil_core.errors import ModelError
from timemil_core.models.attention import NystromAttention, SelfAttention
from timemil_core.models.authors.config import AuthorsConfig, Scaling
from timemil_core.models.fast.precision import in_float32


class FrontPaddedAttention(NystromAttention):
    """A map over ``n_padding`` zeros and then the tokens; what comes in and goes out is of the tokens alone.

    The zeros make N a multiple of the landmarks, of which each is the mean of as many tokens. They take their share of
    every softmax and are averaged into the first landmarks. Their values are zero, so a row without them still is what
    mixes the tokens.
    """

    def __init__(self, query: Tensor, key: Tensor, n_landmarks: int, n_iterations: int, scaling: Scaling) -> None:
        self.n_padding = -query.shape[2] % n_landmarks
        self._factor_padded(query, key, n_landmarks, n_iterations, scaling)

    @in_float32
    def _factor_padded(self, query: Tensor, key: Tensor, n_landmarks: int, n_iterations: int, scaling: Scaling) -> None:
        self.query = pad(query * query.shape[-1] ** -0.5, (0, 0, self.n_padding, 0))  # (B, H, n_padding + N, d)
        self.key = pad(key, (0, 0, self.n_padding, 0))  # (B, H, n_padding + N, d)
        self.query_landmarks = self.query.unflatten(2, (n_landmarks, -1)).mean(dim=3)  # (B, H, m, d)
        self.key_landmarks = self.key.unflatten(2, (n_landmarks, -1)).mean(dim=3)  # (B, H, m, d)
        self.token_mask = self.landmark_mask = None
        among = (self.query_landmarks @ self.key_landmarks.transpose(-1, -2)).softmax(dim=-1)  # (B, H, m, m)
        self.inverse = pseudo_inverse(among, n_iterations, scaling)  # (B, H, m, m)

    def mixed(self, value: Tensor) -> Tensor:
        """Return A · V, ``(B, H, N, d)``."""
        return super().mixed(pad(value, (0, 0, self.n_padding, 0)))[:, :, self.n_padding :]

    def row(self) -> Tensor:
        """Return the class token's row over the tokens, ``(B, H, N)``."""
        return self._padded_row()[..., self.n_padding :]

    def left_multiply(self, row: Tensor) -> Tensor:
        """Return row · A, ``(B, N)``."""
        return super().left_multiply(pad(row, (self.n_padding, 0)))[:, self.n_padding :]

    def weight_on_padding(self) -> Tensor:
        """Return how much of the class token's row falls on the zeros, ``(B, H)``."""
        return self._padded_row()[..., : self.n_padding].sum(dim=-1)

    def _padded_row(self) -> Tensor:
        return self.rows(self.query[:, :, self.n_padding : self.n_padding + 1])[:, :, 0]  # (B, H, n_padding + N)


class AuthorsAttention(SelfAttention):
    """``SelfAttention`` with the map of their Nyström: everything else of the layer is the same arithmetic."""

    config: AuthorsConfig

    def _of_one_kind(self, uses_nystrom: bool, query: Tensor, key: Tensor, mask: Tensor | None) -> FrontPaddedAttention:
        assert uses_nystrom  # their networks know no other kind
        refuse_padding(mask)
        config = self.config
        return FrontPaddedAttention(query, key, config.n_landmarks, config.pseudo_inverse_iterations, config.scaling)


def pseudo_inverse(matrix: Tensor, n_iterations: int, scaling: Scaling) -> Tensor:
    """Iterate towards the inverse of ``(B, H, m, m)`` from a scale that heads, or all series, share."""
    shared = (1, 2) if scaling == "series" else (0, 1, 2)
    column, row = (matrix.abs().sum(dim=dim).amax(dim=shared, keepdim=True) for dim in (-2, -1))
    inverse = matrix.transpose(-1, -2) / (column * row)[..., None]
    identity = torch.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)
    for _ in range(n_iterations):
        product = matrix @ inverse
        inverse = 0.25 * inverse @ (13 * identity - product @ (15 * identity - product @ (7 * identity - product)))
    return inverse


def refuse_padding(mask: Tensor | None) -> None:
    """Raise ModelError where a time point is masked: their arithmetic would count it."""
    if mask is not None and not bool(mask.all()):
        raise ModelError(
            "the authors' arithmetic has no mask: it cannot leave time points out.",
            remedy="Give series of one length at a time, and another filler than 'masked out'.",
        )
