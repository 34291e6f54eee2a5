"""What each instance adds to a class's logit through the pooling: exact up to the bag, the head linearised there.

For the time-aware pooling ``bag = class token + W_o Σ_t a_t v_t + b_o``, so an instance adds ``∂logit/∂bag · W_o a_t
v_t``; what the class token brings itself and what the head does beyond its slope are told as parts.
"""

from __future__ import annotations

import torch

from timemil_core.data.series_set import FloatArray
from timemil_core.explain.contract import Importance
from timemil_core.explain.examination import Examination, examine
from timemil_core.explain.progress import Progress, silent
from timemil_core.explain.question import ask_about
from timemil_core.models.trained import TrainedModel


def contribution(
    model: TrainedModel,
    series: FloatArray,
    target_class: int | None = None,
    *,
    examination: Examination | None = None,
    against: int | None = None,
    progress: Progress = silent,
) -> Importance:
    """Explain a class's logit by what each instance adds to it through the last layer or the pooling.

    ``values`` and ``parts`` sum to the logit. Parameters are those of ``explain``.

    Raises
    ------
    SettingsError
        Where the class does not exist.
    """
    examination = examination or examine(model, series)
    question = ask_about(model, series, target_class, against, examination)
    with torch.no_grad():
        instances = torch.from_numpy(examination.pooled).to(model.device)
        added = model.network.pooling.parts(instances[None])
        bag = added.bag
    with torch.enable_grad():
        bag = bag.requires_grad_()
        number = question.of(model.network.classify(bag[None]))[0]
        (slope,) = torch.autograd.grad(number, bag)
    total = float(number.detach())
    values = (added.instances @ slope).double().cpu().numpy()
    parts = {name: float(vector @ slope) for name, vector in added.rest.items()}
    parts["the head beyond its slope"] = total - float(values.sum()) - sum(parts.values())
    progress(1, 1)
    return Importance(
        values=values,
        name=f"Contribution through the pooling, {question.title}",
        reference="Chen et al. 2024 (TimeMIL), equations 4 and 12, head linearised at the bag",
        signed=True,
        target_class=question.target,
        against_class=question.against,
        parts=parts,
        total=total,
        note=(
            f"What each instance adds to the {question.quantity} ({total:.3g}) in the last step; together "
            f"{values.sum():.3g}, the rest comes from {', '.join(parts)}. By then an instance has gathered its "
            "neighbours and, with several layers, the whole series: its place need not be where the cause lies."
        ),
    )
