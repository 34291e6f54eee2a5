"""The time-aware layers taken one at a time, through their public parts, so that what enters each can be seen."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from timemil_core.models.attention import SelfAttention
from timemil_core.models.time_aware import TimeAwareLayer, TimeAwareLayers


def entering(
    layers: TimeAwareLayers, instances: Tensor, mask: Tensor | None
) -> Iterator[tuple[TimeAwareLayer, Tensor]]:
    """Yield each layer with the tokens that enter it, ``(n_series, 1 + n_timepoints, L)``.

    ``instances`` is ``(n_series, n_timepoints, L)``, ``mask`` ``(n_series, n_timepoints)`` or None.
    """
    token = layers.class_token.to(instances.dtype).expand(instances.shape[0], 1, -1)
    tokens = torch.cat([token, instances], dim=1)
    token_mask = with_class_token(mask)
    for layer in layers.layers:
        yield layer, tokens
        if layer is not layers.layers[-1]:
            tokens = layer(tokens, token_mask)


def with_class_token(mask: Tensor | None) -> Tensor | None:
    """Return the mask of tokens ``(n_series, 1 + n_timepoints)``: the class token is always observed."""
    return None if mask is None else torch.cat([torch.ones_like(mask[:, :1]), mask], dim=1)


def class_token_after(layer: TimeAwareLayer, tokens: Tensor, mask: Tensor | None, weights: Tensor) -> Tensor:
    """Return the class token after a layer in which it attends with the given weights, ``(n_series, L)``.

    Parameters
    ----------
    layer
        In eval mode.
    tokens
        Entering it, ``(n_series, 1 + n_timepoints, L)``.
    mask
        ``(n_series, 1 + n_timepoints)`` or None.
    weights
        ``(n_series, n_heads, 1 + n_timepoints)``, in place of equation 12's.
    """
    attention, config = layer.attention, layer.attention.config
    tokens = layer.encoded(tokens, mask)
    value = values_of(attention, layer.normalisation(tokens))
    mixed = torch.einsum("bhn,bhnd->bhd", weights, value)
    if attention.value_convolution is not None and config.value_convolution == "all":
        observed = value if mask is None else value * mask[:, None, :, None]
        mixed = mixed + attention.value_convolution(observed)[:, :, 0]
    return tokens[:, 0] + attention.output(mixed.flatten(1))


def values_of(attention: SelfAttention, normalised: Tensor) -> Tensor:
    """Return the values v of normalised tokens ``(n_series, n, L)``: ``(n_series, n_heads, n, head_size)``."""
    config = attention.config
    value = attention.to_query_key_value(normalised)[..., 2 * config.n_heads * config.head_size :]
    return value.unflatten(-1, (config.n_heads, config.head_size)).transpose(1, 2)


def used_class_token_weights(layers: TimeAwareLayers, layer: TimeAwareLayer, normalised: Tensor) -> Tensor:
    """Return the class token's row by which a layer mixes: exact, or Nyström's where the layer uses that.

    ``normalised`` is ``(n_series, 1 + n_timepoints, L)``, all observed; the row ``(n_series, n_heads, 1 +
    n_timepoints)``.
    """
    if layer is layers.layers[-1] and layers.config.class_token_row_only:
        return layer.attention.class_token_weights(normalised, None)
    return layer.attention.used_class_token_weights(normalised, None)


def class_token_at_the_end(layers: TimeAwareLayers, first: int, tokens: Tensor, mask: Tensor | None = None) -> Tensor:
    """Return the class token ``(n_series, L)`` after the layers from index ``first`` on.

    ``tokens`` is ``(n_series, 1 + n_timepoints, L)`` as they enter that layer, ``mask`` ``(n_series, 1 +
    n_timepoints)`` or None where all are observed.
    """
    for layer in layers.layers[first:]:
        if layer is layers.layers[-1] and layers.config.class_token_row_only:
            return layer.class_token_alone(tokens, mask)[0]
        tokens = layer(tokens, mask)
    return tokens[:, 0]
