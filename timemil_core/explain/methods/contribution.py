"""What each instance adds to a class's logit through the pooling: exact up to the bag, the head linearised there.

For the time-aware pooling ``bag = class token + W_o Σ_t a_t v_t + b_o``, so an instance adds ``∂logit/∂bag · W_o a_t
v_t``; what the class token brings itself and what the head's biases add are told as parts.
"""

from __future__ import annotations

import torch

from timemil_core.explain.contract import Importance
from timemil_core.explain.request import Request


def contribution(request: Request) -> Importance:
    """Explain a class's logit by what each instance adds to it through the last layer or the pooling.

    ``values`` and ``parts`` sum to the logit. In the head, the deviation by which its LayerNorm divides is held: a
    head that is blind to the scale of the bag has no slope along it, and of a bag none would add anything in sum.
    """
    question = request.question
    with torch.no_grad():
        found = request.model.network.contributions(request.pooled, question.of)
    values = found.instances.double().cpu().numpy()
    request.progress(1, 1)
    return request.importance(
        values=values,
        name=f"Contribution through the pooling, {question.title}",
        reference="Chen et al. 2024 (TimeMIL), equations 4 and 12, head linearised at the bag",
        signed=True,
        parts=found.rest,
        total=found.total,
        note=(
            f"What each instance adds to the {question.quantity} ({found.total:.3g}) in the last step; together "
            f"{values.sum():.3g}, the rest comes from {', '.join(found.rest)}. By then an instance has gathered its "
            "neighbours and, with several layers, the whole series: its place need not be where the cause lies."
        ),
    )
