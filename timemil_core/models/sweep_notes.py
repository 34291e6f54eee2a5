"""Where sweeps lie: each has a folder of its own anywhere, of which the workspace keeps a note; and their models."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from timemil_core import workspace
from timemil_core.atomic import read_json, write_json

CELL_PREFIX = "cell-"  # a reference: this, the digits of the sweep's note, a hyphen, and the cell's name
DIGITS = 8
CELLS = "cells"


def note_sweep(folder: Path) -> None:
    """Keep a note of a sweep's folder in the workspace, so that the app finds its models; it may move or vanish."""
    write_json(_note(folder), {"folder": str(folder.resolve())})


def noted_sweeps() -> dict[str, Path]:
    """Return the folders of the sweeps that were noted and are still there, by the digits of their notes."""
    parent = workspace.sweeps_folder()
    if not parent.is_dir():
        return {}
    found = {note.stem: _read(note) for note in sorted(parent.glob("*.json"))}
    return {digits: folder for digits, folder in found.items() if folder is not None and folder.is_dir()}


def cell_models() -> dict[str, Path]:
    """Return the folders of all models of noted sweeps, by their references; whether they are whole is not known."""
    return {
        f"{CELL_PREFIX}{digits}-{cell.name}": cell / "model"
        for digits, folder in noted_sweeps().items()
        for cell in sorted((folder / CELLS).glob("*"))
        if (cell / "model").is_dir() and workspace.SAFE_NAME.fullmatch(f"{CELL_PREFIX}{digits}-{cell.name}")
    }


def cell_title(reference: str) -> str:
    """Return what to call a cell."""
    return f"{reference.removeprefix(CELL_PREFIX).partition('-')[2] or reference} · of a sweep"


def cell_folder(reference: str) -> Path:
    """Return where the model of a cell is, or would be: an empty path within the workspace where there is no note.

    Raises
    ------
    SettingsError
        Where the reference is no possible name.
    """
    digits, _, name = reference.removeprefix(CELL_PREFIX).partition("-")
    folder = noted_sweeps().get(digits, workspace.sweeps_folder())
    return workspace.child(folder / CELLS, name) / "model"


def _note(folder: Path) -> Path:
    digits = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:DIGITS]
    return workspace.sweeps_folder() / f"{digits}.json"


def _read(note: Path) -> Path | None:
    try:
        return Path(read_json(note)["folder"])
    except (OSError, json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError):
        return None
