"""One training of a benchmark: a recipe on some series, and what its last epoch says of others."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np
import torch

from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import IntArray, SeriesSet
from timemil_core.models.at_once import TRAINABLE, asked_for, sizes_of
from timemil_core.models.building import FITTED_AT_ONCE, NETWORKS
from timemil_core.models.ensemble.config import ENSEMBLES
from timemil_core.models.timemil import probabilities
from timemil_core.training.config import TrainingConfig, training_preset
from timemil_core.training.examples import make_examples
from timemil_core.training.loop import judge
from timemil_core.training.run_data import split_and_prepare
from timemil_core.training.trainer import Trainer

CPU = torch.device("cpu")
OF_TRAINING = {one.name for one in fields(TrainingConfig)}
# An ensemble's MiniRocket is fitted by a run, not by its trainer: ask for several as one instead.
MEASURABLE = tuple(name for name in TRAINABLE if not ENSEMBLES.get(name, {}).get("with_minirocket"))


@dataclass(frozen=True)
class Recipe:
    """A preset or network by name, and what differs from it: settings of the training, and of the architecture."""

    preset: str
    changes: dict[str, Any] = field(default_factory=dict)

    def training(self, **more: Any) -> TrainingConfig:
        """Return the training's settings: all epochs, the last one kept, TimeMIL alone."""
        own = {name: value for name, value in self.changes.items() if name in OF_TRAINING}
        usual = {"selection": "last", "with_supervised": False}
        return training_preset(self.preset, **{**usual, **more, **own})

    @property
    def told(self) -> list[Any]:
        """What it is as JSON values: its name, what differs from it, and what training it stands for now."""
        usual = TrainingConfig().to_json()
        return [self.preset, self.changes, {k: v for k, v in self.training().to_json().items() if v != usual[k]}]

    @property
    def model(self) -> dict[str, Any]:
        """Settings of the architecture."""
        return {name: value for name, value in self.changes.items() if name not in OF_TRAINING}


@dataclass(frozen=True)
class Cell:
    """What a training says of series that it was not shown.

    Attributes
    ----------
    labels, logits
        ``(n_series,)`` and ``(n_series, n_classes)``, after the last epoch.
    seconds
        To train, with what was looked at.
    by_epoch
        Accuracy on them after each epoch, where it was looked at.
    """

    labels: list[int]
    logits: list[list[float]]
    seconds: float
    by_epoch: list[float] = field(default_factory=list)

    @property
    def accuracy(self) -> float:
        """Of the last epoch."""
        return accuracy_of([self], [1.0])

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


def accuracy_of(cells: list[Cell], shares: list[float]) -> float:
    """Return the accuracy of several networks as one: the mean of their logits, each counting its share."""
    logits = np.average([cell.logits for cell in cells], axis=0, weights=shares)
    return float((logits.argmax(axis=1) == np.array(cells[0].labels)).mean())


def log_loss_of(cells: list[Cell], shares: list[float]) -> float:
    """Return the mean of −log p(true class) of several networks as one."""
    logits = torch.tensor(np.average([cell.logits for cell in cells], axis=0, weights=shares))
    labels = np.array(cells[0].labels)
    said = probabilities(logits).numpy()[np.arange(len(labels)), labels]
    return float(-np.log(np.clip(said, 1e-3, 1)).mean())


def as_one(several: str, cells: Mapping[str, list[Cell]]) -> tuple[list[Cell], list[float]] | None:
    """Return the networks of ``A*0.25+B*0.75`` and how much each counts; None where one of them is not there.

    How much a member counts is not how many networks it has: all of a member share its part.
    """
    members = {name: float(share or 1) for name, _, share in (one.partition("*") for one in several.split("+"))}
    if not all(name in cells for name in members):
        return None
    each = [(cell, share / len(cells[name])) for name, share in members.items() for cell in cells[name]]
    return [cell for cell, _ in each], [share for _, share in each]


def on_test_part(series_set: SeriesSet, recipe: Recipe, seed: int, n_epochs: int, *, watched: bool) -> Cell:
    """Train on the whole training part; nothing is chosen by what is said of the test part."""
    by_epochs = {} if recipe.preset in FITTED_AT_ONCE else {"n_epochs": n_epochs}
    training = recipe.training(seed=seed, validation_share=0.0, **by_epochs)
    data = split_and_prepare(series_set, training)
    return trained(series_set, recipe, training, data.preparation, data.fit, data.test, watched=watched)


def trained(
    series_set: SeriesSet,
    recipe: Recipe,
    training: TrainingConfig,
    preparation: Preparation,
    fit: IntArray,
    judged: IntArray,
    *,
    watched: bool = False,
) -> Cell:
    """Train on the series ``fit`` and return what is said of ``judged``, looked at after each epoch where asked."""
    series, others = (preparation.transform([series_set.series[place] for place in places]) for places in (fit, judged))
    begun, labels = time.perf_counter(), series_set.labels[judged]
    examples = make_examples(others, labels, series_set.n_classes, CPU)
    by_epoch: list[float] = []
    if recipe.preset in FITTED_AT_ONCE:
        fitted = NETWORKS[recipe.preset].fit
        assert fitted is not None
        network = fitted(series, series_set.labels[fit], series_set.n_classes, training.seed, lambda done, of: None)
    else:
        config = asked_for(recipe.preset, **sizes_of(series_set), **recipe.model)
        trainer = Trainer(config, training, CPU)
        learned = make_examples(series, series_set.labels[fit], series_set.n_classes, CPU)
        while not trainer.is_finished:
            trainer.run_epoch(learned, None)
            if watched:
                by_epoch.append(judge(trainer.network, examples).accuracy)
        network = trainer.kept_network()
    logits = judge(network, examples).logits
    return Cell(labels.tolist(), logits.tolist(), time.perf_counter() - begun, by_epoch)
