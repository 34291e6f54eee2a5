"""Multi-head self-attention over [class token, instances] (paper, equations 8, 9 and 12).

Tokens ``(n_series, 1 + n_timepoints, L)``; token 0 is the class token. Masks ``(n_series, 1 + n_timepoints)``.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, scaled_dot_product_attention

from timemil_core.models.config import ModelConfig
from timemil_core.models.drawing import Dropout
from timemil_core.models.fast.precision import in_float32
from timemil_core.models.masking import masked_softmax
from timemil_core.models.nystrom import NystromFactors, nystrom_factors

VALUE_CONVOLUTION_SIZE = 33
ROWS_AT_ONCE = 512


class SelfAttention(nn.Module):
    """One attention layer: exact or Nyström over all tokens, or the class token's exact row alone."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        inner = config.n_heads * config.head_size
        self.to_query_key_value = nn.Linear(config.embedding_width, 3 * inner, bias=False)
        self.output = nn.Linear(inner, config.embedding_width)
        self.dropout = Dropout(config.dropout)
        self.value_convolution: nn.Conv2d | None = None
        if config.value_convolution != "none":
            size = (VALUE_CONVOLUTION_SIZE, 1)
            padding = (VALUE_CONVOLUTION_SIZE // 2, 0)
            heads = config.n_heads
            self.value_convolution = nn.Conv2d(heads, heads, size, padding=padding, groups=heads, bias=False)

    @property
    def scale(self) -> float:
        """1 / sqrt(d_k) of equation 9."""
        return self.config.head_size**-0.5

    def uses_nystrom(self, n_tokens: int) -> bool:
        """Tell whether a series of this many observed tokens (class token included) is approximated."""
        if self.config.attention == "auto":
            return n_tokens - 1 > self.config.exact_up_to
        return self.config.attention == "nystrom"

    def forward(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return what each token takes from all tokens, ``(n_series, 1 + n_timepoints, L)``."""
        return self._mixed(*self._query_key_value(tokens), mask)

    def with_class_token_row(self, tokens: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return what ``forward`` returns, and the class token's row of the very map that it used.

        The row is ``(n_series, n_heads, 1 + n_timepoints)``: exact, or Nyström's own.
        """
        query, key, value = self._query_key_value(tokens)
        row = self._by_kind(self._exact_row, self._approximate_row, mask, query, key)
        return self._mixed(query, key, value, mask), row

    def _mixed(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
        mixed = self._by_kind(self._exact, self._approximate, mask, query, key, value)
        if self.value_convolution is None:
            return self._joined(mixed)
        if mask is not None:
            value = value * mask[:, None, :, None]
        # The class token keeps to its attention: it neither gives to nor takes from a convolution over instances.
        first = 0 if self.config.value_convolution == "all" else 1
        convolved = self.value_convolution(value[:, :, first:])
        if torch.is_grad_enabled():
            mixed = mixed + pad(convolved, (0, 0, first, 0))
        else:
            mixed[:, :, first:] += convolved
        return self._joined(mixed)

    def class_token_row(self, tokens: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return what the class token takes, ``(n_series, L)``, and its exact weights ``(n_series, n_heads, 1 + n)``.

        Only token 0 reaches the classifier, so this row is all that the last layer owes. Keys fold into the query
        and values into the output: ``q (W_k x_t) = (q W_k) x_t``, ``sum_t a_t W_v x_t = W_v sum_t a_t x_t``, in
        time O(n) without a key or a value of any instance.
        """
        weights = self.class_token_weights(tokens, mask)
        context = torch.einsum("bhn,bnl->bhl", weights, tokens)
        row = torch.einsum("bhl,hdl->bhd", context, self._head_weights(2))
        if self.value_convolution is not None and self.config.value_convolution == "all":
            row = row + self._first_tokens_convolved(tokens, mask)
        return self._joined(row[:, :, None, :])[:, 0], weights

    @in_float32
    def class_token_weights(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return equation 12 exactly, the class token included: ``(n_series, n_heads, 1 + n_timepoints)``."""
        query = torch.einsum("bl,hdl->bhd", tokens[:, 0], self._head_weights(0))
        folded = torch.einsum("bhd,hdl->bhl", query * self.scale, self._head_weights(1))
        scores = torch.einsum("bhl,bnl->bhn", folded, tokens)
        return masked_softmax(scores, None if mask is None else mask[:, None, :])

    def used_class_token_weights(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return the class token's row of the map that ``forward`` uses: exact, or Nyström's own row."""
        query, key, _ = self._query_key_value(tokens)
        return self._by_kind(self._exact_row, self._approximate_row, mask, query, key)

    def values(self, tokens: Tensor) -> Tensor:
        """Return the values v of normalised tokens ``(n_series, n, L)``: ``(n_series, n_heads, n, head_size)``."""
        return self._query_key_value(tokens)[2]

    def left_multiply(self, row: Tensor, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return row · (map averaged over heads) for ``row (n_series, n)``; what attention rollout needs."""
        return self._by_kind(self._exact_left_multiply, self._approximate_left_multiply, mask, row, tokens)

    def _by_kind(
        self, exact: Callable[..., Tensor], approximate: Callable[..., Tensor], mask: Tensor | None, *tensors: Tensor
    ) -> Tensor:
        # A series' own length chooses its arithmetic, not the length that its batch is padded to. Both take
        # (*tensors, mask), every tensor with the series first; the tokens are on the second axis from the end.
        padded = tensors[-1].shape[-2]
        if mask is None or self.config.attention != "auto" or not self.uses_nystrom(padded):
            return (approximate if self.uses_nystrom(padded) else exact)(*tensors, mask)
        is_long = mask.sum(dim=1) - 1 > self.config.exact_up_to
        if is_long.all() or not is_long.any():
            return (approximate if is_long.all() else exact)(*tensors, mask)
        short = exact(*(tensor[~is_long] for tensor in tensors), mask[~is_long])
        result = short.new_empty(len(mask), *short.shape[1:])
        result[~is_long] = short
        # Under autocast the two need not come out in one precision.
        result[is_long] = approximate(*(tensor[is_long] for tensor in tensors), mask[is_long]).to(result.dtype)
        return result

    def _exact(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
        allowed = None if mask is None else mask[:, None, None, :]
        return scaled_dot_product_attention(query, key, value, attn_mask=allowed, scale=self.scale)

    @in_float32
    def _approximate(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
        return self._factors(query, key, mask).apply(value)

    @in_float32
    def _exact_row(self, query: Tensor, key: Tensor, mask: Tensor | None) -> Tensor:
        scores = torch.einsum("bhd,bhnd->bhn", query[:, :, 0] * self.scale, key)
        return masked_softmax(scores, None if mask is None else mask[:, None, :])

    @in_float32
    def _approximate_row(self, query: Tensor, key: Tensor, mask: Tensor | None) -> Tensor:
        return self._factors(query, key, mask).rows(0, 1)[:, :, 0]

    def _exact_left_multiply(self, row: Tensor, tokens: Tensor, mask: Tensor | None) -> Tensor:
        query, key, _ = self._query_key_value(tokens)
        allowed = None if mask is None else mask[:, None, None, :]
        result = torch.zeros_like(row)
        for start in range(0, tokens.shape[1], ROWS_AT_ONCE):
            some = query[:, :, start : start + ROWS_AT_ONCE] * self.scale
            weights = masked_softmax(some @ key.transpose(-1, -2), allowed)
            result = result + torch.einsum("bn,bhnm->bm", row[:, start : start + ROWS_AT_ONCE], weights)
        return result / self.config.n_heads

    def _approximate_left_multiply(self, row: Tensor, tokens: Tensor, mask: Tensor | None) -> Tensor:
        query, key, _ = self._query_key_value(tokens)
        return self._factors(query, key, mask).left_multiply(row[:, None, None, :])[:, :, 0].mean(dim=1)

    def _query_key_value(self, tokens: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        n_series, n, _ = tokens.shape
        joint = self.to_query_key_value(tokens).view(n_series, n, 3, self.config.n_heads, self.config.head_size)
        query, key, value = joint.permute(2, 0, 3, 1, 4).unbind(0)  # each (n_series, n_heads, n, head_size)
        return query, key, value

    def _head_weights(self, which: int) -> Tensor:
        # 0 query, 1 key, 2 value; (n_heads, head_size, L)
        heads, size = self.config.n_heads, self.config.head_size
        return self.to_query_key_value.weight.view(3, heads, size, -1)[which]

    def _factors(self, query: Tensor, key: Tensor, mask: Tensor | None) -> NystromFactors:
        config = self.config
        return nystrom_factors(query * self.scale, key, mask, config.n_landmarks, config.pseudo_inverse_iterations)

    def _first_tokens_convolved(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        assert self.value_convolution is not None
        reach = VALUE_CONVOLUTION_SIZE // 2 + 1
        first = tokens[:, :reach] if mask is None else tokens[:, :reach] * mask[:, :reach, None]
        value = torch.einsum("bnl,hdl->bhnd", first, self._head_weights(2))
        taps = self.value_convolution.weight[:, 0, reach - 1 : reach - 1 + first.shape[1], 0]
        return torch.einsum("bhnd,hn->bhd", value, taps)

    def _joined(self, mixed: Tensor) -> Tensor:
        return self.dropout(self.output(mixed.transpose(1, 2).flatten(2)))
