"""Every importance method by name, and ``explain``, which all pages and the estimator call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from timemil_core.data.series_set import FloatArray
from timemil_core.errors import ModelError, SettingsError
from timemil_core.explain.contract import Importance
from timemil_core.explain.examination import Examination
from timemil_core.explain.imported import told_of_import
from timemil_core.explain.methods.ablation import feature_ablation
from timemil_core.explain.methods.activation import activation_energy
from timemil_core.explain.methods.attention_gradient import attention_gradient
from timemil_core.explain.methods.attention_maps import attention, pooling_weights, rollout
from timemil_core.explain.methods.contribution import contribution, contribution_carried_back
from timemil_core.explain.methods.exact_contribution import exact_contribution
from timemil_core.explain.methods.gradient_input import gradient_input
from timemil_core.explain.methods.integrated_gradients import integrated_gradients
from timemil_core.explain.methods.members import averaged, member_contributions
from timemil_core.explain.methods.occlusion import channel_occlusion, occlusion
from timemil_core.explain.methods.random_masking import random_masking
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.request import Request
from timemil_core.explain.settings import (
    BASELINE,
    FILLER,
    HEAD,
    LAYER,
    N_MASKS,
    N_STEPS,
    SEED,
    SMOOTHING,
    WINDOW,
    Setting,
)
from timemil_core.models.abilities import Abilities, Ability
from timemil_core.models.trained import TrainedModel

__all__ = ["METHODS", "Importance", "Method", "explain", "methods_for"]


@dataclass(frozen=True)
class Method:
    """An entry of the registry of importance methods.

    Attributes
    ----------
    key
        The name in the URL and in ``explain``.
    title
        The name for people.
    signed, class_specific
        As in ``Importance``, known before anything is computed.
    per_channel
        Whether it tells channels apart.
    explain
        ``(request, **settings) -> Importance``.
    needs
        What a model has to be able to do.
    settings
        What ``explain`` takes besides.
    """

    key: str
    title: str
    signed: bool
    class_specific: bool
    per_channel: bool
    explain: Callable[..., Importance]
    needs: Abilities
    settings: tuple[Setting, ...] = ()

    def applies_to(self, model: TrainedModel) -> bool:
        """Tell whether a model can do what the method needs, or each network that it averages."""
        return self.needs <= model.abilities or self._asks_members(model)

    def _asks_members(self, model: TrainedModel) -> bool:
        return bool(model.members) and all(self.needs <= one.abilities for one in model.members)

    def of(self, request: Request, settings: dict[str, Any]) -> Importance:
        """Explain; where the model cannot be asked as a whole, by the mean over the networks that it averages."""
        if self.needs <= request.model.abilities:
            return self.explain(request, **settings)
        return averaged(request, lambda member: self.explain(member, **settings))

    def check(self, request: Request, settings: dict[str, Any]) -> None:
        """Refuse a request that this method cannot answer.

        Raises
        ------
        ModelError
            Where the model lacks an ability.
        SettingsError
            Where a setting does not exist or cannot be meant, or a method that knows no class is asked for a contrast.
        """
        missing = [ability.value for ability in Ability if ability in self.needs - request.model.abilities]
        if missing and not self.applies_to(request.model):
            others = ", ".join(one.key for one in methods_for(request.model))
            raise ModelError(
                f"this model has no {' and no '.join(missing)}, which {self.title} needs.",
                remedy=f"Choose one of {others}.",
            )
        if request.against is not None and not self.class_specific:
            raise SettingsError(
                f"{self.title} knows no class, so it cannot contrast two.",
                remedy="Choose a class-specific method, such as occlusion.",
            )
        known = {setting.name: setting for setting in self.settings}
        if unknown := sorted(set(settings) - set(known)):
            raise SettingsError(
                f"{self.title} has no setting {', '.join(unknown)}.",
                remedy=f"It takes {', '.join(known)}." if known else "It takes none.",
            )
        for name, value in settings.items():
            known[name].check(value, request)


_LOOKED_AT: dict[str, Any] = {"signed": False, "class_specific": False, "per_channel": False}
_FOR_A_CLASS: dict[str, Any] = {"signed": False, "class_specific": True, "per_channel": False}
_FOR_AND_AGAINST: dict[str, Any] = {"signed": True, "class_specific": True, "per_channel": False}
_BY_CHANNEL: dict[str, Any] = {"signed": True, "class_specific": True, "per_channel": True}


def _needs(*abilities: Ability) -> Abilities:
    return frozenset(abilities)


METHODS: dict[str, Method] = {
    method.key: method
    for method in (
        Method(
            "attention",
            "Class token's attention",
            explain=attention,
            needs=_needs(Ability.INSTANCES, Ability.CLASS_TOKEN),
            settings=(LAYER, HEAD),
            **_LOOKED_AT,
        ),
        Method(
            "rollout",
            "Attention rollout",
            explain=rollout,
            needs=_needs(Ability.INSTANCES, Ability.CLASS_TOKEN),
            **_LOOKED_AT,
        ),
        Method("pooling", "Pooling weights", explain=pooling_weights, needs=_needs(Ability.INSTANCES), **_LOOKED_AT),
        Method(
            "attention-gradient",
            "Attention × gradient",
            explain=attention_gradient,
            needs=_needs(Ability.INSTANCES, Ability.CLASS_TOKEN, Ability.GRADIENTS),
            settings=(LAYER,),
            **_FOR_A_CLASS,
        ),
        Method(
            "contribution",
            "Contribution through the pooling",
            explain=contribution,
            needs=_needs(Ability.INSTANCES, Ability.CONTRIBUTIONS),
            **_FOR_AND_AGAINST,
        ),
        Method(
            "exact-contribution",
            "Exact contribution",
            explain=exact_contribution,
            needs=_needs(Ability.TIME_CONTRIBUTIONS),
            **_BY_CHANNEL,
        ),
        Method(
            "member-contributions",
            "Contribution of all networks",
            explain=member_contributions,
            needs=_needs(Ability.MEMBERS_ADD_UP),
            **_FOR_AND_AGAINST,
        ),
        Method(
            "contribution-carried-back",
            "Contribution carried back",
            explain=contribution_carried_back,
            needs=_needs(Ability.INSTANCES, Ability.CONTRIBUTIONS, Ability.GRADIENTS),
            **_FOR_AND_AGAINST,
        ),
        Method(
            "activation",
            "Activation energy (the paper's APBA)",
            explain=activation_energy,
            needs=_needs(Ability.INSTANCES),
            **_LOOKED_AT,
        ),
        Method(
            "gradient-input",
            "Gradient × input",
            explain=gradient_input,
            needs=_needs(Ability.GRADIENTS),
            settings=(BASELINE, SMOOTHING, SEED),
            **_BY_CHANNEL,
        ),
        Method(
            "integrated-gradients",
            "Integrated gradients",
            explain=integrated_gradients,
            needs=_needs(Ability.GRADIENTS),
            settings=(BASELINE, N_STEPS, SMOOTHING, SEED),
            **_BY_CHANNEL,
        ),
        Method(
            "occlusion",
            "Occlusion",
            explain=occlusion,
            needs=_needs(Ability.LOGITS),
            settings=(WINDOW, FILLER, SEED),
            **_FOR_AND_AGAINST,
        ),
        Method(
            "channel-occlusion",
            "Occlusion by channel",
            explain=channel_occlusion,
            needs=_needs(Ability.LOGITS, Ability.SEVERAL_CHANNELS),
            settings=(WINDOW, FILLER, SEED),
            **_BY_CHANNEL,
        ),
        Method(
            "ablation",
            "Feature ablation",
            explain=feature_ablation,
            needs=_needs(Ability.LOGITS),
            settings=(WINDOW, BASELINE, SEED),
            **_BY_CHANNEL,
        ),
        Method(
            "random-masking",
            "Random masking (RISE)",
            explain=random_masking,
            needs=_needs(Ability.LOGITS),
            settings=(WINDOW, N_MASKS, FILLER, SEED),
            **_FOR_AND_AGAINST,
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
    name: str = "",
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
    name
        What errors call the series.
    settings
        Of the method.

    Raises
    ------
    DataError
        Where the series holds no value, or one so large that logits are no numbers.
    SettingsError
        Where the method, a class or a setting does not exist, or a method that knows no class is asked for a
        contrast.
    ModelError
        Where the method does not apply to the model.
    """
    if method not in METHODS:
        raise SettingsError(f"there is no importance method {method!r}.", remedy=f"Choose one of {', '.join(METHODS)}.")
    chosen = METHODS[method]
    request = Request(model, series, target_class, against, progress, examination)
    chosen.check(request, settings)
    model.check_values(series, name)
    with torch.inference_mode(False), torch.enable_grad():  # whatever the caller has switched off
        importance = chosen.of(request, settings)
    if not np.isfinite(importance.values).all():
        raise ModelError(
            f"{chosen.title}: the map holds what is no number, though the logits are numbers.",
            where=f"series {name!r}" if name else "this series",
            remedy="Look for extreme values in the series, or choose another method.",
        )
    return _telling_of_gaps(told_of_import(importance, model, series), series)


def _telling_of_gaps(importance: Importance, series: FloatArray) -> Importance:
    n_missing = int(np.count_nonzero(~np.isfinite(series)))
    if not n_missing:
        return importance
    verb = "value is" if n_missing == 1 else "values are"
    told = f" {n_missing:,} {verb} missing in this series: there the map is about what was filled in."
    return replace(importance, note=importance.note + told)
