"""Does a state dict belong to the authors' network? Told by the names, shapes and values of its tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

import torch
from torch import Tensor

from timemil_core.errors import ModelError
from timemil_core.models.authors.config import N_HEADS, AuthorsConfig
from timemil_core.models.authors.names import BANKS, UNUSED, renamed, their_names
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.authors.wavelets import SIZE
from timemil_core.models.wavelets import mexican_hat, tap_positions

Tensors = Mapping[str, Tensor]

CHANNELS_IN = "feature_extractor.instance_encoder.0.residual.0.weight"
CLASSES_OUT = "_fc2.3.weight"
TOKEN = "cls_token"  # noqa: S105  the class token, nothing secret


class Sizes(TypedDict):
    """What the shapes of a state dict tell of its network."""

    n_channels: int
    n_classes: int
    embedding_width: int


def told_sizes(tensors: Tensors, path: Path) -> Sizes:
    """Return the number of channels and classes and the embedding's width that the shapes tell.

    Raises
    ------
    ModelError
        Where the tensors that tell them are absent, or no network of theirs has such sizes.
    """
    for name in (TOKEN, CHANNELS_IN, CLASSES_OUT):
        if name not in tensors or tensors[name].ndim < 2 or not tensors[name].numel():
            raise _other(f"{name} is absent or empty", path)
    width = tensors[TOKEN].shape[-1]
    if width % N_HEADS:
        raise _other(f"an embedding of {width} features is no multiple of {N_HEADS}", path)
    return {
        "n_channels": tensors[CHANNELS_IN].shape[1],
        "n_classes": tensors[CLASSES_OUT].shape[0],
        "embedding_width": width,
    }


def fitting_tensors(tensors: Tensors, config: AuthorsConfig, path: Path) -> dict[str, Tensor]:
    """Return the tensors under our names, all that the network needs.

    Raises
    ------
    ModelError
        Where a name is absent or foreign, a shape does not fit, or a value makes every logit no number.
    """
    _check_names(tensors, config, path)
    with torch.device("meta"):  # shapes without memory: sizes that are made up must not be allocated
        expected = AuthorsTimeMIL(config).state_dict()
    width = config.embedding_width
    stacked = {TOKEN: (1, 1, width), **{name: (2, width, 1) for bank in BANKS for name in bank}}
    for name, shape in stacked.items():
        _check_shape(name, tensors[name], shape, path)
    ours = renamed(tensors, config.n_channels)
    for name, tensor in ours.items():
        _check_shape(name, tensor, tuple(expected[name].shape), path)
        if not bool(tensor.isfinite().all()):
            raise _without_use(f"{name} is not finite: that training had diverged", path)
    for bank in BANKS:
        for name in bank:
            _check_kernel(name, tensors[name], path)
    return ours


def _check_names(tensors: Tensors, config: AuthorsConfig, path: Path) -> None:
    needed = their_names(config.n_channels)
    if absent := sorted(needed - set(tensors)):
        raise _other(f"it lacks {_some(absent)}", path)
    if foreign := sorted(set(tensors) - needed - UNUSED):
        raise _other(f"it also holds {_some(foreign)}", path)


def _check_shape(name: str, tensor: Tensor, shape: tuple[int, ...], path: Path) -> None:
    if tuple(tensor.shape) != shape:
        raise _other(f"{name} has the shape {tuple(tensor.shape)}; beside the others {shape} would fit", path)


def _check_kernel(name: str, tensor: Tensor, path: Path) -> None:
    scale, shift = tensor[..., 0].float()
    if not bool(mexican_hat(tap_positions(SIZE), scale.abs(), shift).isfinite().all()):
        problem = f"{name} has a scale so near zero that the kernel is no number: their code fails with it too"
        raise _without_use(problem, path)


def _without_use(problem: str, path: Path) -> ModelError:
    return ModelError(f"{problem}.", where=str(path), remedy="Give the checkpoint of another epoch.")


def _other(what: str, path: Path) -> ModelError:
    return ModelError(
        f"this is not the state dict of the authors' TimeMIL: {what}.",
        where=str(path),
        remedy="Models of their public code (xiwenc1/TimeMIL) can be imported, and no others.",
    )


def _some(names: Sequence[str]) -> str:
    told, rest = " and ".join(name[:80] for name in names[:2]), len(names) - 2
    return f"{told} and {rest} more" if rest > 0 else told
