"""Models that a benchmark trains: by run folders, so that a rerun goes on where one ended."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from benchmarks.pieces import OutOfTimeError, Pieces
from timemil_core.models.storage import load_model
from timemil_core.models.trained import TrainedModel
from timemil_core.training.config import TrainingConfig, training_preset
from timemil_core.training.run import execute
from timemil_core.training.run_folder import create_run, open_run


def trained(
    pieces: Pieces,
    data: str,
    seed: int,
    n_epochs: int,
    preset: str = "default",
    named: str | None = None,
    **settings: Any,
) -> TrainedModel:
    """Return a model of a preset, trained as ``python -m timemil_core train`` does.

    ``settings`` are the training's, and the model's where the training has none of that name; ``named`` stands for
    them in the run folder's name.

    Raises
    ------
    OutOfTimeError
        Where the time is over before it is finished.
    """
    changed = "".join(f"-{name}-{value}" for name, value in sorted(settings.items()))
    changed = changed if named is None else f"-{named}"
    folder = pieces.folder / "runs" / f"{data}-{n_epochs}-epochs{changed}-seed-{seed}"
    if folder.exists():
        run = open_run(folder)
    else:
        of_training = {field.name for field in fields(TrainingConfig)}
        model_settings = {name: value for name, value in settings.items() if name not in of_training}
        settings = {name: value for name, value in settings.items() if name in of_training}
        training = training_preset(preset, n_epochs=n_epochs, seed=seed, with_supervised=False, **settings)
        run = create_run(data, preset=preset, model_settings=model_settings, training=training, folder=folder)
    if run.status().state != "finished":
        execute(run, report=print, should_stop=pieces.is_spent)
    if run.status().state != "finished":
        raise OutOfTimeError
    return load_model(run.model_folder)
