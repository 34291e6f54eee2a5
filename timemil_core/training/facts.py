"""What a model's card tells of its training."""

from __future__ import annotations

from typing import Any

import torch

from timemil_core import __version__
from timemil_core.training.config import TrainingConfig
from timemil_core.training.run_data import RunData
from timemil_core.training.trainer import Trainer


def training_facts(
    data: RunData, trainer: Trainer, supervised: Trainer | None, scores: dict[str, Any], device: str
) -> dict[str, Any]:
    """Return the facts of a network whose training has ended, or was stopped after a finished epoch.

    Parameters
    ----------
    supervised
        The trainer of the fully supervised counterpart, None where there is none.
    scores
        Of the test part; empty where it was not scored.
    device
        What it was trained on, for people.
    """
    return {
        **_of_data(data, trainer.training),
        "epochs": trainer.n_finished,
        "best_epoch": trainer.kept.record.epoch,
        "supervised_best_epoch": None if supervised is None else supervised.kept.record.epoch,
        "selection": selection_used(data, trainer),
        "warm_up_epochs": trainer.n_warm_up,
        "state": _state(trainer),
        "scores": {"validation_accuracy": _validation_accuracy(data, trainer), **scores},
        "protocol": protocol(data, trainer),
        "notes": [*data.notes, *_memory_note(trainer)],
        "trained_on": device,
    }


def fitted_facts(data: RunData, training: TrainingConfig, scores: dict[str, Any], fitted_in: float) -> dict[str, Any]:
    """Return the facts of a network that was fitted at once.

    Parameters
    ----------
    scores
        Of the test part; empty where there is none.
    fitted_in
        Seconds of the fit.
    """
    scored = "The test part was scored once, at the end." if len(data.test) else "There is no test part."
    return {
        **_of_data(data, training),
        "selection": "last",
        "state": "finished",
        "scores": scores,
        "protocol": f"Fitted on all training series at once. {scored}",
        "notes": list(data.notes),
        "trained_on": "CPU",
        "seconds": round(fitted_in, 3),
    }


def _of_data(data: RunData, training: TrainingConfig) -> dict[str, Any]:
    return {
        "data_name": data.series_set.name,
        "fingerprint": data.series_set.fingerprint,
        "n_train": len(data.fit),
        "n_validation": len(data.validation),
        "n_test": len(data.test),
        "seed": training.seed,
        "training": training.to_json(),
        "versions": {"torch": torch.__version__, "timemil_core": __version__},
    }


def _memory_note(trainer: Trainer) -> list[str]:
    return [trainer.memory.sentence] if trainer.memory is not None and trainer.memory.sentence else []


def selection_used(data: RunData, trainer: Trainer) -> str:
    """Return how the epoch was in fact chosen: ``"validation"``, ``"last"`` or ``"test"``."""
    if trainer.training.selection == "last" or not len(data.judged):
        return "last"
    return data.judged_on


def protocol(data: RunData, trainer: Trainer) -> str:
    """Tell in sentences how the epoch was chosen and what the test scores are worth."""
    chosen = {
        "validation": f"The epoch was chosen by accuracy on {len(data.validation)} series held out of the training "
        "part.",
        "last": "The last epoch was kept.",
        "test": "The epoch was chosen on the test set itself, as the authors' code does: the test scores are too good "
        "and say nothing of new series.",
    }[selection_used(data, trainer)]
    if not trainer.is_finished:
        return f"{chosen} Stopped at epoch {trainer.n_finished}; the test part was not scored."
    if not len(data.test):
        return f"{chosen} There is no test part."
    return chosen if data.judged_on == "test" else f"{chosen} The test part was scored once, at the end."


def _state(trainer: Trainer) -> str:
    if trainer.is_finished:
        return f"finished after {trainer.n_finished} epochs"
    return f"stopped at epoch {trainer.n_finished} of {trainer.training.n_epochs}"


def _validation_accuracy(data: RunData, trainer: Trainer) -> float | None:
    return trainer.kept.record.validation_accuracy if data.judged_on == "validation" else None
