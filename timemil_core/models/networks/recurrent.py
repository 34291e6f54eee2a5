"""What the networks share that run an LSTM or a GRU over time."""

from __future__ import annotations

from contextlib import nullcontext

import torch
from torch import Tensor, nn

from timemil_core.models.fast.precision import in_float32


@in_float32
def states_of(layer: nn.LSTM | nn.GRU, steps: Tensor) -> Tensor:
    """Return the state after each step: ``(B, T, L)`` to ``(B, T, H)``, of a layer made with ``batch_first``.

    In float32 always: a CPU's LSTM has no other, and errors add up over time.
    """
    # cuDNN gives gradients of a network in training only; those of a finished one take PyTorch's own arithmetic.
    finished = steps.is_cuda and torch.is_grad_enabled() and not layer.training
    with torch.backends.cudnn.flags(enabled=False) if finished else nullcontext():
        states: Tensor = layer(steps)[0]
    return states


def last_observed(states: Tensor, mask: Tensor | None) -> Tensor:
    """Return the state at the last observed time point: ``(B, T, H)`` to ``(B, H)``; ``mask`` is ``(B, T)``."""
    if mask is None:
        return states[:, -1]  # (B, H)
    positions = torch.arange(mask.shape[1], device=mask.device)  # (T,)
    last = torch.where(mask, positions, 0).amax(dim=1)  # (B,)
    return states[torch.arange(len(states), device=mask.device), last]  # (B, H)
