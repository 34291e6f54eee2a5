"""Gradient × input: the first-order effect of setting each value back to the baseline."""

from __future__ import annotations

import torch

from timemil_core.explain.contract import Importance
from timemil_core.explain.gradients import as_input, forward_of
from timemil_core.explain.reference_inputs import DEFAULT_BASELINE, BaselineName, reference_input
from timemil_core.explain.request import Request
from timemil_core.explain.windows import smoothed, smoothing_width


def gradient_input(
    request: Request, *, baseline: BaselineName = DEFAULT_BASELINE, smoothing: int | None = None, seed: int = 0
) -> Importance:
    """Explain a class's logit by its gradient times the distance from the baseline.

    Parameters
    ----------
    request
        What is explained.
    baseline
        What the series is compared with; see ``reference_inputs``.
    smoothing
        Each value is spread over so many time points (odd); 1 does not smooth. By default about a tenth of the
        series.
    seed
        Of the noise, where that is the baseline.

    Raises
    ------
    SettingsError
        Where the class, the baseline or the smoothing does not exist.
    """
    question = request.question
    prepared = request.prepared
    width = smoothing_width(smoothing, prepared.shape[1])
    distance = prepared.astype("float64") - reference_input(prepared, baseline, seed)
    values = as_input(request.model, prepared).requires_grad_()
    with torch.enable_grad():
        (gradient,) = torch.autograd.grad(forward_of(request.model.network, question)(values).sum(), values)
    request.progress(1, 1)
    per_channel = smoothed(gradient[0].double().cpu().numpy() * distance, width)
    return request.importance(
        values=per_channel.sum(axis=0),
        name=f"Gradient × input{smoothing_words(width)}, {question.title}",
        reference="Shrikumar et al. 2016",
        signed=True,
        per_channel=per_channel,
        note=(
            f"The slope of the {question.quantity} at each value, times its distance from the baseline ({baseline}), "
            f"summed over channels{smoothing_words(width)}. It looks at the model in the closest neighbourhood of this "
            "series only, where a saturated logit has no slope."
        ),
    )


def smoothing_words(width: int) -> str:
    """Return how a map was smoothed, for its name; nothing where it was not."""
    return "" if width == 1 else f", smoothed over {width} time points"
