"""A trainer on disk, to resume from: ``state.json`` and the safetensors files that it names.

New weights are written under a new name first; replacing ``state.json`` then makes them count. A process killed at
any point leaves the last finished epoch whole.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from timemil_core.atomic import read_json, write_json
from timemil_core.errors import RunError
from timemil_core.training.metrics import EpochRecord
from timemil_core.training.optimiser import restore, state_tensors
from timemil_core.training.trainer import Selected, Trainer, cpu_weights

FORMAT = 1
STATE = "state.json"
NETWORK, OPTIMISER = "network/", "optimiser/"


def save_checkpoint(trainer: Trainer, folder: Path) -> None:
    """Write the trainer after a finished epoch, in place of the checkpoint before."""
    kept = trainer.kept
    folder.mkdir(parents=True, exist_ok=True)
    latest = f"epoch-{trainer.n_finished:05}.safetensors"
    best = f"best-{kept.record.epoch:05}.safetensors"
    tensors, counters = state_tensors(trainer.optimiser)
    content = _named(NETWORK, cpu_weights(trainer.network)) | _named(OPTIMISER, tensors)
    save_file(content, folder / latest)
    state = {
        "format": FORMAT,
        "epoch": trainer.n_finished,
        "latest": latest,
        "optimiser": counters,
        "best": best,
        "best_record": kept.record.to_json(),
    }
    if not _is_current(folder, best):
        save_file(kept.weights, folder / best)
    write_json(folder / STATE, state)
    for path in folder.glob("*.safetensors"):
        if path.name not in (latest, best):
            path.unlink()


def restore_checkpoint(trainer: Trainer, folder: Path) -> bool:
    """Bring a new trainer of the same settings to where the checkpoint is; False where there is none.

    Raises
    ------
    RunError
        Where the checkpoint is damaged or of other settings.
    """
    if not (folder / STATE).is_file():
        return False
    try:
        state = read_json(folder / STATE)
        content = load_file(folder / state["latest"])
        best = load_file(folder / state["best"])
        trainer.network.load_state_dict(_under(NETWORK, content))
        restore(trainer.optimiser, _under(OPTIMISER, content), state["optimiser"])
        trainer.selected = Selected(EpochRecord(**state["best_record"]), best)
        trainer.n_finished = int(state["epoch"])
    except (OSError, json.JSONDecodeError, SafetensorError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise RunError(
            f"the checkpoint cannot be read: {error}.", where=str(folder), remedy="Start a new run."
        ) from error
    return True


def _is_current(folder: Path, best: str) -> bool:
    # A file of this name counts only where state.json vouches for it: another may be half-written.
    path = folder / STATE
    return path.is_file() and read_json(path)["best"] == best


def _named(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {prefix + name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}


def _under(prefix: str, tensors: dict[str, Any]) -> dict[str, torch.Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
