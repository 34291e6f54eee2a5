"""Every importance method by name, and ``explain``, which all pages and the estimator call."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from timemil_core.data.series_set import FloatArray
from timemil_core.errors import SettingsError
from timemil_core.explain.contract import Importance, Method
from timemil_core.explain.examination import Examination
from timemil_core.explain.imported import told_of_import
from timemil_core.explain.methods.ablation import feature_ablation
from timemil_core.explain.methods.activation import activation_energy
from timemil_core.explain.methods.attention_gradient import attention_gradient
from timemil_core.explain.methods.attention_maps import attention, has_class_token, pooling_weights, rollout
from timemil_core.explain.methods.contribution import contribution
from timemil_core.explain.methods.gradient_input import gradient_input
from timemil_core.explain.methods.integrated_gradients import integrated_gradients
from timemil_core.explain.methods.occlusion import channel_occlusion, occlusion
from timemil_core.explain.methods.random_masking import random_masking
from timemil_core.explain.progress import Progress, silent
from timemil_core.models.trained import TrainedModel

__all__ = ["METHODS", "Importance", "Method", "explain", "methods_for"]


def _any(model: TrainedModel) -> bool:
    return True


_ANY: dict[str, Any] = {"needs": "Works with every model.", "applies_to": _any}
_CLASS_TOKEN: dict[str, Any] = {
    "needs": "Needs the time-aware pooling, which has a class token.",
    "applies_to": has_class_token,
}
_CHANNELS: dict[str, Any] = {
    "needs": "Needs several channels; of one it would be occlusion.",
    "applies_to": lambda model: len(model.channel_names) > 1,
}
_LOOKED_AT: dict[str, Any] = {"signed": False, "class_specific": False, "per_channel": False}
_FOR_A_CLASS: dict[str, Any] = {"signed": False, "class_specific": True, "per_channel": False}
_FOR_AND_AGAINST: dict[str, Any] = {"signed": True, "class_specific": True, "per_channel": False}
_BY_CHANNEL: dict[str, Any] = {"signed": True, "class_specific": True, "per_channel": True}

METHODS: dict[str, Method] = {
    method.key: method
    for method in (
        Method(
            "attention",
            "Class token's attention",
            explain=attention,
            settings=("layer", "head"),
            **_LOOKED_AT,
            **_CLASS_TOKEN,
        ),
        Method("rollout", "Attention rollout", explain=rollout, settings=(), **_LOOKED_AT, **_CLASS_TOKEN),
        Method("pooling", "Pooling weights", explain=pooling_weights, settings=(), **_LOOKED_AT, **_ANY),
        Method(
            "attention-gradient",
            "Attention × gradient",
            explain=attention_gradient,
            settings=("layer",),
            **_FOR_A_CLASS,
            **_CLASS_TOKEN,
        ),
        Method(
            "contribution",
            "Contribution through the pooling",
            explain=contribution,
            settings=(),
            **_FOR_AND_AGAINST,
            **_ANY,
        ),
        Method(
            "activation",
            "Activation energy (the paper's APBA)",
            explain=activation_energy,
            settings=(),
            **_LOOKED_AT,
            **_ANY,
        ),
        Method(
            "gradient-input",
            "Gradient × input",
            explain=gradient_input,
            settings=("baseline", "smoothing", "seed"),
            **_BY_CHANNEL,
            **_ANY,
        ),
        Method(
            "integrated-gradients",
            "Integrated gradients",
            explain=integrated_gradients,
            settings=("baseline", "n_steps", "smoothing", "seed"),
            **_BY_CHANNEL,
            **_ANY,
        ),
        Method(
            "occlusion",
            "Occlusion",
            explain=occlusion,
            settings=("window", "filler", "seed"),
            **_FOR_AND_AGAINST,
            **_ANY,
        ),
        Method(
            "channel-occlusion",
            "Occlusion by channel",
            explain=channel_occlusion,
            settings=("window", "filler", "seed"),
            **_BY_CHANNEL,
            **_CHANNELS,
        ),
        Method(
            "ablation",
            "Feature ablation",
            explain=feature_ablation,
            settings=("window", "baseline", "seed"),
            **_BY_CHANNEL,
            **_ANY,
        ),
        Method(
            "random-masking",
            "Random masking (RISE)",
            explain=random_masking,
            settings=("window", "n_masks", "filler", "seed"),
            **_FOR_AND_AGAINST,
            **_ANY,
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
    against: int | None = None,
    examination: Examination | None = None,
    progress: Progress = silent,
    **settings: Any,
) -> Importance:
    """Explain one series by one method: the same model, series and settings always give the same map.

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
    against
        Index of a class to contrast it with: the lead of the one logit over the other is explained, "why B and not
        A". For class-specific methods alone.
    examination
        ``examine(model, series)`` where it is at hand, to spare computing it again.
    progress
        Told (done, of) by methods that take long; raises to cancel.
    settings
        Of the method.

    Raises
    ------
    SettingsError
        Where the method, a class or a setting does not exist, or a method that knows no class is asked for a
        contrast.
    ModelError
        Where the method does not apply to the model.
    """
    if method not in METHODS:
        raise SettingsError(f"there is no importance method {method!r}.", remedy=f"Choose one of {', '.join(METHODS)}.")
    chosen = METHODS[method]
    chosen.check_settings(settings)
    if chosen.class_specific:
        settings |= {"against": against, "progress": progress}
    elif against is not None:
        raise SettingsError(
            f"{chosen.title} knows no class, so it cannot contrast two.",
            remedy="Choose a class-specific method, such as occlusion.",
        )
    importance = chosen.explain(model, series, target_class, examination=examination, **settings)
    return _telling_of_gaps(told_of_import(importance, model, series), series)


def _telling_of_gaps(importance: Importance, series: FloatArray) -> Importance:
    n_missing = int(np.count_nonzero(~np.isfinite(series)))
    if not n_missing:
        return importance
    verb = "value is" if n_missing == 1 else "values are"
    told = f" {n_missing:,} {verb} missing in this series: there the map is about what was filled in."
    return replace(importance, note=importance.note + told)
