"""A model on disk: ``weights.safetensors`` and ``model.json`` in a folder, and no pickle anywhere."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file

from timemil_core import __version__
from timemil_core.atomic import check_regular, read_json, replacing_folder, write_json
from timemil_core.data.known_sets import named_classes
from timemil_core.data.preparation import Preparation
from timemil_core.errors import ModelError, TimeMILError
from timemil_core.kinds import NUMBER, OBJECT, POSITIVE, TEXT, check_kinds, list_of, or_none, values_of, whole
from timemil_core.models.building import build, build_network, read_config
from timemil_core.models.config import ModelConfig, fully_supervised
from timemil_core.models.network import Network, NetworkConfig
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel
from timemil_core.models.wavelet_path import FILE as WAVELET_PATH
from timemil_core.models.wavelet_path import load_path, save_path

Kind = TypeVar("Kind", bound=Network)
FORMAT = 1
WEIGHTS, DESCRIPTION, SUPERVISED = "weights.safetensors", "model.json", "supervised.safetensors"


def save_model(model: TrainedModel, folder: Path, *, half_precision: bool = False) -> None:
    """Write a model into ``folder``, in one step and never half-written; a model that is there is replaced.

    ``half_precision`` stores weights in 16 bits, half the size; they are read back in 32, rounded (``rounded``).

    Raises
    ------
    ModelError
        Where ``folder`` exists and holds anything but a model: nothing of a user's is overwritten.
    """
    _refuse_to_overwrite(folder)
    with replacing_folder(folder) as beside:
        save_file(_contiguous(model.network, half_precision), beside / WEIGHTS)
        if model.supervised is not None:
            save_file(_contiguous(model.supervised, half_precision), beside / SUPERVISED)
        if model.wavelet_path is not None:
            save_path(model.wavelet_path, beside / WAVELET_PATH)
        write_json(beside / DESCRIPTION, _description(model))


@torch.inference_mode(False)  # what is loaded can be differentiated, wherever it was loaded
def load_model(folder: Path, device: torch.device | str = "cpu") -> TrainedModel:
    """Read a model that ``save_model`` wrote, in eval mode.

    Raises
    ------
    ModelError
        Where a file is absent, damaged, of a newer format, or does not fit its description.
    """
    content = read_description(folder)
    config, preparation = _read_settings(content, folder)
    network = _load_network(config, folder / WEIGHTS, device)
    supervised = None
    if isinstance(config, ModelConfig) and os.path.lexists(folder / SUPERVISED):
        supervised = _load_network(fully_supervised(config), folder / SUPERVISED, device)
    assert supervised is None or isinstance(supervised, TimeMIL)
    return TrainedModel(
        network=network,
        preparation=preparation,
        class_names=named_classes(str(content["facts"].get("data", "")), content["class_names"]),
        channel_names=tuple(content["channel_names"]),
        sampling_rate=content["sampling_rate"],
        facts=content["facts"],
        supervised=supervised,
        wavelet_path=load_path(folder / WAVELET_PATH),
    )


def _description(model: TrainedModel) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "written_by": f"timemil_core {__version__}",
        "config": model.network.config.to_json(),
        "preparation": model.preparation.to_json(),
        "class_names": list(model.class_names),
        "channel_names": list(model.channel_names),
        "sampling_rate": model.sampling_rate,
        "facts": model.facts,
    }


def rounded(model: TrainedModel) -> TrainedModel:
    """Return a copy of a model with its weights as half precision stores them: what readers of that file will have."""
    supervised = model.supervised
    return replace(
        model,
        network=_rounded(model.network, build(model.network.config)),
        supervised=None if supervised is None else _rounded(supervised, build_network(supervised.config)),
    )


def _rounded(network: Kind, copy: Kind) -> Kind:
    copy.load_state_dict(_contiguous(network, half_precision=True))
    return copy.to(network.device).eval()


def _contiguous(network: Network, half_precision: bool = False) -> dict[str, torch.Tensor]:
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    if not half_precision:
        return tensors
    return {name: tensor.half() if tensor.is_floating_point() else tensor for name, tensor in tensors.items()}


def read_description(folder: Path) -> dict[str, Any]:
    """Return the content of a saved model's ``model.json``, without its weights.

    Raises
    ------
    ModelError
        Where the file is absent, damaged, or of a newer format.
    """
    try:
        content = read_json(folder / DESCRIPTION)
    except (OSError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ModelError(
            f"{DESCRIPTION} cannot be read: {error}.", where=str(folder), remedy="Is this a folder of a saved model?"
        ) from error
    if isinstance(content, dict) and whole(FORMAT + 1).fits(content.get("format")):
        raise ModelError(
            f"written in format {content['format']}; this version reads up to {FORMAT}.",
            where=str(folder),
            remedy="Update the program.",
        )
    try:
        check_kinds(content, _KINDS)
        check_kinds(content["facts"], {}, may_miss=_FACTS)
    except ValueError as error:
        raise ModelError(f"{DESCRIPTION} is not a model's description: {error}.", where=str(folder)) from error
    return content


_KINDS = {
    "format": whole(1),
    "config": OBJECT,
    "preparation": OBJECT,
    "class_names": list_of(TEXT),
    "channel_names": list_of(TEXT),
    "sampling_rate": or_none(POSITIVE),
    "facts": OBJECT,
}
_FACTS = {  # those that pages and commands read
    **dict.fromkeys(("title", "opening_series", "attention_worth", "preset", "command"), or_none(TEXT)),
    **dict.fromkeys(("data", "data_name", "fingerprint", "origin", "selection", "state", "protocol", "created"), TEXT),
    **dict.fromkeys(("n_train", "n_validation", "n_test", "epochs", "best_epoch"), or_none(whole())),
    "seconds": or_none(NUMBER),
    "seed": or_none(whole()),
    "scores": values_of(or_none(NUMBER)),
    "notes": list_of(TEXT),
    "training": OBJECT,
    "versions": values_of(TEXT),
}


def _read_settings(content: dict[str, Any], folder: Path) -> tuple[NetworkConfig, Preparation]:
    try:
        config = read_config(content["config"])
        preparation = Preparation.from_json(content["preparation"])
    except TimeMILError as error:
        raise ModelError(f"{DESCRIPTION} does not describe a model: {error}", where=str(folder)) from error
    sizes = {"class_names": config.n_classes, "channel_names": config.n_channels}
    if wrong := [name for name, size in sizes.items() if len(content[name]) != size]:
        raise ModelError(f"{DESCRIPTION} names another number of {wrong[0]} than its settings.", where=str(folder))
    if len(preparation.means) != config.n_channels:
        raise ModelError(f"{DESCRIPTION} prepares another number of channels than its settings.", where=str(folder))
    return config, preparation


def _refuse_to_overwrite(folder: Path) -> None:
    is_free = not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))
    if not is_free and not (folder / DESCRIPTION).is_file():
        raise ModelError(
            "this exists and holds no model; saving would replace all of it.",
            where=str(folder),
            remedy="Give a new or empty folder.",
        )


def _load_network(config: NetworkConfig, weights: Path, device: torch.device | str) -> Network:
    with torch.device("meta"):  # neither memory nor random numbers are spent before the file is known to fit
        network = build(config)
    expected = network.state_dict()
    try:
        check_regular(weights)
        _check_shapes(expected, weights)
        tensors = load_file(weights)
    except (OSError, SafetensorError) as error:
        raise ModelError(f"the weights cannot be read: {error}.", where=str(weights)) from error
    # Copied: where a tensor begins in the file decides how sums are taken, and the last digit with it.
    kept = {name: tensor.to(expected[name].dtype, copy=True) for name, tensor in tensors.items()}
    if damaged := [name for name, tensor in kept.items() if not tensor.isfinite().all()]:
        raise ModelError(f"the weights are damaged: {damaged[0]} holds what is no number.", where=str(weights))
    network.load_state_dict(kept, assign=True)
    return network.to(device).eval()


def _check_shapes(expected: dict[str, torch.Tensor], weights: Path) -> None:
    with safe_open(weights, framework="pt") as file:
        found = {name: list(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118 - no mapping
    wanted = {name: list(tensor.shape) for name, tensor in expected.items()}
    if wrong := sorted(name for name in found.keys() | wanted if found.get(name) != wanted.get(name)):
        raise ModelError(
            f"the weights do not fit the description: {wrong[0]} is {found.get(wrong[0], 'missing')}, "
            f"{wanted.get(wrong[0], 'not wanted')} was expected.",
            where=str(weights),
            remedy="Copy weights and description of one model together.",
        )
