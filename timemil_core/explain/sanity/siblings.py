"""Models that differ from one in their seed alone: the same data, network and training; and how to get some."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from timemil_core.errors import ModelError, TimeMILError
from timemil_core.models.at_once import asked_for
from timemil_core.models.building import FITTED_AT_ONCE, read_config
from timemil_core.models.network import NetworkConfig
from timemil_core.models.shelf import shelf
from timemil_core.models.storage import read_description
from timemil_core.models.sweep_notes import cell_models
from timemil_core.models.trained import TrainedModel
from timemil_core.setting_checks import setting_text
from timemil_core.training.config import TrainingConfig, training_preset
from timemil_core.training.run_folder import RunFolder, SeenRun, create_run, seen_runs

N_SEEDS_TO_ASK_FOR = 4
BESIDES = ("seed", "device", "checkpointing", "compilation", "with_supervised", "time_limit")
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
            theirs = experiment_of(content)
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
    recipe = _recipe(model)
    if recipe is None:
        return ""
    changed = recipe.model_settings | _changes(training_preset(recipe.preset), recipe.training)
    asked = {key: value for key, value in changed.items() if key not in BESIDES} | {"with_supervised": False}
    seeds = [str(seed) for seed in recipe.other_seeds(n_seeds)]
    words = ["python", "-m", "timemil_core", "sweep", "--data", data, "--preset", recipe.preset, "--seeds", *seeds]
    words += [word for key, value in asked.items() for word in ("--set", f"{key}={setting_text(value)}")]
    return shlex.join([*words, "--out", "seeds"])


def create_siblings(model: TrainedModel, data: str, n_seeds: int = N_SEEDS_TO_ASK_FOR) -> list[RunFolder]:
    """Create runs of the workspace that train siblings of a model, as `sweep_command` asks for; none is begun.

    Parameters
    ----------
    model, data, n_seeds
        As `sweep_command`'s.

    Raises
    ------
    ModelError
        Where the model's card does not tell its training.
    TimeMILError
        As `create_run`.
    """
    recipe = _recipe(model)
    if recipe is None:
        raise ModelError("How this model was trained is not told in its card.", remedy="Train a model here.")
    title = str(model.facts.get("title") or model.facts.get("data_name") or data)
    return [
        create_run(
            data,
            preset=recipe.preset,
            model_settings=recipe.model_settings,
            training=replace(recipe.training, seed=seed, device="auto", with_supervised=False),
            title=f"{title}, seed {seed}",
        )
        for seed in recipe.other_seeds(n_seeds)
    ]


def unfinished_siblings(model: TrainedModel) -> list[SeenRun]:
    """Return the runs of the workspace that are at work on, or wait for, a sibling of a model."""
    recipe = _recipe(model)
    if recipe is None:
        return []
    own = _told(model.facts.get("fingerprint"), model.network.config, recipe.training)
    return [
        seen
        for seen in seen_runs()
        if isinstance(seen, SeenRun)
        and seen.status.is_active
        and _told(seen.run.config["fingerprint"], seen.run.model_config, seen.run.training) == own
    ]


@dataclass(frozen=True)
class _Recipe:
    # What a card tells of a training that can be asked for again: changes of a preset, and the training's settings.
    preset: str
    model_settings: dict[str, Any]
    training: TrainingConfig

    def other_seeds(self, n_seeds: int) -> list[int]:
        return [seed for seed in range(n_seeds + 1) if seed != self.training.seed][:n_seeds]


def _recipe(model: TrainedModel) -> _Recipe | None:
    if not {"training", "fingerprint"} <= model.facts.keys():  # another's: nothing is known of its training
        return None
    name = str(model.facts.get("preset") or "default")
    sizes = {"n_channels": len(model.channel_names), "n_classes": len(model.class_names)}
    sizes["n_timepoints"] = getattr(model.network.config, "n_timepoints", 1)
    try:
        usual = asked_for(name, **sizes)
    except TimeMILError:  # imported: no preset of ours
        return None
    changes = {} if name in FITTED_AT_ONCE else _changes(usual, model.network.config)
    return _Recipe(name, changes, TrainingConfig.from_json(model.facts["training"]))


def experiment_of(description: dict[str, Any]) -> str | None:
    """Return what is the same of models that differ in their seed alone; None where a card does not tell it.

    ``description`` is as `read_description` gives it. Raises SettingsError where its settings cannot be read.
    """
    return _experiment(read_config(description["config"]), description["facts"])


def _candidates() -> Iterator[tuple[str, Path]]:
    yield from ((entry.reference, entry.folder) for entry in shelf())
    yield from cell_models().items()


def _experiment(config: NetworkConfig, facts: dict[str, Any]) -> str | None:
    """Return all that has to be the same of two models, as one text; None where the card does not tell it."""
    if not {"training", "fingerprint"} <= facts.keys():
        return None
    # read through the settings, so that one that a later version adds stands in older cards, too
    told = _told(facts["fingerprint"], config, TrainingConfig.from_json(facts["training"]))
    return json.dumps([facts.get("epochs"), told])


def _told(fingerprint: Any, config: NetworkConfig, training: TrainingConfig) -> str:
    usual = TrainingConfig()
    same = replace(training, **{name: getattr(usual, name) for name in BESIDES})
    asked = {name: value for name, value in config.to_json().items() if name != "seed"}
    return json.dumps([fingerprint, asked, same.to_json()], sort_keys=True)


def _changes(usual: Any, own: Any) -> dict[str, Any]:
    names = [field.name for field in fields(usual)]
    return {name: getattr(own, name) for name in names if getattr(own, name) != getattr(usual, name)}
