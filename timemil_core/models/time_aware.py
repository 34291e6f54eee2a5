"""The transformer layers of the time-aware pooling (paper, Algorithm 1, lines 2 to 7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import torch
from torch import Tensor, nn

from timemil_core.models.attention import SelfAttention
from timemil_core.models.config import ModelConfig
from timemil_core.models.encodings import PositionalEncoding, build_encoding
from timemil_core.models.fast.checkpointing import stage


class TimeAwareLayer(nn.Module):
    """Positional encoding of the instances, then pre-normalised self-attention with a residual connection."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.encoding: PositionalEncoding = build_encoding(config)
        self.normalisation = nn.LayerNorm(config.embedding_width)
        self.attention = SelfAttention(config)

    def encoded(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Add the positional encoding to the instances; the class token has no place in time."""
        instance_mask = None if mask is None else mask[:, 1:]
        return torch.cat([tokens[:, :1], self.encoding(tokens[:, 1:], instance_mask)], dim=1)

    def forward(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return all tokens, ``(n_series, 1 + n_timepoints, L)``, after encoding and attention."""
        tokens = self.encoded(tokens, mask)
        return tokens + self.attention(self.normalisation(tokens), mask)

    def with_class_token_row(self, tokens: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return what ``forward`` returns, and the class token's row ``(n_series, n_heads, 1 + n_timepoints)``."""
        tokens = self.encoded(tokens, mask)
        taken, row = self.attention.with_class_token_row(self.normalisation(tokens), mask)
        return tokens + taken, row

    def class_token_alone(self, tokens: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return the class token after this layer, ``(n_series, L)``, and its exact row: what the last layer owes."""
        tokens = self.encoded(tokens, mask)
        taken, row = self.attention.class_token_row(self.normalisation(tokens), mask)
        return tokens[:, 0] + taken, row

    def class_token_by(self, weights: Tensor, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return the class token ``(n_series, L)`` after this layer, in eval mode, where it attends with other weights.

        ``weights`` ``(n_series, n_heads, 1 + n_timepoints)`` stand in place of equation 12's.
        """
        tokens = self.encoded(tokens, mask)
        value = self.attention.values(self.normalisation(tokens))  # (n_series, n_heads, 1 + n_timepoints, head_size)
        mixed = torch.einsum("bhn,bhnd->bhd", weights, value)
        convolution = self.attention.value_convolution
        if convolution is not None and self.attention.config.value_convolution == "all":
            observed = value if mask is None else value * mask[:, None, :, None]
            mixed = mixed + convolution(observed)[:, :, 0]
        return tokens[:, 0] + self.attention.output(mixed.flatten(1))


def _of_last_layer(config: ModelConfig) -> ModelConfig:
    # A convolution over instances only would change what no layer reads any more: weights that are never trained.
    return replace(config, value_convolution="none") if config.value_convolution == "instances" else config


class TimeAwareLayers(nn.Module):
    """A class token and the layers through which it gathers the bag."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.class_token = nn.Parameter(torch.randn(config.embedding_width))
        configs = [config] * (config.n_layers - 1) + [_of_last_layer(config)]
        self.stack = nn.ModuleList(TimeAwareLayer(one) for one in configs)

    @property
    def layers(self) -> list[TimeAwareLayer]:
        """The layers, first to last."""
        return [cast(TimeAwareLayer, layer) for layer in self.stack]

    def forward(
        self, instances: Tensor, mask: Tensor | None, return_rows: bool = False
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        """Return the class token after the last layer, ``(n_series, L)``, and its attention rows where asked for.

        A row is ``(n_series, n_heads, 1 + n_timepoints)``: the very weights with which the layer mixed.
        """
        tokens, mask = self._with_class_token(instances, mask)
        row_only = self.config.class_token_row_only
        rows = []
        for layer in self.layers[:-1] if row_only else self.layers:
            if return_rows:
                tokens, row = stage(layer.with_class_token_row, tokens, mask)
                rows.append(row)
            else:
                tokens = stage(layer, tokens, mask)
        if not row_only:
            return tokens[:, 0], tuple(rows)
        token, row = stage(self.layers[-1].class_token_alone, tokens, mask)
        return token, (*rows, row) if return_rows else ()

    def entering(self, instances: Tensor, mask: Tensor | None) -> Iterator[tuple[TimeAwareLayer, Tensor]]:
        """Yield each layer with the tokens that enter it, ``(n_series, 1 + n_timepoints, L)``; one pass in all.

        ``instances`` is ``(n_series, n_timepoints, L)``, ``mask`` ``(n_series, n_timepoints)`` or None.
        """
        tokens, mask = self._with_class_token(instances, mask)
        for layer in self.layers:
            yield layer, tokens
            if layer is not self.layers[-1]:
                tokens = layer(tokens, mask)

    def class_token_from(self, first: int, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return the class token ``(n_series, L)`` after the layers from index ``first`` on.

        ``tokens`` is ``(n_series, 1 + n_timepoints, L)`` as they enter that layer, ``mask`` ``(n_series, 1 +
        n_timepoints)`` or None where all are observed.
        """
        for layer in self.layers[first:]:
            if layer is self.layers[-1] and self.config.class_token_row_only:
                return layer.class_token_alone(tokens, mask)[0]
            tokens = layer(tokens, mask)
        return tokens[:, 0]

    def used_weights(self, layer: TimeAwareLayer, normalised: Tensor) -> Tensor:
        """Return the row by which the class token of a layer mixes: exact, or Nyström's where the layer uses that.

        ``normalised`` is ``(n_series, 1 + n_timepoints, L)``, all observed; the row ``(n_series, n_heads, 1 +
        n_timepoints)``.
        """
        if layer is self.layers[-1] and self.config.class_token_row_only:
            return layer.attention.class_token_weights(normalised, None)
        return layer.attention.used_class_token_weights(normalised, None)

    def rollout(self, instances: Tensor, mask: Tensor | None) -> Tensor:
        """Return attention rollout of the class token (Abnar and Zuidema 2020), ``(n_series, 1 + n_timepoints)``.

        Maps are averaged over heads and mixed half and half with the identity for the residual connections; a row
        vector is carried from the last layer back, so no map of n × n is kept.
        """
        tokens, mask = self._with_class_token(instances, mask)
        inputs = []
        for layer in self.layers:
            inputs.append(layer.normalisation(layer.encoded(tokens, mask)))
            if layer is not self.layers[-1]:
                tokens = layer(tokens, mask)
        last = self.layers[-1].attention
        exact = self.config.class_token_row_only
        weights = (
            last.class_token_weights(inputs[-1], mask) if exact else last.used_class_token_weights(inputs[-1], mask)
        )
        carried = 0.5 * weights.mean(dim=1)
        carried[:, 0] += 0.5
        for layer, layer_input in zip(reversed(self.layers[:-1]), reversed(inputs[:-1]), strict=True):
            carried = 0.5 * carried + 0.5 * layer.attention.left_multiply(carried, layer_input, mask)
        return carried

    def _with_class_token(self, instances: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
        token = self.class_token.to(instances.dtype).expand(instances.shape[0], 1, -1)
        return torch.cat([token, instances], dim=1), with_class_token(mask)


def with_class_token(mask: Tensor | None) -> Tensor | None:
    """Return the mask of tokens ``(n_series, 1 + n_timepoints)``: the class token is always observed."""
    return None if mask is None else torch.cat([torch.ones_like(mask[:, :1]), mask], dim=1)
