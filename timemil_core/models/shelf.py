"""Every model that can be opened, by the reference that stands in the URL: shipped ones and finished runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from timemil_core import workspace
from timemil_core.errors import ModelError
from timemil_core.models.storage import DESCRIPTION, load_model, read_description
from timemil_core.models.sweep_notes import CELL_PREFIX, cell_folder
from timemil_core.models.trained import TrainedModel

RUN_PREFIX = "run-"
AUTHORS = "authors"  # the "origin" in the facts of a model that came from the authors' code


@dataclass(frozen=True)
class ShelfEntry:
    """A model that can be opened.

    Attributes
    ----------
    reference
        The name in the URL; a run's starts with ``run-``.
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
        """What to call it: the run's title, else the name of its data."""
        return str(self.facts.get("title") or self.facts.get("data_name") or self.reference)

    @property
    def origin(self) -> str:
        """Where it comes from, in a word: shipped with the program, imported, or the run that trained it."""
        if self.facts.get("origin") == AUTHORS:
            return "imported"
        return "shipped" if self.kind == "pretrained" else self.reference.removeprefix(RUN_PREFIX)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be told of an imported model wherever it is shown."""
        return tuple(str(note) for note in self.facts.get("notes", ())) if self.origin == "imported" else ()

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
    if not (folder / DESCRIPTION).is_file():
        raise ModelError(f"there is no model {reference!r} on this machine.", remedy="Choose one from the list.")
    return folder


def open_model(reference: str, device: str = "cpu") -> TrainedModel:
    """Load a model by its reference. Raises as ``locate`` and ``load_model`` do."""
    return load_model(locate(reference), device)


def _scan() -> dict[str, ShelfEntry | ModelError]:
    names = _folder_names(workspace.pretrained_folder())
    shipped = [name for name in names if not name.startswith(RUN_PREFIX)]
    runs = [name for name in _folder_names(workspace.runs_folder()) if name.startswith(RUN_PREFIX)]
    candidates = [*shipped, *reversed(runs)]
    return {name: _entry(name) for name in candidates if (_folder(name) / DESCRIPTION).is_file()}


def _folder_names(parent: Path) -> list[str]:
    if not parent.is_dir():
        return []
    return sorted(path.name for path in parent.iterdir() if path.is_dir() and workspace.SAFE_NAME.fullmatch(path.name))


def _folder(reference: str) -> Path:
    if reference.startswith(RUN_PREFIX):
        return workspace.child(workspace.runs_folder(), reference) / "model"
    if reference.startswith(CELL_PREFIX):
        return cell_folder(reference)
    return workspace.child(workspace.pretrained_folder(), reference)


def _entry(reference: str) -> ShelfEntry | ModelError:
    folder = _folder(reference)
    try:
        content = read_description(folder)
    except ModelError as error:
        return error
    kind: Literal["pretrained", "run"] = "run" if reference.startswith(RUN_PREFIX) else "pretrained"
    return ShelfEntry(reference, kind, folder, tuple(content["channel_names"]), dict(content["facts"]))
