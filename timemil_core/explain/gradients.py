"""From prepared series to the explained number, as a function that can be differentiated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from timemil_core.data.series_set import FloatArray
from timemil_core.explain.progress import Progress
from timemil_core.explain.question import Question
from timemil_core.models.network import Network
from timemil_core.models.trained import TrainedModel

Forward = Callable[[Tensor], Tensor]
"""From prepared copies ``(n_copies, n_channels, n_timepoints)`` to the explained number, ``(n_copies,)``."""


def forward_of(network: Network, question: Question) -> Forward:
    """Return the explained number as a function of the input; the network stays as it is."""

    def forward(copies: Tensor) -> Tensor:
        return question.of(network(copies))

    return forward


def counting(forward: Forward, progress: Progress, expected: int) -> Forward:
    """Return the same function, telling ``progress`` after each call how many of the expected copies are done."""
    done = 0

    def told(copies: Tensor) -> Tensor:
        nonlocal done
        numbers = forward(copies)
        done = min(done + len(copies), expected)
        progress(done, expected)
        return numbers

    return told


def as_input(model: TrainedModel, prepared: FloatArray) -> Tensor:
    """Return one prepared series as a batch of one on the model's device, ``(1, n_channels, n_timepoints)``."""
    return torch.from_numpy(np.ascontiguousarray(prepared))[None].to(model.device)
