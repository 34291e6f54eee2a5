"""Every importance method by name, and ``explain``, which all pages and the estimator call."""

from __future__ import annotations

from typing import Any

from timemil_core.data.series_set import FloatArray
from timemil_core.errors import SettingsError
from timemil_core.explain.attention_maps import attention, is_time_aware, pooling_weights, rollout
from timemil_core.explain.contract import Importance, Method
from timemil_core.explain.examination import Examination
from timemil_core.explain.occlusion import occlusion
from timemil_core.models.trained import TrainedModel

__all__ = ["METHODS", "Importance", "Method", "explain", "methods_for"]

_CLASS_TOKEN = "Needs the time-aware pooling, which has a class token."  # noqa: S105
_ANY = "Works with every model."


def _any(model: TrainedModel) -> bool:
    return True


METHODS: dict[str, Method] = {
    method.key: method
    for method in (
        Method(
            "attention",
            "Class token's attention",
            signed=False,
            class_specific=False,
            explain=attention,
            settings=("layer", "head"),
            needs=_CLASS_TOKEN,
            applies_to=is_time_aware,
        ),
        Method(
            "rollout",
            "Attention rollout",
            signed=False,
            class_specific=False,
            explain=rollout,
            settings=(),
            needs=_CLASS_TOKEN,
            applies_to=is_time_aware,
        ),
        Method(
            "pooling",
            "Pooling weights",
            signed=False,
            class_specific=False,
            explain=pooling_weights,
            settings=(),
            needs=_ANY,
            applies_to=_any,
        ),
        Method(
            "occlusion",
            "Occlusion",
            signed=True,
            class_specific=True,
            explain=occlusion,
            settings=("window", "filler", "seed"),
            needs=_ANY,
            applies_to=_any,
        ),
    )
}


def methods_for(model: TrainedModel) -> list[Method]:
    """Return the methods that apply to a model, in the registry's order."""
    return [method for method in METHODS.values() if method.applies_to(model)]


def explain(
    model: TrainedModel,
    series: FloatArray,
    method: str = "attention",
    target_class: int | None = None,
    *,
    examination: Examination | None = None,
    **settings: Any,
) -> Importance:
    """Explain one series by one method.

    Parameters
    ----------
    model
        Stays as it is.
    series
        ``(n_channels, n_timepoints)``, raw.
    method
        A key of ``METHODS``.
    target_class
        Index of the class to explain; by default the predicted one. Methods that know no class pass it by, and
        their result says so.
    examination
        ``examine(model, series)`` where it is at hand, to spare computing it again.
    settings
        Of the method.

    Raises
    ------
    SettingsError
        Where the method or a setting does not exist.
    ModelError
        Where the method does not apply to the model.
    """
    if method not in METHODS:
        raise SettingsError(f"there is no importance method {method!r}.", remedy=f"Choose one of {', '.join(METHODS)}.")
    chosen = METHODS[method]
    chosen.check_settings(settings)
    return chosen.explain(model, series, target_class, examination=examination, **settings)
