"""Attention × gradient: which of the class token's weights speak for a class (Chefer et al. 2021)."""

from __future__ import annotations

import torch

from timemil_core.explain.contract import Importance
from timemil_core.explain.request import Request


def attention_gradient(request: Request, *, layer: int | None = None) -> Importance:
    """Return the class token's attention times the slope of a class's logit, positive parts, mean over heads.

    Equation 5 of Chefer et al., for the class token's row. Without the cut at 0 the last layer's would be the
    ``contribution``, up to the number of heads. As there, the deviation of the head's LayerNorm is held: on the shipped
    synthetic models that raises the AUROC from .982 to .997 (distractors) and from .847 to .862 (pulse).

    ``layer`` is an index, negative from the last; the last by default.
    """
    layers, question, network = request.class_token_layers, request.question, request.model.timemil
    index = range(len(layers.layers))[-1 if layer is None else layer]
    with torch.no_grad():
        chosen = list(layers.passes(request.pooled, None))[index]
        weights, others = chosen.row, chosen.leaving[:, 1:]
    with torch.enable_grad():
        weights.requires_grad_()
        after = chosen.layer.class_token_by(weights, chosen.entering, None)
        bag = layers.class_token_from(index + 1, torch.cat([after[:, None], others], dim=1), None)
        (slope,) = torch.autograd.grad(question.of(network.classify_with_held_deviation(bag))[0], weights)
    relevance = (slope * weights).detach().clamp(min=0).mean(dim=1)[0]
    request.progress(1, 1)
    return request.importance(
        values=relevance[1:].double().cpu().numpy(),
        name=f"Attention × gradient, layer {index + 1}, {question.title}",
        reference="Chefer et al. 2021, equation 5",
        signed=False,
        note=(
            f"The class token's weights where more of them raises the {question.quantity}; what lowers it is left out. "
            "As with all attention, an instance has gathered its neighbours by then."
        ),
    )
