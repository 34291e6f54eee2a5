"""Integrated gradients (Sundararajan et al. 2017): shares of what sets a series apart from its baseline."""

from __future__ import annotations

import numpy as np
import torch

from timemil_core.explain.contract import Importance
from timemil_core.explain.evaluation.scoring import copies_at_once
from timemil_core.explain.gradients import Forward, as_input, forward_of
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
MOST_OFF = 0.05  # share of that by which the sum may miss it before three times as many steps are taken
FINER = 3  # midpoints of thirds: the steps that were taken already are among them


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
        Of the midpoint rule; by default 32, with noise 8 for each draw, and three times as many where the sum misses
        what it should be by more than 5 %. Draws take their steps at other places of the way, so that their errors
        cancel: the network bends anywhere on it, and no quadrature of few points follows.
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
    with torch.inference_mode():
        total = float(forward(inputs))
        each = references.split(copies_at_once(references.shape[-1]))
        at_baseline = float(torch.cat([forward(some) for some in each]).double().mean())
    steps = midpoints(draws, n_steps or n_usual)
    rounds = [steps] if n_steps else [steps, *((steps + shift / FINER / n_usual) % 1 for shift in range(1, FINER))]
    raw, off = np.zeros(prepared.shape), 0.0
    for place, some in enumerate(rounds):
        own = share_of(request.progress, place, len(rounds))
        raw += (_integrated(forward, inputs, references, some, own) - raw) / (place + 1)
        off = _off(float(raw.sum()), total, at_baseline)
        if place == 0 and off <= MOST_OFF:
            break
    request.progress(1, 1)
    per_channel = smoothed(raw, width)
    return request.importance(
        values=per_channel.sum(axis=0),
        name=f"Integrated gradients{smoothing_words(width)}, {question.title}",
        reference="Sundararajan et al. 2017",
        signed=True,
        per_channel=per_channel,
        parts={"baseline": at_baseline, "integration error": total - at_baseline - float(raw.sum())},
        total=total,
        note=(
            f"Each value's share of the {question.quantity}, compared with the baseline ({baseline}); the shares sum "
            f"to what sets the two apart ({total - at_baseline:.3g}){smoothing_words(width)}. Another baseline asks "
            "another question and can give another map."
            f"{_hardly_apart(total, at_baseline)}{_incomplete(off)}"
        ),
    )


def _hardly_apart(total: float, at_baseline: float) -> str:
    if abs(total - at_baseline) >= LEAST_APART * abs(total):
        return ""
    return " The model says almost the same of the baseline: there is little to share out, so choose another baseline."


def _off(summed: float, total: float, at_baseline: float) -> float:
    # Where the baseline leaves hardly anything, against what it would have to leave to be explained.
    apart = max(abs(total - at_baseline), LEAST_APART * abs(total))
    return abs(total - at_baseline - summed) / apart if apart else 0.0


def _incomplete(off: float) -> str:
    return f" The numerical integration misses that sum by {off:.0%}." if off > MOST_OFF else ""


def midpoints(n_draws: int, n_steps: int) -> DoubleArray:
    """Return where on the way from 0 to 1 each draw takes its steps, ``(n_draws, n_steps)``.

    Evenly spread over the way for each draw, and, one draw's between another's, for all together.
    """
    offsets = (np.arange(n_draws) + 0.5) / n_draws
    return (np.arange(n_steps) + offsets[:, None]) / n_steps


def _integrated(
    forward: Forward, inputs: torch.Tensor, references: torch.Tensor, steps: DoubleArray, progress: Progress
) -> DoubleArray:
    # references (n_draws, n_channels, n_timepoints), steps (n_draws, n_steps) to (n_channels, n_timepoints)
    draws = torch.arange(len(references), device=inputs.device).repeat_interleave(steps.shape[1])
    places = torch.from_numpy(steps.ravel()).to(inputs)
    size, done, total = copies_at_once(inputs.shape[-1]), 0, np.zeros(inputs.shape[1:])
    for some, at in zip(draws.split(size), places.split(size), strict=True):
        distance = inputs - references[some]
        with torch.enable_grad():
            points = (references[some] + at[:, None, None] * distance).requires_grad_()
            (gradient,) = torch.autograd.grad(forward(points).sum(), points)
        total += (gradient * distance).double().sum(dim=0).cpu().numpy()
        done += len(some)
        progress(done, len(draws))
    return total / len(draws)
