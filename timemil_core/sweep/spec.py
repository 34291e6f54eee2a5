"""``SweepSpec``: what a sweep was asked for, from a TOML file, the command line, or the folder of a sweep begun."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Any

from timemil_core.data import catalogue
from timemil_core.errors import SettingsError
from timemil_core.models.at_once import TRAINABLE, asked_for, setting_kinds
from timemil_core.sweep.cell import Cell
from timemil_core.training.config import TrainingConfig, training_preset

GIVEN_ELSEWHERE = ("n_channels", "n_classes", "seed")  # by the data, and by the list of seeds
TRAINING_SETTINGS = {field.name for field in fields(TrainingConfig)}


@dataclass(frozen=True)
class SweepSpec:
    """Every combination of the lists below is a cell.

    Attributes
    ----------
    data
        References of data sets.
    settings
        A setting of the model or the training, and the values to try; a single one is the same for all.
    seeds
        Over which mean and spread are taken.
    presets
        Where the settings start from.
    """

    data: tuple[str, ...]
    settings: dict[str, tuple[Any, ...]]
    seeds: tuple[int, ...] = (0,)
    presets: tuple[str, ...] = ("default",)

    @property
    def swept(self) -> list[str]:
        """The settings that take more than one value."""
        return [key for key, values in self.settings.items() if len(values) > 1]

    def cells(self) -> list[Cell]:
        """Return every cell; seeds change fastest, so that a whole row of the table is done early."""
        combinations = [dict(zip(self.settings, values, strict=True)) for values in product(*self.settings.values())]
        order = product(self.data, self.presets, combinations, self.seeds)
        return [Cell(data, name, settings, seed) for data, name, settings, seed in order]

    def check(self) -> None:
        """Refuse what no cell could be trained with, before anything is trained.

        Raises
        ------
        SettingsError
            Where a list is empty or names a thing twice, or a setting is unknown or has a value that cannot work.
        DataError
            Where there is no such data set.
        """
        lists = {"data": self.data, "seeds": self.seeds, "presets": self.presets, **self.settings}
        for key, values in lists.items():
            if not values:
                raise SettingsError(f"{key} is empty.", remedy="Give at least one value.")
            if len({repr(value) for value in values}) < len(values):
                raise SettingsError(f"{key} names a value twice.", remedy="Give each once.")
        known = {key for name in self.presets for key in _model_settings(name)} | TRAINING_SETTINGS
        for key in self.settings:
            if key in GIVEN_ELSEWHERE or key not in known:
                raise SettingsError(f"{key!r} is no setting of the model or the training.")
        for cell in replace(self, data=self.data[:1]).cells():
            _check_settings(cell)
        for reference in self.data:
            catalogue.find(reference)

    def to_json(self) -> dict[str, Any]:
        """Return the specification as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> SweepSpec:
        """Read what ``to_json`` wrote, or what a person did: a single value may stand without its list.

        Raises
        ------
        SettingsError
            Where a key is unknown, or ``data`` is absent.
        """
        if unknown := sorted(set(content) - {field.name for field in fields(cls)}):
            raise SettingsError(f"unknown key {', '.join(unknown)}.", remedy="Give data, seeds, presets and settings.")
        if "data" not in content:
            raise SettingsError("no data set is named.", remedy='Give data = ["NAME", …].')
        lists = {key: _values(value) for key, value in content.items() if key != "settings"}
        settings = content.get("settings", {})
        if not isinstance(settings, dict):
            raise SettingsError("settings is no table.", remedy="Write [settings], then key = [values].")
        return cls(**lists, settings={key: _values(value) for key, value in settings.items()})


def read_toml(path: Path) -> SweepSpec:
    """Read a sweep's TOML file.

    Raises
    ------
    SettingsError
        Where it cannot be read, or a key is unknown.
    """
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"this cannot be read as TOML: {error}.", where=str(path)) from error
    try:
        return SweepSpec.from_json(content)
    except SettingsError as error:
        raise SettingsError(error.problem, where=str(path), remedy=error.remedy) from error


def _model_settings(preset: str) -> set[str]:
    if preset not in TRAINABLE:
        raise SettingsError(f"no preset {preset!r}.", remedy=f"Choose one of {', '.join(TRAINABLE)}.")
    return set(setting_kinds(preset))


def _values(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _check_settings(cell: Cell) -> None:
    known = TRAINING_SETTINGS
    model = {key: value for key, value in cell.settings.items() if key not in known}
    training = {key: value for key, value in cell.settings.items() if key in known}
    asked_for(cell.preset, n_channels=1, n_classes=2, **model)
    training_preset(cell.preset, **training, seed=cell.seed)
