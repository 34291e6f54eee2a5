"""``--set key=value`` for any setting of the model or the training."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any, get_type_hints

from timemil_core.errors import SettingsError
from timemil_core.models.config import GIVEN_BY_THE_DATA, ModelConfig
from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.listing import OTHERS
from timemil_core.training.config import TrainingConfig

NOT_SET = (*GIVEN_BY_THE_DATA, "network")
TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def read_settings(texts: Iterable[str], preset: str = "default") -> tuple[dict[str, Any], dict[str, Any]]:
    """Return (model settings, training settings) of ``key=value`` texts.

    Model settings are those of the network that ``preset`` names: another's own, or TimeMIL's.

    Raises
    ------
    SettingsError
        Where a text has no ``=``, a key is unknown, or a value is of the wrong kind.
    """
    other = OTHERS.get(preset)
    kinds = _kinds(ModelConfig if other is None else other[2].of_config)
    model_kinds = {key: kind for key, kind in kinds.items() if key not in NOT_SET}
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
        elif other is None:
            known = ", ".join([*model_kinds, *training_kinds])
            raise SettingsError(f"there is no setting {key!r}.", remedy=f"Choose one of {known}.")
        else:
            own, of_training = ", ".join(model_kinds) or "none", ", ".join(training_kinds)
            raise SettingsError(f"{preset} has no setting {key!r}.", remedy=f"Its own: {own}. Training: {of_training}.")
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


def _kinds(settings: type[ModelConfig] | type[OtherConfig] | type[TrainingConfig]) -> dict[str, Any]:
    hints = get_type_hints(settings)
    return {field.name: hints[field.name] for field in fields(settings)}


def _read(key: str, text: str, kind: Any) -> Any:
    reader, expected = _READERS.get(kind, (str, "a word"))
    try:
        return reader(text)
    except (KeyError, ValueError) as error:
        raise SettingsError(f"{key} is {text!r}.", remedy=f"Give {expected}.") from error
