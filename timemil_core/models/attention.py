"""Multi-head self-attention over [class token, instances] (equations 8, 9 and 12). Letters: timemil.py.

The map ``A = softmax(Q Kᵀ / √d)``, ``(B, H, N, N)`` over N = 1 + T tokens, is never kept whole. ``ExactAttention`` is
equation 9, ``NystromAttention`` its approximation (Xiong et al. 2021), and ``AttentionByLength`` both, for a batch of
short and long series. Masks ``(B, N)`` are True where observed, or None where all are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot, pad, scaled_dot_product_attention

from timemil_core.models.config import ModelConfig
from timemil_core.models.drawing import Dropout
from timemil_core.models.fast.checkpointing import computed_again
from timemil_core.models.fast.precision import in_float32
from timemil_core.models.masking import masked_softmax

VALUE_CONVOLUTION_SIZE = 33
ROWS_AT_ONCE = 512


class Attention(ABC):
    """A map A of N tokens onto N tokens, for each of B series and H heads."""

    @abstractmethod
    def mixed(self, value: Tensor) -> Tensor:
        """Return A · V of equation 9 for values ``(B, H, N, d)``: ``(B, H, N, d)``."""

    @abstractmethod
    def row(self) -> Tensor:
        """Return the class token's row of A (equation 12, the class token included), ``(B, H, N)``."""

    @abstractmethod
    def left_multiply(self, row: Tensor) -> Tensor:
        """Return row · (A averaged over heads) for ``row (B, N)``: ``(B, N)``, what attention rollout needs."""


class ExactAttention(Attention):
    """Equation 9 as it stands: time O(N²), and memory O(N)."""

    def __init__(self, query: Tensor, key: Tensor, mask: Tensor | None) -> None:
        self.query, self.key = query, key  # Q and K, each (B, H, N, d)
        self.scale = query.shape[-1] ** -0.5  # 1 / √d
        self.allowed = None if mask is None else mask[:, None, None, :]  # (B, 1, 1, N)

    def mixed(self, value: Tensor) -> Tensor:
        """Return A · V."""
        return scaled_dot_product_attention(self.query, self.key, value, attn_mask=self.allowed, scale=self.scale)

    def row(self) -> Tensor:
        """Return the class token's row."""
        return self._rows(self.query[:, :, :1])[:, :, 0]  # (B, H, N)

    def left_multiply(self, row: Tensor) -> Tensor:
        """Return row · A, some rows of A at a time."""
        result = torch.zeros_like(row)  # (B, N)
        pieces = zip(row.split(ROWS_AT_ONCE, dim=1), self.query.split(ROWS_AT_ONCE, dim=2), strict=True)
        for some, query in pieces:
            result = result + torch.einsum("bn,bhnm->bm", some, self._rows(query))  # (B, N)
        return result / self.query.shape[1]  # (B, N)

    @in_float32
    def _rows(self, query: Tensor) -> Tensor:
        scores = query * self.scale @ self.key.to(query.dtype).transpose(-1, -2)  # (B, H, n, N)
        return masked_softmax(scores, self.allowed)  # (B, H, n, N)


class NystromAttention(Attention):
    """Nyström's approximation (Xiong et al. 2021, equation 13), in time and memory O(N), masked.

    ``A ≈ left · inverse · right`` with m landmarks that are means of segments. Segments divide each series' *observed*
    tokens evenly, and the inverse is iterated for each series and head alone, so neither padding nor batch mates change
    a result. Rows can be negative and need not sum to 1.

    Attributes
    ----------
    query, key
        Q / √d and K, ``(B, H, N, d)``.
    query_landmarks, key_landmarks
        ``(B, H, m, d)``.
    inverse
        ``(B, H, m, m)``: the pseudo-inverse of what landmarks give to landmarks.
    token_mask, landmark_mask
        ``(B, 1, 1, N)`` and ``(B, 1, 1, m)``, True where observed and in use; None where all are.
    """

    def __init__(self, query: Tensor, key: Tensor, mask: Tensor | None, n_landmarks: int, n_iterations: int) -> None:
        self._factor(query, key, mask, min(n_landmarks, query.shape[2]), n_iterations)

    @in_float32
    def _factor(self, query: Tensor, key: Tensor, mask: Tensor | None, n_landmarks: int, n_iterations: int) -> None:
        self.query, self.key = query * query.shape[-1] ** -0.5, key  # (B, H, N, d)
        everywhere = torch.ones(query.shape[0], query.shape[2], dtype=torch.bool, device=query.device)  # (B, N)
        segment = segments(everywhere if mask is None else mask, n_landmarks)  # (B, N)
        self.query_landmarks = landmark_means(self.query, segment, n_landmarks)  # (B, H, m, d)
        self.key_landmarks = landmark_means(self.key, segment, n_landmarks)  # (B, H, m, d)
        among = self.query_landmarks @ self.key_landmarks.transpose(-1, -2)  # (B, H, m, m)
        self.token_mask = self.landmark_mask = None
        if mask is not None:
            used = torch.arange(n_landmarks, device=query.device) < mask.sum(dim=1, keepdim=True)  # (B, m)
            self.token_mask, self.landmark_mask = mask[:, None, None, :], used[:, None, None, :]
            # Landmarks not in use form an identity block, which the iteration leaves apart.
            identity = torch.eye(n_landmarks, dtype=torch.bool, device=query.device)  # (m, m)
            paired = (used[:, :, None] & used[:, None, :]) | identity  # (B, m, m)
            among = among.masked_fill(~paired[:, None], float("-inf"))  # (B, H, m, m)
        self.inverse = pseudo_inverse(among.softmax(dim=-1), n_iterations)  # (B, H, m, m)

    @in_float32
    def mixed(self, value: Tensor) -> Tensor:
        """Return A · V; neither left nor right is formed."""
        gathered = scaled_dot_product_attention(
            self.query_landmarks, self.key, value, attn_mask=self.token_mask, scale=1.0
        )  # (B, H, m, d)
        return scaled_dot_product_attention(
            self.query, self.key_landmarks, self.inverse @ gathered, attn_mask=self.landmark_mask, scale=1.0
        )  # (B, H, N, d)

    def row(self) -> Tensor:
        """Return the class token's row."""
        return self.rows(self.query[:, :, :1])[:, :, 0]  # (B, H, N)

    @in_float32
    def left_multiply(self, row: Tensor) -> Tensor:
        """Return row · A: of each head, then averaged."""
        gathered = row[:, None, None, :] @ self.left(self.query)  # (B, H, 1, m)
        return (gathered @ self.inverse @ self.right())[:, :, 0].mean(dim=1)  # (B, N)

    @in_float32
    def rows(self, query: Tensor) -> Tensor:
        """Return the rows of A of some queries ``(B, H, n, d)``: ``(B, H, n, N)``."""
        return self.left(query) @ self.inverse @ self.right()  # (B, H, n, N)

    def left(self, query: Tensor) -> Tensor:
        """Return how tokens of these queries attend to landmarks, ``(B, H, n, m)``."""
        return masked_softmax(query @ self.key_landmarks.transpose(-1, -2), self.landmark_mask)

    def right(self) -> Tensor:
        """Return how landmarks attend to tokens, ``(B, H, m, N)``."""
        return masked_softmax(self.query_landmarks @ self.key.transpose(-1, -2), self.token_mask)


class AttentionByLength(Attention):
    """The short series of a batch by one map, the long ones by another: as each would be alone."""

    def __init__(self, is_long: Tensor, short: Attention, long: Attention) -> None:
        self.is_long, self.short, self.long = is_long, short, long  # (B,) boolean

    def mixed(self, value: Tensor) -> Tensor:
        """Return A · V."""
        return self._joined(self.short.mixed(value[~self.is_long]), self.long.mixed(value[self.is_long]))

    def row(self) -> Tensor:
        """Return the class token's row."""
        return self._joined(self.short.row(), self.long.row())

    def left_multiply(self, row: Tensor) -> Tensor:
        """Return row · A."""
        return self._joined(self.short.left_multiply(row[~self.is_long]), self.long.left_multiply(row[self.is_long]))

    def _joined(self, short: Tensor, long: Tensor) -> Tensor:
        result = short.new_empty(len(self.is_long), *short.shape[1:])  # (B, …)
        result[~self.is_long] = short
        result[self.is_long] = long.to(short.dtype)  # under autocast the two need not come out in one precision
        return result


class SelfAttention(nn.Module):
    """One layer of equation 8: every token takes from all tokens, or the class token alone does, exactly."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        inner = config.n_heads * config.head_size
        self.to_query_key_value = nn.Linear(config.embedding_width, 3 * inner, bias=False)  # W_Q, W_K and W_V
        self.output = nn.Linear(inner, config.embedding_width)  # W_0
        self.dropout = Dropout(config.dropout)
        # Not in the paper: the authors' code adds a depth-wise convolution of V over time to A · V.
        self.value_convolution: nn.Conv2d | None = None
        if config.value_convolution != "none":
            size = (VALUE_CONVOLUTION_SIZE, 1)
            padding = (VALUE_CONVOLUTION_SIZE // 2, 0)
            heads = config.n_heads
            self.value_convolution = nn.Conv2d(heads, heads, size, padding=padding, groups=heads, bias=False)

    def uses_nystrom(self, n_tokens: int) -> bool:
        """Tell whether a series of this many observed tokens (class token included) is approximated."""
        if self.config.attention == "auto":
            return n_tokens - 1 > self.config.exact_up_to
        return self.config.attention == "nystrom"

    def forward(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return what each token takes from all tokens, ``(B, N, L)``."""
        return self.with_map(tokens, mask)[0]  # (B, N, L)

    def with_map(self, tokens: Tensor, mask: Tensor | None) -> tuple[Tensor, Attention]:
        """Return what ``forward`` returns, and the very map that it used."""
        query, key, value = self._query_key_value(tokens)  # Q, K and V, each (B, H, N, d)
        attention = self._map(query, key, mask)  # A, (B, H, N, N)
        mixed = attention.mixed(value)  # A · V, (B, H, N, d)
        if self.value_convolution is not None:
            value = value if mask is None else value * mask[:, None, :, None]  # (B, H, N, d)
            # The class token keeps to its attention: it neither gives to nor takes from a convolution over instances.
            first = 0 if self.config.value_convolution == "all" else 1
            convolved = self.value_convolution(value[:, :, first:])  # (B, H, N - first, d)
            mixed = mixed + pad(convolved, (0, 0, first, 0))  # (B, H, N, d)
        return self._joined(mixed), attention  # (B, N, L), (B, H, N, N)

    def map_of(self, tokens: Tensor, mask: Tensor | None) -> Attention:
        """Return the map that ``forward`` uses, without what it mixes."""
        query, key, _ = self._query_key_value(tokens)  # each (B, H, N, d)
        return self._map(query, key, mask)  # (B, H, N, N)

    def values(self, tokens: Tensor) -> Tensor:
        """Return the values V of normalised tokens ``(B, N, L)``: ``(B, H, N, d)``."""
        return self._query_key_value(tokens)[2]  # (B, H, N, d)

    def class_token_alone(self, tokens: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return what the class token takes, ``(B, 1, L)``, and its exact row (equation 12), ``(B, H, N)``.

        Only token 0 reaches the classifier, so this row is all that the last layer owes. Keys fold into the query
        and values into the output: ``q (W_K x_t) = (q W_K) x_t``, ``Σ_t a_t W_V x_t = W_V Σ_t a_t x_t``, in time
        O(N) without a key or a value of any instance.
        """
        row = self.class_token_row(tokens, mask)  # (B, H, N)
        context = torch.einsum("bhn,bnl->bhl", row, tokens)  # Σ_t a_t x_t, (B, H, L)
        mixed = torch.einsum("bhl,hdl->bhd", context, self._weights(2))  # (B, H, d)
        if self.value_convolution is not None and self.config.value_convolution == "all":
            mixed = mixed + self._first_tokens_convolved(tokens, mask)  # (B, H, d)
        return self._joined(mixed[:, :, None, :]), row  # (B, 1, L), (B, H, N)

    @in_float32
    def class_token_row(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return equation 12 exactly, the class token included: ``(B, H, N)``."""
        query = torch.einsum("bl,hdl->bhd", tokens[:, 0], self._weights(0))  # q = x_cls W_Q, (B, H, d)
        folded = torch.einsum("bhd,hdl->bhl", query * self.config.head_size**-0.5, self._weights(1))  # (B, H, L)
        scores = torch.einsum("bhl,bnl->bhn", folded, tokens)  # (B, H, N)
        return masked_softmax(scores, None if mask is None else mask[:, None, :])  # (B, H, N)

    def _query_key_value(self, tokens: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        joint = self.to_query_key_value(tokens)  # (B, N, 3 · H · d)
        by_head = joint.unflatten(2, (3, self.config.n_heads, self.config.head_size))  # (B, N, 3, H, d)
        query, key, value = by_head.permute(2, 0, 3, 1, 4).unbind(0)  # each (B, H, N, d)
        return query, key, value

    def _map(self, query: Tensor, key: Tensor, mask: Tensor | None) -> Attention:
        # A series' own length chooses its arithmetic, not that to which its batch is padded.
        if mask is None or self.config.attention != "auto" or not self.uses_nystrom(query.shape[2]):
            return self._of_one_kind(self.uses_nystrom(query.shape[2]), query, key, mask)
        is_long = mask.sum(dim=1) - 1 > self.config.exact_up_to  # (B,)
        if is_long.all() or not is_long.any():
            return self._of_one_kind(bool(is_long.all()), query, key, mask)
        short, long = ([one[chosen] for one in (query, key, mask)] for chosen in (~is_long, is_long))
        return AttentionByLength(is_long, self._of_one_kind(False, *short), self._of_one_kind(True, *long))

    def _of_one_kind(self, uses_nystrom: bool, query: Tensor, key: Tensor, mask: Tensor | None) -> Attention:
        if not uses_nystrom:
            return ExactAttention(query, key, mask)
        return NystromAttention(query, key, mask, self.config.n_landmarks, self.config.pseudo_inverse_iterations)

    def _weights(self, which: int) -> Tensor:
        # W_Q, W_K or W_V by head, (H, d, L)
        return self.to_query_key_value.weight.view(3, self.config.n_heads, self.config.head_size, -1)[which]

    def _first_tokens_convolved(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        assert self.value_convolution is not None
        reach = VALUE_CONVOLUTION_SIZE // 2 + 1
        first = tokens[:, :reach] if mask is None else tokens[:, :reach] * mask[:, :reach, None]  # (B, 17, L)
        value = torch.einsum("bnl,hdl->bhnd", first, self._weights(2))  # (B, H, 17, d)
        taps = self.value_convolution.weight[:, 0, reach - 1 : reach - 1 + first.shape[1], 0]  # (H, 17)
        return torch.einsum("bhnd,hn->bhd", value, taps)  # (B, H, d)

    def _joined(self, mixed: Tensor) -> Tensor:
        heads = mixed.transpose(1, 2).flatten(2)  # [head_1, …, head_H], (B, N, H · d)
        return self.dropout(self.output(heads))  # (B, N, L)


def pseudo_inverse(matrix: Tensor, n_iterations: int) -> Tensor:
    """Moore–Penrose inverse of ``(B, H, m, m)`` by Razavi's iteration, started per matrix (Xiong et al., eq. 11)."""
    column = matrix.abs().sum(dim=-2).amax(dim=-1)  # (B, H)
    row = matrix.abs().sum(dim=-1).amax(dim=-1)  # (B, H)
    inverse = matrix.transpose(-1, -2) / (column * row)[..., None, None]  # (B, H, m, m)
    shape = matrix.shape
    matrix, inverse = matrix.flatten(0, 1), inverse.flatten(0, 1)  # (B · H, m, m), as baddbmm takes them
    identity = torch.eye(shape[-1], dtype=matrix.dtype, device=matrix.device)  # (m, m)

    def iterated(matrix: Tensor, inverse: Tensor) -> Tensor:
        product = matrix @ inverse  # (B · H, m, m)
        inner = torch.baddbmm(15 * identity, product, 7 * identity - product, alpha=-1)  # (B · H, m, m)
        return 0.25 * inverse @ torch.baddbmm(13 * identity, product, inner, alpha=-1)  # (B · H, m, m)

    for _ in range(n_iterations):
        inverse = computed_again(iterated, matrix, inverse)  # (B · H, m, m)
    return inverse.view(shape)  # (B, H, m, m)


def segments(mask: Tensor, n_landmarks: int) -> Tensor:
    """Return the landmark of each token: ``(B, N)``; ``n_landmarks`` itself where the token is masked.

    A series with fewer observed tokens than landmarks uses one landmark a token, the rest stay empty.
    """
    rank = mask.cumsum(dim=1) - 1  # (B, N)
    n_observed = mask.sum(dim=1, keepdim=True)  # (B, 1)
    n_used = n_observed.clamp(max=n_landmarks)  # (B, 1)
    segment = torch.div(rank * n_used, n_observed.clamp(min=1), rounding_mode="floor")  # (B, N)
    return torch.where(mask, segment, n_landmarks)  # (B, N)


def landmark_means(tokens: Tensor, segment: Tensor, n_landmarks: int) -> Tensor:
    """Return the mean of each landmark's tokens, ``(B, H, m, d)``, zeros for an empty landmark, in O(N).

    ``tokens`` is ``(B, H, N, d)``, ``segment`` ``(B, N)`` from ``segments``.
    """
    n_series, n_heads, n, size = tokens.shape
    if tokens.device.type != "cpu":  # there additions come in no fixed order, and a seed would not fix the weights
        members = one_hot(segment, n_landmarks + 1)[..., :n_landmarks].to(tokens.dtype).transpose(1, 2)  # (B, m, N)
        return (members / members.sum(dim=-1, keepdim=True).clamp(min=1))[:, None] @ tokens  # (B, H, m, d)
    places = (segment + (n_landmarks + 1) * torch.arange(n_series)[:, None]).flatten()  # (B · N,)
    counts = torch.bincount(places, minlength=n_series * (n_landmarks + 1)).clamp(min=1)  # (B · (m + 1),)
    rows = tokens.transpose(1, 2).reshape(n_series * n, n_heads * size)  # (B · N, H · d)
    sums = rows.new_zeros(len(counts), n_heads * size).index_add(0, places, rows)  # (B · (m + 1), H · d)
    means = (sums / counts[:, None]).view(n_series, n_landmarks + 1, n_heads, size)  # (B, m + 1, H, d)
    return means[:, :n_landmarks].transpose(1, 2)  # (B, H, m, d)
