"""State dicts as the authors' code writes them: its names and shapes, written down from its source, random values."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

Shapes = Iterator[tuple[str, tuple[int, ...]]]


def shapes(n_channels: int, n_classes: int, width: int) -> Shapes:
    """Every tensor of ``models/timemil.py`` of the public repository, in no particular order."""
    yield "cls_token", (1, 1, width)
    yield "alpha", (1,)
    for name in ("wave1", "wave2", "wave3", "wave1_", "wave2_", "wave3_"):
        yield name, (2, width, 1)
    for block, n_in in enumerate((n_channels, width)):
        yield from inception_block(f"feature_extractor.instance_encoder.{block}", n_in, width)
    for layer in ("pos_layer", "pos_layer2"):
        for projection in ("proj_1", "proj_2", "proj_3"):
            yield from linear(f"{layer}.{projection}", width, width)
    for layer in ("layer1", "layer2"):
        inner = 8 * (width // 8)
        yield from normalisation(f"{layer}.norm", width)
        yield f"{layer}.attn.to_qkv.weight", (3 * inner, width)
        yield from linear(f"{layer}.attn.to_out.0", inner, width)
        yield f"{layer}.attn.res_conv.weight", (8, 1, 33, 1)
    yield from normalisation("norm", width)
    yield from linear("_fc2.0", width, width)
    yield from linear("_fc2.3", width, n_classes)


def inception_block(prefix: str, n_in: int, width: int) -> Shapes:
    for module in range(3):
        name, n_here = f"{prefix}.inception_modules.{module}", n_in if module == 0 else width
        if n_here > 1:
            yield from convolution(f"{name}.bottleneck", n_here, 32, 1)
        for index, size in enumerate((10, 20, 40)):
            yield from convolution(f"{name}.conv_layers.{index}", 32 if n_here > 1 else 1, width // 4, size)
        yield from convolution(f"{name}.max_pooling_w_bottleneck.1", n_here, width // 4, 1)
        yield from batch_norm(f"{name}.activation.0", width)
    yield from convolution(f"{prefix}.residual.0", n_in, width, 1)
    yield from batch_norm(f"{prefix}.residual.1", width)


def convolution(name: str, n_in: int, n_out: int, size: int) -> Shapes:
    yield f"{name}.weight", (n_out, n_in, size)
    yield f"{name}.bias", (n_out,)


def linear(name: str, n_in: int, n_out: int) -> Shapes:
    yield f"{name}.weight", (n_out, n_in)
    yield f"{name}.bias", (n_out,)


def normalisation(name: str, width: int) -> Shapes:
    yield f"{name}.weight", (width,)
    yield f"{name}.bias", (width,)


def batch_norm(name: str, width: int) -> Shapes:
    yield from normalisation(name, width)
    yield f"{name}.running_mean", (width,)
    yield f"{name}.running_var", (width,)
    yield f"{name}.num_batches_tracked", ()


def state_dict(n_channels: int = 3, n_classes: int = 4, width: int = 16, seed: int = 0) -> OrderedDict[str, Tensor]:
    """Weights of a size at which every part matters, batch statistics that are not trivial, scales of both signs."""
    generator = torch.Generator().manual_seed(seed)
    result: OrderedDict[str, Tensor] = OrderedDict()
    for name, shape in shapes(n_channels, n_classes, width):
        values = torch.randn(shape, generator=generator)
        if name.endswith("num_batches_tracked"):
            values = torch.tensor(7)
        elif name.endswith("running_var"):
            values = 0.5 + values.abs()
        elif name.startswith("wave"):
            values[0] += 1
        elif len(shape) > 1 and name != "cls_token":
            values = values * math.sqrt(1.5 / math.prod(shape[1:]))
        elif name.endswith(("norm.weight", "activation.0.weight", "residual.1.weight")):
            values = 1 + 0.2 * values
        result[name] = values
    return result


def checkpoint(path: Path, **sizes: int) -> dict[str, Tensor]:
    """Write ``best_model.pth`` as their main.py does, and return what is in it."""
    content = state_dict(**sizes)
    torch.save(content, path)
    return dict(content)
