"""Integrated gradients (Sundararajan et al. 2017) by captum: shares of what sets a series apart from its baseline."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from timemil_core.data.series_set import FloatArray
from timemil_core.errors import SettingsError
from timemil_core.explain.contract import Importance
from timemil_core.explain.examination import Examination
from timemil_core.explain.gradients import Forward, as_input, counting, forward_of
from timemil_core.explain.methods.gradient_input import smoothing_words
from timemil_core.explain.methods.occlusion import DoubleArray
from timemil_core.explain.progress import Progress, share_of, silent
from timemil_core.explain.question import ask_about
from timemil_core.explain.reference_inputs import DEFAULT_BASELINE, BaselineName, reference_input
from timemil_core.explain.scoring import copies_at_once, prepared_series
from timemil_core.explain.windows import smoothed, smoothing_width
from timemil_core.models.trained import TrainedModel

N_STEPS = 32
NOISE_DRAWS = 4


def integrated_gradients(
    model: TrainedModel,
    series: FloatArray,
    target_class: int | None = None,
    *,
    examination: Examination | None = None,
    against: int | None = None,
    progress: Progress = silent,
    baseline: BaselineName = DEFAULT_BASELINE,
    n_steps: int = N_STEPS,
    smoothing: int | None = None,
    seed: int = 0,
) -> Importance:
    """Explain a class's logit by the gradients on the straight way from the baseline to the series.

    The values, the logit of the baseline and what the numerical integration leaves over (both in ``parts``) sum to
    the logit; smoothing changes none of these sums.

    Parameters
    ----------
    model, series, target_class, examination, against, progress
        As for ``explain``.
    baseline
        What the series is compared with; see ``reference_inputs``. For "noise" the mean over 4 draws is taken.
    n_steps
        Of the Gauss–Legendre quadrature.
    smoothing
        As in ``gradient_input``.
    seed
        Of the noise, where that is the baseline.

    Raises
    ------
    SettingsError
        Where the class, the baseline or the smoothing does not exist, or there is no step.
    """
    if n_steps < 1:
        raise SettingsError(f"{n_steps} steps integrate nothing.", remedy="Give at least 1.")
    question = ask_about(model, series, target_class, against, examination)
    prepared = prepared_series(model, series)
    width = smoothing_width(smoothing, prepared.shape[1])
    draws = NOISE_DRAWS if baseline == "noise" else 1
    references = [reference_input(prepared, baseline, seed + draw) for draw in range(draws)]
    forward = forward_of(model.network, question)
    inputs = as_input(model, prepared)
    raw = np.mean(
        [
            _integrated(forward, inputs, as_input(model, one), n_steps, share_of(progress, draw, draws))
            for draw, one in enumerate(references)
        ],
        axis=0,
    )
    with torch.inference_mode():
        total, *at_references = forward(torch.cat([inputs, *(as_input(model, one) for one in references)])).tolist()
    at_baseline = float(np.mean(at_references))
    per_channel = smoothed(raw, width)
    return Importance(
        values=per_channel.sum(axis=0),
        name=f"Integrated gradients{smoothing_words(width)}, {question.title}",
        reference="Sundararajan et al. 2017; Gauss–Legendre quadrature by captum",
        signed=True,
        per_channel=per_channel,
        target_class=question.target,
        against_class=question.against,
        parts={"baseline": at_baseline, "integration error": total - at_baseline - float(raw.sum())},
        total=total,
        note=(
            f"Each value's share of the {question.quantity}, compared with the baseline ({baseline}); the shares sum "
            f"to what sets the two apart ({total - at_baseline:.3g}){smoothing_words(width)}. Another baseline asks "
            "another question and can give another map."
        ),
    )


def _integrated(
    forward: Forward, inputs: torch.Tensor, reference: torch.Tensor, n_steps: int, progress: Progress
) -> DoubleArray:
    from captum.attr import IntegratedGradients  # it imports matplotlib: a second that only this method shall cost

    method: Any = IntegratedGradients(counting(forward, progress, n_steps))
    shares = method.attribute(inputs, reference, n_steps=n_steps, internal_batch_size=copies_at_once(inputs.shape[-1]))
    return shares[0].detach().double().cpu().numpy()
