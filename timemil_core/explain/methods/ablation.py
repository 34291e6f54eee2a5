"""Feature ablation by captum: how far a logit falls when one window of one channel is replaced."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from timemil_core.explain.contract import Importance
from timemil_core.explain.evaluation.scoring import copies_at_once
from timemil_core.explain.gradients import counting
from timemil_core.explain.reference_inputs import BaselineName, reference_input
from timemil_core.explain.request import Request
from timemil_core.explain.windows import blocks, window_length


def feature_ablation(
    request: Request, *, window: int | None = None, baseline: BaselineName = "noise", seed: int = 0
) -> Importance:
    """Explain a class's logit by replacing one window of one channel after the other.

    Parameters
    ----------
    request
        What is explained.
    window
        In time points; windows lie side by side from the first time point on, the last may be shorter. By default a
        tenth of the series, at least 5.
    baseline
        What stands in the window; see ``reference_inputs``.
    seed
        Of the noise, where that is the baseline.

    Raises
    ------
    SettingsError
        Where the class, the window or the baseline does not exist.
    """
    from captum.attr import FeatureAblation  # it imports matplotlib: a second that only this method shall cost

    question = request.question
    prepared = request.prepared
    n_channels, n_timepoints = prepared.shape
    window = window_length(window, n_timepoints)
    block = blocks(n_timepoints, window)
    n_blocks = int(block[-1]) + 1
    cells = torch.from_numpy(np.arange(n_channels)[:, None] * n_blocks + block)

    def number(copies: Tensor) -> Tensor:
        return torch.from_numpy(question.of(request.score(copies.cpu().numpy())))

    forward = counting(number, request.progress, 1 + n_channels * n_blocks)
    method: Any = FeatureAblation(forward)
    with torch.inference_mode():
        falls = method.attribute(
            torch.from_numpy(prepared)[None],
            baselines=torch.from_numpy(reference_input(prepared, baseline, seed).copy())[None],
            feature_mask=cells[None],
            perturbations_per_eval=copies_at_once(n_timepoints),
        )
    per_channel = falls[0].double().numpy()
    return request.importance(
        values=per_channel.sum(axis=0),
        name=f"Feature ablation by {window} time points, {question.title}",
        reference="captum's FeatureAblation, over windows of each channel",
        signed=True,
        per_channel=per_channel,
        note=(
            f"How far the {question.quantity} falls when {window} time points of one channel are replaced "
            f"({baseline}); over time, the sum of the channels. All points of a window share its value, so borders are "
            "those of the grid, and what several channels tell alike is missed."
        ),
    )
