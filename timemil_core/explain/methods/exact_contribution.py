"""What each value adds to a logit, where the model is a sum over values: nothing linearised, nothing perturbed."""

from __future__ import annotations

import torch

from timemil_core.explain.contract import Importance
from timemil_core.explain.gradients import as_input
from timemil_core.explain.request import Request
from timemil_core.models.network import AdditiveNetwork


def exact_contribution(request: Request) -> Importance:
    """Explain a class's logit by what each value adds to it; of models with ``Ability.TIME_CONTRIBUTIONS``."""
    network, question = request.model.network, request.question
    assert isinstance(network, AdditiveNetwork)
    with torch.no_grad():
        parts, rest = network.time_contributions(as_input(request.model, request.prepared))
    values = question.of(parts.movedim(0, -1)).double().cpu().numpy()  # (n_channels, n_timepoints)
    beyond = float(question.of(rest))
    total = float(values.sum()) + beyond
    request.progress(1, 1)
    return request.importance(
        values=values.sum(axis=0),
        name=f"Exact contribution, carried back, {question.title}",
        reference="Dempster et al. 2021 (MiniRocket); the sum over time points is ours",
        signed=True,
        per_channel=values,
        parts={"the intercept": beyond},
        total=total,
        note=(
            f"What each value adds to the {question.quantity} ({total:.3g}): this model's logit is a sum, and this is "
            "the sum itself, each term carried back in equal parts to the time points and channels that its kernel "
            "looked at. Against the mean of the training series: what is as in most of them adds nothing."
        ),
    )
