"""A trainer on disk, to resume from: ``state.json`` and the safetensors files that it names, with their checksums.

New weights are written under a new name first; replacing ``state.json`` then makes them count. A process killed at
any point leaves the last finished epoch whole. The epoch before it is kept, too: where a disk has damaged the last
one, its checksum tells, and the training goes on from the one before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from timemil_core.atomic import check_regular, read_json, replacing_file, write_json
from timemil_core.errors import RunError
from timemil_core.training.metrics import EpochRecord
from timemil_core.training.optimiser import restore, state_tensors
from timemil_core.training.trainer import Selected, Trainer, cpu_weights

FORMAT = 2
STATE = "state.json"
NETWORK, OPTIMISER = "network/", "optimiser/"
N_KEPT = 2  # epochs
WEIGHTS = "*.safetensors"
COPY_ANEW = "Copy the run's folder anew, or start a new run. Nothing was removed."


def begin_checkpoint(folder: Path) -> None:
    """Write that no epoch has been finished, so that a ``state.json`` that is missing later was lost."""
    if not (folder / STATE).exists():
        _write_state(folder, [])


def save_checkpoint(trainer: Trainer, folder: Path) -> None:
    """Write the trainer after a finished epoch, and drop the checkpoints before the last one.

    Raises
    ------
    StorageError
        Where there is no room: the checkpoint before is whole.
    """
    kept = trainer.kept
    before = _known(folder)
    latest = f"epoch-{trainer.n_finished:05}.safetensors"
    best = f"best-{kept.record.epoch:05}.safetensors"
    tensors, counters = state_tensors(trainer.optimiser)
    _write_weights(folder / latest, _named(NETWORK, cpu_weights(trainer.network)) | _named(OPTIMISER, tensors))
    checksums = [entry["checksums"].get(best) for entry in before]
    if not checksums or _checksum_of(folder / best) not in checksums:
        _write_weights(folder / best, kept.weights)
    entry = {
        "epoch": trainer.n_finished,
        "latest": latest,
        "optimiser": counters,
        "best": best,
        "best_record": kept.record.to_json(),
        "checksums": {name: _checksum_of(folder / name) for name in (latest, best)},
    }
    entries = [entry, *(one for one in before if one["epoch"] < trainer.n_finished)][:N_KEPT]
    _write_state(folder, entries)
    named = {one[kind] for one in entries for kind in ("latest", "best")}
    for path in folder.glob(WEIGHTS):
        if path.name not in named:
            path.unlink()


def restore_checkpoint(trainer: Trainer, folder: Path, say: Callable[[str], None] = lambda line: None) -> bool:
    """Bring a new trainer of the same settings to where the checkpoint is; False where no epoch has been finished.

    Where the last epoch's files are damaged, ``say`` is told so, and the epoch before is taken.

    Raises
    ------
    RunError
        Where the checkpoint is damaged, of other settings, or of a newer version, and why. Nothing is removed.
    """
    if not (folder / STATE).exists():
        if folder.is_dir() and any(folder.glob(WEIGHTS)):
            raise RunError(
                f"{STATE} is missing, which tells what the checkpoint's files are.",
                where=str(folder),
                remedy=COPY_ANEW,
            )
        return False
    problems = []
    for entry in _read_entries(folder):
        try:
            _restore(trainer, folder, entry)
        except RunError as error:
            problems.append(error)
        else:
            for problem in problems:
                say(f"{problem.problem} The training goes on from epoch {trainer.n_finished}, the one before.")
            return True
    if problems:
        raise problems[0]
    return False


def _restore(trainer: Trainer, folder: Path, entry: dict[str, Any]) -> None:
    try:
        for name, checksum in entry.get("checksums", {}).items():
            if _checksum_of(folder / name) != checksum:
                raise RunError(_not_as_written(name), where=str(folder), remedy=COPY_ANEW)
        content = _load(folder / entry["latest"])
        best = _load(folder / entry["best"])
        record = EpochRecord(**entry["best_record"])
        trainer.network.load_state_dict(_under(NETWORK, content))
        restore(trainer.optimiser, _under(OPTIMISER, content), entry["optimiser"])
        trainer.selected = Selected(record, best)
        trainer.n_finished = int(entry["epoch"])
    except RunError:
        raise
    except (*_DAMAGE, RuntimeError) as error:
        reason = " ".join(str(error).split("\n")[:2]).rstrip(".")  # of the hundred settings that differ, the first
        raise RunError(f"the checkpoint cannot be read: {reason}.", where=str(folder), remedy=COPY_ANEW) from error


_DAMAGE = (OSError, SafetensorError, AttributeError, KeyError, TypeError, ValueError)


def _read_entries(folder: Path) -> list[dict[str, Any]]:
    """Return what ``state.json`` tells of each kept epoch, the latest first."""
    try:
        state = read_json(folder / STATE)
        version = state["format"]
        if version == 1:  # without checksums, and of one epoch
            return [state]
        if version > FORMAT:
            raise RunError("written by a newer version.", where=str(folder), remedy="Update the program.")
        entries: list[dict[str, Any]] = state["kept"]
        if state["checksum"] != _checksum(json.dumps(entries).encode()):
            raise RunError(_not_as_written(STATE), where=str(folder), remedy=COPY_ANEW)
    except _DAMAGE as error:
        raise RunError(f"{STATE} cannot be read: {error}.", where=str(folder), remedy=COPY_ANEW) from error
    return entries


def _known(folder: Path) -> list[dict[str, Any]]:
    # those with checksums alone: a file of a known name may else be half-written
    if not (folder / STATE).exists():
        return []
    return [entry for entry in _read_entries(folder) if "checksums" in entry]


def _write_state(folder: Path, entries: list[dict[str, Any]]) -> None:
    checksum = _checksum(json.dumps(entries).encode())
    write_json(folder / STATE, {"format": FORMAT, "kept": entries, "checksum": checksum})


def _write_weights(path: Path, tensors: dict[str, Tensor]) -> None:
    with replacing_file(path) as beside:
        save_file(tensors, beside)


def _load(path: Path) -> dict[str, Tensor]:
    check_regular(path)
    return load_file(path)


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _checksum_of(path: Path) -> str:
    """Return a file's checksum, nothing where there is none."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _not_as_written(name: str) -> str:
    return f"{name} is missing or is no longer what was written: its checksum differs."


def _named(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {prefix + name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}


def _under(prefix: str, tensors: dict[str, Any]) -> dict[str, torch.Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
