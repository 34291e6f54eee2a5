"""Models that differ from one in their seed alone: the same data, network and training; and how to get some."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, cast

from timemil_core.errors import TimeMILError
from timemil_core.models.building import read_config
from timemil_core.models.config import ModelConfig, PresetName, preset
from timemil_core.models.shelf import shelf
from timemil_core.models.storage import read_description
from timemil_core.models.sweep_notes import cell_models
from timemil_core.models.trained import TrainedModel
from timemil_core.training.config import TrainingConfig, training_preset

N_SEEDS_TO_ASK_FOR = 4
BESIDES = ("seed", "device", "checkpointing", "compilation", "with_supervised")
"""Settings that make no other experiment of a training: its seed, where and how it runs, what else it trains."""


@dataclass(frozen=True)
class Sibling:
    """A model that differs in its seed.

    Attributes
    ----------
    seed
        Of its training.
    reference
        As ``shelf.open_model`` takes it.
    folder
        Where its files are.
    facts
        What its card tells.
    """

    seed: int
    reference: str
    folder: Path
    facts: dict[str, Any]


def siblings(model: TrainedModel) -> list[Sibling]:
    """Return the models of this machine of the same data and settings but of another seed, one a seed, by seed.

    Shipped models, finished runs and the cells of sweeps are looked through. A training that was stopped before its
    last epoch is no sibling of one that was not. Empty for a model whose card does not tell its training.
    """
    own = _experiment(model.network.config, model.facts)
    if own is None:
        return []
    found: dict[int, Sibling] = {}
    for reference, folder in _candidates():
        try:
            content = read_description(folder)
            theirs = _experiment(read_config(content["config"]), content["facts"])
        except TimeMILError:
            continue  # the list of models tells of what cannot be read
        seed = int(content["facts"].get("seed", -1))
        if theirs == own and seed != model.facts.get("seed"):
            found.setdefault(seed, Sibling(seed, reference, folder, content["facts"]))
    return [found[seed] for seed in sorted(found)]


def sweep_command(model: TrainedModel, data: str, n_seeds: int = N_SEEDS_TO_ASK_FOR) -> str:
    """Return the shell command that trains siblings of a model, as its card tells its settings; "" where it does not.

    Parameters
    ----------
    model
        Whose settings are taken.
    data
        The reference of its data set.
    n_seeds
        How many seeds besides its own.
    """
    if "training" not in model.facts:
        return ""
    name = str(model.facts.get("preset") or "default")
    training = TrainingConfig.from_json(model.facts["training"])
    sizes = {"n_channels": len(model.channel_names), "n_classes": len(model.class_names)}
    try:
        usual = preset(cast(PresetName, name), **sizes)
    except TimeMILError:  # imported: no preset of ours
        return ""
    changed = _changes(usual, model.network.config) | _changes(training_preset(name), training)
    asked = {key: value for key, value in changed.items() if key not in BESIDES} | {"with_supervised": False}
    seeds = [str(seed) for seed in range(n_seeds + 1) if seed != training.seed][:n_seeds]
    words = ["python", "-m", "timemil_core", "sweep", "--data", data, "--preset", name, "--seeds", *seeds]
    words += [word for key, value in asked.items() for word in ("--set", f"{key}={value}")]
    return shlex.join([*words, "--out", "seeds"])


def _candidates() -> Iterator[tuple[str, Path]]:
    yield from ((entry.reference, entry.folder) for entry in shelf())
    yield from cell_models().items()


def _experiment(config: ModelConfig, facts: dict[str, Any]) -> str | None:
    """Return all that has to be the same, as one text; None where the card does not tell it."""
    if not {"training", "fingerprint"} <= facts.keys():
        return None
    usual = TrainingConfig()
    training = replace(
        TrainingConfig.from_json(facts["training"]), **{name: getattr(usual, name) for name in BESIDES}
    )  # read through the settings, so that one that a later version adds stands in older cards, too
    told = [facts["fingerprint"], facts.get("epochs"), config.to_json(), training.to_json()]
    return json.dumps(told, sort_keys=True)


def _changes(usual: Any, own: Any) -> dict[str, Any]:
    names = [field.name for field in fields(usual)]
    return {name: getattr(own, name) for name in names if getattr(own, name) != getattr(usual, name)}
