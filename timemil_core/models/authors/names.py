"""From the names of the authors' state dict to ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import torch
from torch import Tensor

Renamed = dict[str, Tensor]

BANKS = (("wave1", "wave2", "wave3"), ("wave1_", "wave2_", "wave3_"))
ENCODINGS = ("pos_layer", "pos_layer2")
LAYERS = ("layer1", "layer2")
NORMALISATION = ("weight", "bias", "running_mean", "running_var", "num_batches_tracked")
LINEAR = ("weight", "bias")

UNUSED = frozenset(
    {"alpha", "norm.weight", "norm.bias"}
    | {f"{layer}.proj_{index}.{part}" for layer in ENCODINGS for index in (2, 3) for part in LINEAR}
)
"""In their state dict, but in none of their arithmetic."""


def their_names(n_channels: int) -> set[str]:
    """Return every name that their arithmetic uses; with one channel the first module has no bottleneck."""
    return {theirs for _, theirs in _pairs(n_channels)} | {name for bank in BANKS for name in bank} | {"cls_token"}


def renamed(tensors: Mapping[str, Tensor], n_channels: int) -> Renamed:
    """Return the tensors under our names; what their arithmetic does not use is left out.

    A bank's three tensors ``(2, L, 1)`` hold scales, then shifts; ours are ``(3, L)`` each. The class token is
    ``(1, 1, L)`` there.
    """
    result = {ours: tensors[theirs] for ours, theirs in _pairs(n_channels)}
    result["pooling.layers.class_token"] = tensors["cls_token"].flatten()
    for layer, bank in enumerate(BANKS):
        stacked = torch.stack([tensors[name] for name in bank])[..., 0]  # (3, 2, L)
        wavelets = f"pooling.layers.stack.{layer}.encoding.wavelets"
        result |= {f"{wavelets}.signed_scales": stacked[:, 0], f"{wavelets}.shifts": stacked[:, 1]}
    return result


def _pairs(n_channels: int) -> Iterator[tuple[str, str]]:
    # (ours, theirs) of every tensor that both hold in one shape
    for block in range(2):
        yield from _block(f"backbone.blocks.{block}", f"feature_extractor.instance_encoder.{block}", n_channels, block)
    for index, (encoding, layer) in enumerate(zip(ENCODINGS, LAYERS, strict=True)):
        yield from _layer(f"pooling.layers.stack.{index}", encoding, layer)
    for index in (0, 3):
        yield from _parts(f"classifier.{index}", f"_fc2.{index}", LINEAR)


def _block(ours: str, theirs: str, n_channels: int, block: int) -> Iterator[tuple[str, str]]:
    for module in range(3):
        mine, other = f"{ours}.inception_modules.{module}", f"{theirs}.inception_modules.{module}"
        if (n_channels, block, module) != (1, 0, 0):
            yield from _parts(f"{mine}.bottleneck", f"{other}.bottleneck", LINEAR)
        for kernel in range(3):
            yield from _parts(f"{mine}.convolutions.{kernel}", f"{other}.conv_layers.{kernel}", LINEAR)
        yield from _parts(f"{mine}.pool_projection", f"{other}.max_pooling_w_bottleneck.1", LINEAR)
        yield from _parts(f"{mine}.normalisation", f"{other}.activation.0", NORMALISATION)
    yield from _parts(f"{ours}.residual", f"{theirs}.residual.0", LINEAR)
    yield from _parts(f"{ours}.residual_normalisation", f"{theirs}.residual.1", NORMALISATION)


def _layer(ours: str, encoding: str, layer: str) -> Iterator[tuple[str, str]]:
    yield from _parts(f"{ours}.encoding.projection", f"{encoding}.proj_1", LINEAR)
    yield from _parts(f"{ours}.normalisation", f"{layer}.norm", LINEAR)
    yield from _parts(f"{ours}.attention.to_query_key_value", f"{layer}.attn.to_qkv", ("weight",))
    yield from _parts(f"{ours}.attention.output", f"{layer}.attn.to_out.0", LINEAR)
    yield from _parts(f"{ours}.attention.value_convolution", f"{layer}.attn.res_conv", ("weight",))


def _parts(ours: str, theirs: str, parts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    return ((f"{ours}.{part}", f"{theirs}.{part}") for part in parts)
