"""The shell command that trains a run's model again."""

from __future__ import annotations

import shlex
from typing import Any

from timemil_core.models.at_once import asked_for
from timemil_core.models.config import GIVEN_BY_THE_DATA
from timemil_core.setting_checks import setting_text
from timemil_core.training.config import training_preset
from timemil_core.training.run_folder import RunFolder

FLAGS = {"n_epochs": "--epochs", "seed": "--seed", "batch_size": "--batch-size", "learning_rate": "--learning-rate"}
ALWAYS_TOLD = ("n_epochs", "seed")


def shell_command(run: RunFolder) -> str:
    """Return a command that asks for exactly this run's settings, those of its preset left unsaid."""
    name = run.config["preset"]
    words = ["python", "-m", "timemil_core", "train", "--data", run.data, "--preset", name, "--out", "RUN"]
    plain = training_preset(name).to_json()
    for key, value in run.training.to_json().items():
        if key in ALWAYS_TOLD or value != plain[key]:
            words += _words(key, value)
    plain_model = asked_for(name, n_channels=1, n_classes=2).to_json()
    for key, value in run.model_config.to_json().items():
        if key not in GIVEN_BY_THE_DATA and value != plain_model[key]:
            words += _words(key, value)
    return shlex.join(words)


def _words(key: str, value: Any) -> list[str]:
    return [FLAGS[key], str(value)] if key in FLAGS else ["--set", f"{key}={setting_text(value)}"]
