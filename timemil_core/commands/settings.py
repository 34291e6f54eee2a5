"""``--set key=value`` for any setting of the model or the training."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from typing import Any, get_type_hints

from timemil_core.errors import SettingsError
from timemil_core.models.at_once import setting_kinds
from timemil_core.training.config import TrainingConfig

TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def read_settings(texts: Iterable[str], presets: Sequence[str] = ("default",)) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (model settings, training settings) of ``key=value`` texts.

    Model settings are those of the networks that ``presets`` name.

    Raises
    ------
    SettingsError
        Where a text has no ``=``, a key is unknown, or a value is of the wrong kind.
    """
    model_kinds = {key: kind for name in presets for key, kind in setting_kinds(name).items()}
    training_kinds = _kinds(TrainingConfig)
    model: dict[str, Any] = {}
    training: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise SettingsError(f"--set {text!r} has no '='.", remedy="Write --set key=value.")
        if key in model_kinds:
            model[key] = _read(key, value, model_kinds[key])
        elif key in training_kinds:
            training[key] = _read(key, value, training_kinds[key])
        else:
            own, of_training = ", ".join(model_kinds) or "none", ", ".join(training_kinds)
            raise SettingsError(
                f"{' and '.join(presets)} has no setting {key!r}.", remedy=f"Its own: {own}. Training: {of_training}."
            )
    return model, training


def _truth(text: str) -> bool:
    return TRUTH[text.lower()]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(one) for one in text.split("/"))


_READERS: dict[Any, tuple[Callable[[str], Any], str]] = {
    bool: (_truth, "true or false"),
    int: (int, "a whole number"),
    float: (float, "a number"),
    tuple[int, ...]: (_numbers, "whole numbers with slashes between, such as 3/5/9"),
}


def _kinds(settings: type[TrainingConfig]) -> dict[str, Any]:
    hints = get_type_hints(settings)
    return {field.name: hints[field.name] for field in fields(settings)}


def _read(key: str, text: str, kind: Any) -> Any:
    reader, expected = _READERS.get(kind, (str, "a word"))
    try:
        return reader(text)
    except (KeyError, ValueError) as error:
        raise SettingsError(f"{key} is {text!r}.", remedy=f"Give {expected}.") from error
