"""A bag taken apart: the vector that each instance adds to it, and what comes from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from timemil_core.explain.layers import entering, used_class_token_weights, values_of
from timemil_core.models.poolings import (
    AttentionPooling,
    ConjunctivePooling,
    MaxPooling,
    MeanPooling,
    Pooling,
    TimeAwarePooling,
)


@dataclass(frozen=True)
class PooledParts:
    """What a bag is the sum of.

    Attributes
    ----------
    instances
        ``(n_timepoints, L)``, or ``(n_timepoints, n_classes)`` where the pooling gives logits.
    rest
        By name, ``(L,)`` each: what no instance adds.
    """

    instances: Tensor
    rest: dict[str, Tensor] = field(default_factory=dict)

    @property
    def bag(self) -> Tensor:
        """The bag, ``(L,)``."""
        return self.instances.sum(dim=0) + sum(self.rest.values())


def pooled_parts(pooling: Pooling, instances: Tensor) -> PooledParts:
    """Take apart the bag of one series, ``instances (1, n_timepoints, L)``; the pooling stays as it is."""
    return _PARTS[type(pooling)](pooling, instances)


def _mean(pooling: MeanPooling, instances: Tensor) -> PooledParts:
    return PooledParts(pooling.encoding(instances)[0] / instances.shape[1])


def _max(pooling: MaxPooling, instances: Tensor) -> PooledParts:
    encoded = pooling.encoding(instances)[0]
    holds = one_hot(encoded.argmax(dim=0), len(encoded)).to(encoded.dtype).T
    return PooledParts(encoded * holds)


def _attention(pooling: AttentionPooling, instances: Tensor) -> PooledParts:
    encoded = pooling.encoding(instances)[0]
    return PooledParts(pooling.score(encoded).softmax(dim=0) * encoded)


def _conjunctive(pooling: ConjunctivePooling, instances: Tensor) -> PooledParts:
    _, evidence = pooling.instance_logits(instances)
    return PooledParts(evidence[0] / instances.shape[1])


def _time_aware(pooling: TimeAwarePooling, instances: Tensor) -> PooledParts:
    *_, (last, tokens) = entering(pooling.layers, instances, None)
    encoded = last.encoded(tokens, None)
    normalised = last.normalisation(encoded)
    attention = last.attention
    weights = used_class_token_weights(pooling.layers, last, normalised)[0]  # (heads, 1 + T)
    value = values_of(attention, normalised)  # (1, heads, 1 + T, head_size)
    output = attention.output.weight.unflatten(1, (attention.config.n_heads, attention.config.head_size))
    added = torch.einsum("hn,hnd,lhd->nl", weights, value[0], output)
    rest = {
        "the class token before the layer": encoded[0, 0],
        "the class token's attention to itself": added[0],
        "the layer's bias": attention.output.bias.detach(),
    }
    if attention.value_convolution is not None and attention.config.value_convolution == "all":
        convolved = attention.value_convolution(value)[0, :, 0]  # (heads, head_size)
        rest["the convolution of values"] = torch.einsum("hd,lhd->l", convolved, output)
    return PooledParts(added[1:], rest)


_PARTS: dict[type[Pooling], Callable[..., PooledParts]] = {
    MeanPooling: _mean,
    MaxPooling: _max,
    AttentionPooling: _attention,
    ConjunctivePooling: _conjunctive,
    TimeAwarePooling: _time_aware,
}
