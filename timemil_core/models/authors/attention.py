"""Self-attention over tokens that the authors' code pads in front."""

from __future__ import annotations

from torch import Tensor

from timemil_core.errors import ModelError
from timemil_core.models.attention import SelfAttention
from timemil_core.models.authors.config import AuthorsConfig
from timemil_core.models.authors.nystrom import FrontPaddedFactors, front_padded_factors


class AuthorsAttention(SelfAttention):
    """``SelfAttention`` with the map of their Nyström: everything else of the layer is the same arithmetic."""

    config: AuthorsConfig

    def weight_on_padding(self, tokens: Tensor) -> Tensor:
        """Return how much of the class token's row falls on their zeros, ``(n_series, n_heads)``."""
        query, key, _ = self._query_key_value(tokens)
        return self._factors(query, key, None).weight_on_padding(0, 1)[..., 0]

    def _factors(self, query: Tensor, key: Tensor, mask: Tensor | None) -> FrontPaddedFactors:
        refuse_padding(mask)
        config = self.config
        return front_padded_factors(
            query * self.scale, key, config.n_landmarks, config.pseudo_inverse_iterations, config.scaling
        )


def refuse_padding(mask: Tensor | None) -> None:
    """Raise ModelError where a time point is masked: their arithmetic would count it."""
    if mask is not None and not bool(mask.all()):
        raise ModelError(
            "the authors' arithmetic has no mask: it cannot leave time points out.",
            remedy="Give series of one length at a time, and another filler than 'masked out'.",
        )
