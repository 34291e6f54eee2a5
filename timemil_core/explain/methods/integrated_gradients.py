"""Integrated gradients (Sundararajan et al. 2017) by captum: shares of what sets a series apart from its baseline."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from timemil_core.explain.contract import Importance
from timemil_core.explain.evaluation.scoring import copies_at_once
from timemil_core.explain.gradients import Forward, as_input, counting, forward_of
from timemil_core.explain.methods.gradient_input import smoothing_words
from timemil_core.explain.methods.occlusion import DoubleArray
from timemil_core.explain.progress import Progress, share_of
from timemil_core.explain.reference_inputs import BaselineName, reference_input
from timemil_core.explain.request import Request
from timemil_core.explain.windows import smoothed, smoothing_width

DEFAULT_BASELINE: BaselineName = "noise"
N_STEPS, N_STEPS_A_DRAW = 32, 8
NOISE_DRAWS = 8
LEAST_APART = 0.1  # share of the explained number that a baseline has to leave to be explained


def integrated_gradients(
    request: Request,
    *,
    baseline: BaselineName = DEFAULT_BASELINE,
    n_steps: int | None = None,
    smoothing: int | None = None,
    seed: int = 0,
) -> Importance:
    """Explain a class's logit by the gradients on the straight way from the baseline to the series.

    The values, the logit of the baseline and what the numerical integration leaves over (both in ``parts``) sum to
    the logit; smoothing changes none of these sums.

    The baseline is noise unless another is asked for, because a model is often sure of a class before it has seen
    anything: a line that it never met in training. There is then nothing to share out, and the map is of rounding and
    of the noise in the series. Measured on the validation series of models of equal accuracy on the synthetic
    distractor set: one network gives the flat line of the series mean 0.4 of a logit of 6, and finds the pattern
    either way; another gives it 5.7 of 6.2, and finds the pattern with AUROC 0.32 from the series mean, 0.82 from the
    training mean, 1.00 from noise. Of the shipped models that of JapaneseVowels is such a one.

    Parameters
    ----------
    request
        What is explained.
    baseline
        What the series is compared with; see ``reference_inputs``. For "noise" the mean over 8 draws is taken.
    n_steps
        Of the Gauss–Legendre quadrature; by default 32, with noise 8 for each draw.
    smoothing
        As in ``gradient_input``.
    seed
        Of the noise, where that is the baseline.

    Raises
    ------
    SettingsError
        Where the class, the baseline or the smoothing does not exist, or there is no step.
    """
    question = request.question
    prepared = request.prepared
    width = smoothing_width(smoothing, prepared.shape[1])
    draws, n_usual = (NOISE_DRAWS, N_STEPS_A_DRAW) if baseline == "noise" else (1, N_STEPS)
    references = torch.cat(
        [as_input(request.model, reference_input(prepared, baseline, seed + draw)) for draw in range(draws)]
    )  # (n_draws, n_channels, n_timepoints)
    forward = forward_of(request.model.network, question)
    inputs = as_input(request.model, prepared)
    raw = _integrated(forward, inputs, references, n_steps or n_usual, request.progress)
    with torch.inference_mode():
        total = float(forward(inputs))
        at_baseline = float(torch.cat([forward(some) for some in _together(references)]).double().mean())
    per_channel = smoothed(raw, width)
    return request.importance(
        values=per_channel.sum(axis=0),
        name=f"Integrated gradients{smoothing_words(width)}, {question.title}",
        reference="Sundararajan et al. 2017; Gauss–Legendre quadrature by captum",
        signed=True,
        per_channel=per_channel,
        parts={"baseline": at_baseline, "integration error": total - at_baseline - float(raw.sum())},
        total=total,
        note=(
            f"Each value's share of the {question.quantity}, compared with the baseline ({baseline}); the shares sum "
            f"to what sets the two apart ({total - at_baseline:.3g}){smoothing_words(width)}. Another baseline asks "
            "another question and can give another map."
            f"{_hardly_apart(total, at_baseline)}"
        ),
    )


def _hardly_apart(total: float, at_baseline: float) -> str:
    if abs(total - at_baseline) >= LEAST_APART * abs(total):
        return ""
    return " The model says almost the same of the baseline: there is little to share out, so choose another baseline."


def _integrated(
    forward: Forward, inputs: torch.Tensor, references: torch.Tensor, n_steps: int, progress: Progress
) -> DoubleArray:
    # The mean over the references (n_references, n_channels, n_timepoints), as many at once as a pass takes.
    from captum.attr import IntegratedGradients  # it imports matplotlib: a second that only this method shall cost

    groups, total = _together(references), np.zeros(inputs.shape[1:])
    for place, some in enumerate(groups):
        own = share_of(progress, place, len(groups))
        method: Any = IntegratedGradients(counting(forward, own, n_steps * len(some)))
        shares = method.attribute(
            inputs.expand(len(some), -1, -1),
            some,
            n_steps=n_steps,
            internal_batch_size=copies_at_once(inputs.shape[-1]),
        )
        total += shares.detach().double().sum(dim=0).cpu().numpy()
    return total / len(references)


def _together(references: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return references.split(copies_at_once(references.shape[-1]))
