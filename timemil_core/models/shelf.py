"""Every model that can be opened, by the reference that stands in the URL: shipped ones and finished runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from timemil_core import workspace
from timemil_core.errors import ModelError, RunError
from timemil_core.models.own.network import NETWORK as OWN
from timemil_core.models.storage import DESCRIPTION, load_model, read_description
from timemil_core.models.sweep_notes import CELL_PREFIX, cell_folder
from timemil_core.models.trained import TrainedModel
from timemil_core.naming import given_name, when_told

RUN_PREFIX = "run-"  # of the runs that are made here; one that was copied may have any name
RUN_FILES = ("config.json", "status.json", "metrics.jsonl")  # by which it is known then
AUTHORS = "authors"  # the "origin" in the facts of a model that came from the authors' code


@dataclass(frozen=True)
class ShelfEntry:
    """A model that can be opened.

    Attributes
    ----------
    reference
        The name in the URL.
    kind
        Shipped with the program, or trained here.
    folder
        Where its files are.
    channel_names
        What it reads.
    facts
        What its card tells; ``facts["data"]`` is the reference of its data set.
    """

    reference: str
    kind: Literal["pretrained", "run"]
    folder: Path
    channel_names: tuple[str, ...]
    facts: dict[str, Any]

    @property
    def title(self) -> str:
        """What to call it: the name that its run was given, else the run's title, else the name of its data."""
        return str(self.facts.get("title") or self.facts.get("data_name") or self.reference)

    @property
    def origin(self) -> str:
        """Where it comes from, in a few words: shipped with the program, imported, or when it was trained here."""
        if self.facts.get("origin") == AUTHORS:
            return "imported"
        if self.facts.get("origin") == OWN:
            return "yours"
        if self.kind == "pretrained":
            return "shipped"
        when = when_told(str(self.facts.get("created", "")))
        return f"trained {when}" if when else "trained here"

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be told of a model that was not trained here, wherever it is shown."""
        told = self.origin in ("imported", "yours")
        return tuple(str(note) for note in self.facts.get("notes", ())) if told else ()

    @property
    def data(self) -> str:
        """The reference of the data set that it was trained on."""
        return str(self.facts.get("data", ""))


def shelf() -> list[ShelfEntry]:
    """Return the shipped models by name, then the runs that hold a model, newest first.

    A model whose description is damaged is not among them: ``unreadable`` tells of it.
    """
    return [found for found in _scan().values() if isinstance(found, ShelfEntry)]


def unreadable() -> dict[str, str]:
    """Return what is wrong with each model that cannot be listed, by its reference."""
    return {reference: str(found) for reference, found in _scan().items() if isinstance(found, ModelError)}


def locate(reference: str) -> Path:
    """Return the folder of a model.

    Raises
    ------
    SettingsError
        Where the reference is no possible name.
    ModelError
        Where there is no such model.
    """
    folder = _folder(reference)
    if not _holds_model(folder):
        raise ModelError(f"there is no model {reference!r} on this machine.", remedy="Choose one from the list.")
    return folder


def open_model(reference: str, device: str = "cpu") -> TrainedModel:
    """Load a model by its reference. Raises as ``locate`` and ``load_model`` do."""
    return load_model(locate(reference), device)


def is_run(folder: Path) -> bool:
    """Tell whether a folder among the workspace's runs is one, whole or not."""
    if folder.name.startswith(".") or not folder.is_dir():
        return False
    return folder.name.startswith(RUN_PREFIX) or any(os.path.lexists(folder / name) for name in RUN_FILES)


def check_run_name(folder: Path) -> None:
    """Refuse a folder among the workspace's runs whose name cannot stand for it in an address.

    Raises
    ------
    RunError
        Where its name holds a space or the like, or stands for another model.
    """
    if folder.parent != workspace.runs_folder():
        return
    where, name = str(folder), folder.name
    if not workspace.SAFE_NAME.fullmatch(name):
        remedy = "Rename it: letters, digits, '.', '_' and '-', a letter or digit first."
        raise RunError("the folder's name cannot stand in an address.", where=where, remedy=remedy)
    if _folder(name).parent != folder:
        raise RunError(f"another model is called {name!r}.", where=where, remedy="Rename the folder.")


def version(reference: str) -> tuple[tuple[str, int, int], ...]:
    """Return name, date and size of each file of a model: with any change of it this changes. Raises as ``locate``."""
    files = sorted(path for path in locate(reference).iterdir() if path.is_file())
    return tuple((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in files)


def _scan() -> dict[str, ShelfEntry | ModelError]:
    names = _folder_names(workspace.pretrained_folder())
    shipped = [name for name in names if not name.startswith(RUN_PREFIX)]
    found = {name: _entry(name) for name in shipped if _holds_model(_folder(name))}
    parent = workspace.runs_folder()
    others = [name for name in _folder_names(parent) if name not in found and is_run(parent / name)]
    runs = {name: _entry(name) for name in others if _holds_model(parent / name / "model")}
    return {**found, **dict(sorted(runs.items(), key=_age, reverse=True))}


def _holds_model(folder: Path) -> bool:
    return os.path.lexists(folder / DESCRIPTION)


def _age(run: tuple[str, ShelfEntry | ModelError]) -> tuple[str, str]:
    name, entry = run
    return (str(entry.facts.get("created", "")) if isinstance(entry, ShelfEntry) else "", name)


def _folder_names(parent: Path) -> list[str]:
    if not parent.is_dir():
        return []
    return sorted(path.name for path in parent.iterdir() if path.is_dir() and workspace.SAFE_NAME.fullmatch(path.name))


def _folder(reference: str) -> Path:
    if reference.startswith(CELL_PREFIX):
        return cell_folder(reference)
    shipped = workspace.child(workspace.pretrained_folder(), reference)
    if _holds_model(shipped) and not reference.startswith(RUN_PREFIX):
        return shipped
    return workspace.child(workspace.runs_folder(), reference) / "model"


def _entry(reference: str) -> ShelfEntry | ModelError:
    folder = _folder(reference)
    try:
        content = read_description(folder)
    except ModelError as error:
        return error
    kind: Literal["pretrained", "run"] = "pretrained" if folder.parent == workspace.pretrained_folder() else "run"
    facts = dict(content["facts"])
    if kind == "run" and (given := given_name(folder.parent)):
        facts["title"] = given
    return ShelfEntry(reference, kind, folder, tuple(content["channel_names"]), facts)
