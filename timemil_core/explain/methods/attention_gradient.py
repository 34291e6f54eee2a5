"""Attention × gradient: which of the class token's weights speak for a class (Chefer et al. 2021)."""

from __future__ import annotations

import torch

from timemil_core.data.series_set import FloatArray
from timemil_core.explain.contract import Importance
from timemil_core.explain.examination import Examination, examine
from timemil_core.explain.methods.attention_maps import class_token_layers, layer_index
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.question import ask_about
from timemil_core.models.trained import TrainedModel


def attention_gradient(
    model: TrainedModel,
    series: FloatArray,
    target_class: int | None = None,
    *,
    examination: Examination | None = None,
    against: int | None = None,
    progress: Progress = silent,
    layer: int | None = None,
) -> Importance:
    """Return the class token's attention times the slope of a class's logit, positive parts, mean over heads.

    Equation 5 of Chefer et al., for the class token's row. Without the cut at 0 the last layer's would be the
    ``contribution``, up to the number of heads.

    Parameters
    ----------
    model, series, target_class, examination, against, progress
        As for ``explain``; the model with the time-aware pooling.
    layer
        Index, negative from the last; the last by default.

    Raises
    ------
    ModelError
        Where the pooling has no class token.
    SettingsError
        Where there is no such layer or class.
    """
    layers = class_token_layers(model)
    examination = examination or examine(model, series)
    question = ask_about(model, series, target_class, against, examination)
    index = layer_index(-1 if layer is None else layer, len(layers.layers))
    with torch.no_grad():
        instances = torch.from_numpy(examination.pooled).to(model.device)[None]
        chosen, tokens = list(layers.entering(instances, None))[index]
        normalised = chosen.normalisation(chosen.encoded(tokens, None))
        weights = layers.used_weights(chosen, normalised)
        others = chosen(tokens, None)[:, 1:] if chosen is not layers.layers[-1] else tokens[:, 1:]
    with torch.enable_grad():
        weights.requires_grad_()
        after = chosen.class_token_by(weights, tokens, None)
        bag = layers.class_token_from(index + 1, torch.cat([after[:, None], others], dim=1), None)
        (slope,) = torch.autograd.grad(question.of(model.network.classify(bag))[0], weights)
    relevance = (slope * weights).detach().clamp(min=0).mean(dim=1)[0]
    progress(1, 1)
    return Importance(
        values=relevance[1:].double().cpu().numpy(),
        name=f"Attention × gradient, layer {index + 1}, {question.title}",
        reference="Chefer et al. 2021, equation 5",
        signed=False,
        target_class=question.target,
        against_class=question.against,
        note=(
            f"The class token's weights where more of them raises the {question.quantity}; what lowers it is left out. "
            "As with all attention, an instance has gathered its neighbours by then."
        ),
    )
