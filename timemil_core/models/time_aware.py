"""The transformer layers of the time-aware pooling (Algorithm 1, lines 2 to 7). Letters: timemil.py.

Tokens are ``X^cls = x^cls ∪ X``, ``(B, N, L)`` with N = 1 + T; their mask ``(B, N)`` is True where observed, or None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import cast

import torch
from torch import Tensor, nn

from timemil_core.models.attention import SelfAttention
from timemil_core.models.config import ModelConfig
from timemil_core.models.encodings import PositionalEncoding, build_encoding
from timemil_core.models.fast.checkpointing import stage


class TimeAwareLayer(nn.Module):
    """Positional encoding, then Transformer_j: pre-normalised self-attention with a residual, no feed-forward part."""

    def __init__(self, config: ModelConfig, class_token_alone: bool = False) -> None:
        super().__init__()
        self.encoding: PositionalEncoding = build_encoding(config)
        self.normalisation = nn.LayerNorm(config.embedding_width)
        self.attention = SelfAttention(config)
        self.class_token_alone = class_token_alone

    def forward(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return the tokens after the layer, ``(B, N, L)``; where it owes the class token alone ``(B, 1, L)``."""
        tokens = self.encoded(tokens, mask)  # line 5, (B, N, L)
        normalised = self.normalisation(tokens)  # (B, N, L)
        if self.class_token_alone:
            return tokens[:, :1] + self.attention.class_token_alone(normalised, mask)[0]  # line 6 for x^cls alone
        return tokens + self.attention(normalised, mask)  # line 6, (B, N, L)

    def with_row(self, tokens: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return what ``forward`` returns, and the class token's row ``(B, H, N)`` of the very map that it used."""
        tokens = self.encoded(tokens, mask)  # (B, N, L)
        normalised = self.normalisation(tokens)  # (B, N, L)
        if self.class_token_alone:
            taken, row = self.attention.class_token_alone(normalised, mask)  # (B, 1, L), (B, H, N)
            return tokens[:, :1] + taken, row  # (B, 1, L), (B, H, N)
        taken, attention = self.attention.with_map(normalised, mask)  # (B, N, L), (B, H, N, N)
        return tokens + taken, attention.row()  # (B, N, L), (B, H, N)

    def encoded(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Add the positional encoding to the instances; the class token has no place in time."""
        instance_mask = None if mask is None else mask[:, 1:]  # (B, T)
        return torch.cat([tokens[:, :1], self.encoding(tokens[:, 1:], instance_mask)], dim=1)  # (B, N, L)

    def class_token_by(self, weights: Tensor, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return the class token ``(B, L)`` after this layer, in eval mode, where it attends with other weights.

        ``weights`` ``(B, H, N)`` stand in place of equation 12's.
        """
        tokens = self.encoded(tokens, mask)  # (B, N, L)
        value = self.attention.values(self.normalisation(tokens))  # (B, H, N, d)
        mixed = torch.einsum("bhn,bhnd->bhd", weights, value)  # (B, H, d)
        convolution = self.attention.value_convolution
        if convolution is not None and self.attention.config.value_convolution == "all":
            observed = value if mask is None else value * mask[:, None, :, None]  # (B, H, N, d)
            mixed = mixed + convolution(observed)[:, :, 0]  # (B, H, d)
        return tokens[:, 0] + self.attention.output(mixed.flatten(1))  # (B, L)


class LayerPass:
    """One layer of a pass: the tokens that enter it, and what leaves it, computed once and only where asked for."""

    def __init__(self, layer: TimeAwareLayer, entering: Tensor, mask: Tensor | None) -> None:
        self.layer, self.entering, self.mask = layer, entering, mask

    @cached_property
    def leaving(self) -> Tensor:
        """The tokens that leave it, ``(B, N, L)``; the class token alone, ``(B, 1, L)``, where it owes no more."""
        return stage(self.layer, self.entering, self.mask)

    @cached_property
    def row(self) -> Tensor:
        """The weights with which the class token mixed the tokens, ``(B, H, N)``: exact, or Nyström's own row."""
        self.leaving, row = stage(self.layer.with_row, self.entering, self.mask)
        return row


class TimeAwareLayers(nn.Module):
    """A class token and the layers through which it gathers the bag."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.class_token = nn.Parameter(torch.randn(config.embedding_width))
        layers = [TimeAwareLayer(config) for _ in range(config.n_layers - 1)]
        self.stack = nn.ModuleList([*layers, TimeAwareLayer(_of_last_layer(config), config.class_token_row_only)])

    @property
    def layers(self) -> list[TimeAwareLayer]:
        """The layers, first to last."""
        return [cast(TimeAwareLayer, layer) for layer in self.stack]

    def forward(
        self, instances: Tensor, mask: Tensor | None, return_rows: bool = False
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        """Return the class token after the last layer, ``(B, L)``, and its rows, ``(B, H, N)``, where asked for."""
        rows = []
        for one in self.passes(instances, mask):
            if return_rows:
                rows.append(one.row)  # (B, H, N)
        return one.leaving[:, 0], tuple(rows)  # (B, L)

    def passes(self, instances: Tensor, mask: Tensor | None) -> Iterator[LayerPass]:
        """Yield each layer with what enters it; ``instances`` is ``(B, T, L)``, ``mask`` ``(B, T)`` or None."""
        token = self.class_token.to(instances.dtype).expand(instances.shape[0], 1, -1)  # line 2, (B, 1, L)
        tokens = torch.cat([token, instances], dim=1)  # line 3, (B, N, L)
        return self._passes_from(0, tokens, with_class_token(mask))

    def _passes_from(self, first: int, tokens: Tensor, mask: Tensor | None) -> Iterator[LayerPass]:
        for layer in self.layers[first:]:  # line 4
            one = LayerPass(layer, tokens, mask)
            yield one
            if layer is not self.layers[-1]:  # the last runs only where its own leaving or row is read
                tokens = one.leaving  # (B, N, L)

    def class_token_from(self, first: int, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return the class token ``(B, L)`` after the layers from index ``first`` on.

        ``tokens`` is ``(B, N, L)`` as they enter that layer, ``mask`` ``(B, N)`` or None where all are observed.
        """
        for one in self._passes_from(first, tokens, mask):
            tokens = one.leaving  # (B, N, L)
        return tokens[:, 0]  # (B, L)

    def rollout(self, instances: Tensor, mask: Tensor | None) -> Tensor:
        """Return attention rollout of the class token (Abnar and Zuidema 2020), ``(B, N)``.

        Maps are averaged over heads and mixed half and half with the identity for the residual connections; a row
        vector is carried from the last layer back, so no map of N × N is kept.
        """
        *others, last = self.passes(instances, mask)
        carried = 0.5 * last.row.mean(dim=1)  # (B, N)
        carried[:, 0] += 0.5
        for one in reversed(others):
            normalised = one.layer.normalisation(one.layer.encoded(one.entering, one.mask))  # (B, N, L)
            attention = one.layer.attention.map_of(normalised, one.mask)  # (B, H, N, N)
            carried = 0.5 * carried + 0.5 * attention.left_multiply(carried)  # (B, N)
        return carried


def with_class_token(mask: Tensor | None) -> Tensor | None:
    """Return the mask of tokens ``(B, N)`` of that of instances ``(B, T)``: the class token is always observed."""
    return None if mask is None else torch.cat([torch.ones_like(mask[:, :1]), mask], dim=1)


def _of_last_layer(config: ModelConfig) -> ModelConfig:
    # A convolution over instances only would change what no layer reads any more: weights that are never trained.
    return replace(config, value_convolution="none") if config.value_convolution == "instances" else config
