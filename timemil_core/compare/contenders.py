"""Who is compared: the models of this machine that were trained on one data set, those of one experiment together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from timemil_core.errors import TimeMILError
from timemil_core.explain.sanity.siblings import experiment_of
from timemil_core.models.at_once import asked_for
from timemil_core.models.building import NETWORKS, TIMEMIL
from timemil_core.models.config import PRESET_NAMES
from timemil_core.models.shelf import shelf
from timemil_core.models.storage import read_description
from timemil_core.models.sweep_notes import cell_models, cell_title


@dataclass(frozen=True)
class Contender:
    """A model that takes part.

    Attributes
    ----------
    reference
        As ``shelf.open_model`` takes it.
    title
        What its user calls it.
    network
        What it is: TimeMIL with its preset, or another network's title.
    experiment
        The same for models that differ in their seed alone.
    facts
        What its card tells.
    """

    reference: str
    title: str
    network: str
    experiment: str
    facts: dict[str, Any]

    @property
    def seed(self) -> int | None:
        """Of its training, where its card tells it."""
        return self.facts.get("seed")

    @property
    def chosen_on_test(self) -> bool:
        """Whether its epoch was chosen on the test set: its test scores are then too good."""
        return self.facts.get("selection") == "test"


def contenders(data: str) -> list[Contender]:
    """Return every model of this machine that was trained on a data set, cells of sweeps included.

    ``data`` is the set's reference. What cannot be read is left out; the list of models tells of it.
    """
    return by_data_set().get(data, [])


def by_data_set() -> dict[str, list[Contender]]:
    """Return every model of this machine by the data set that it was trained on, from one look at all cards."""
    found = {entry.reference: (entry.folder, entry.title) for entry in shelf()}
    found |= {reference: (folder, cell_title(reference)) for reference, folder in cell_models().items()}
    read = (_contender(reference, folder, title) for reference, (folder, title) in found.items())
    grouped: dict[str, list[Contender]] = {}
    for one in read:
        if one is not None and one.facts.get("data"):
            grouped.setdefault(str(one.facts["data"]), []).append(one)
    return grouped


def of_several_seeds(of: Iterable[Contender]) -> dict[str, list[Contender]]:
    """Return contenders by experiment, each by seed."""
    grouped: dict[str, list[Contender]] = {}
    for one in of:
        grouped.setdefault(one.experiment, []).append(one)
    return {experiment: sorted(group, key=lambda one: one.seed or 0) for experiment, group in grouped.items()}


def _contender(reference: str, folder: Path, title: str) -> Contender | None:
    try:
        content = read_description(folder)
        experiment = experiment_of(content)
    except TimeMILError:
        return None
    return Contender(reference, title, _network(content), experiment or reference, content["facts"])


def _network(content: dict[str, Any]) -> str:
    name, preset = content["config"].get("network", TIMEMIL), str(content["facts"].get("preset") or "default")
    if name != TIMEMIL:
        return NETWORKS[name].title
    if preset not in PRESET_NAMES:
        return "TimeMIL, imported"
    usual = asked_for(preset, n_channels=1, n_classes=2).to_json()
    parts = (("pooling", "pooling"), ("positional_encoding", "encoding"))
    changed = [f"{content['config'][key]} {word}" for key, word in parts if content["config"][key] != usual[key]]
    return ", ".join([f"TimeMIL, {preset}", *changed])
