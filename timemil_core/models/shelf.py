"""Every model that can be opened, by the reference that stands in the URL: shipped ones and finished runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from timemil_core import workspace
from timemil_core.atomic import read_json
from timemil_core.errors import ModelError
from timemil_core.models.storage import DESCRIPTION, load_model
from timemil_core.models.trained import TrainedModel

RUN_PREFIX = "run-"


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
    def data(self) -> str:
        """The reference of the data set that it was trained on."""
        return str(self.facts.get("data", ""))


def shelf() -> list[ShelfEntry]:
    """Return the shipped models by name, then the runs that hold a model, newest first."""
    shipped = [_entry(folder.name, "pretrained", folder) for folder in _folders(workspace.pretrained_folder())]
    runs = [_entry(folder.name, "run", folder / "model") for folder in _folders(workspace.runs_folder())]
    found = [*shipped, *sorted(runs, key=lambda entry: entry.reference if entry else "", reverse=True)]
    return [entry for entry in found if entry is not None]


def locate(reference: str) -> Path:
    """Return the folder of a model.

    Raises
    ------
    SettingsError
        Where the reference is no possible name.
    ModelError
        Where there is no such model.
    """
    is_run = reference.startswith(RUN_PREFIX)
    parent = workspace.runs_folder() if is_run else workspace.pretrained_folder()
    folder = workspace.child(parent, reference)
    folder = folder / "model" if is_run else folder
    if not (folder / DESCRIPTION).is_file():
        raise ModelError(f"there is no model {reference!r} on this machine.", remedy="Choose one from the list.")
    return folder


def open_model(reference: str, device: str = "cpu") -> TrainedModel:
    """Load a model by its reference. Raises as ``locate`` and ``load_model`` do."""
    return load_model(locate(reference), device)


def _folders(parent: Path) -> list[Path]:
    if not parent.is_dir():
        return []
    return sorted(folder for folder in parent.iterdir() if folder.is_dir() and not folder.name.startswith("."))


def _entry(reference: str, kind: Literal["pretrained", "run"], folder: Path) -> ShelfEntry | None:
    description = folder / DESCRIPTION
    if not description.is_file():
        return None
    content = read_json(description)
    return ShelfEntry(reference, kind, folder, tuple(content["channel_names"]), dict(content["facts"]))
