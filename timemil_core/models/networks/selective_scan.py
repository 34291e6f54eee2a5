"""The selective scan of Mamba (Gu and Dao 2023), in plain PyTorch.

B series, T time points, D features, S states of each.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from timemil_core.models.fast.precision import in_float32

SHORTEST_PIECE, LONGEST_PIECE = 16, 256  # time points whose states are in memory together
AT_ONCE = 2**19  # numbers, B T' S D, that the length of a piece is chosen for


@in_float32
def selective_scan(driving: Tensor, steps: Tensor, entering: Tensor, leaving: Tensor, rates: Tensor) -> Tensor:
    """Return what the state spaces put out: ``(B, T, D)``.

    h_t = exp(step_t · rate) h_(t−1) + step_t · entering_t · driving_t, and leaving_t · h_t is put out.

    Parameters
    ----------
    driving, steps
        ``(B, T, D)``.
    entering, leaving
        ``(B, T, S)``.
    rates
        ``(S, D)``, below zero.
    """
    out: Tensor = SelectiveScan.apply(driving, steps, entering, leaving, rates)
    return out


class SelectiveScan(torch.autograd.Function):
    """Piece by piece of time, so that states, S times what comes in and goes out, stay in a processor's cache.

    As in the paper they are not kept for the gradients, but computed again.
    """

    @staticmethod
    def forward(context: Any, *inputs: Tensor) -> Tensor:
        """As ``selective_scan``."""
        driving, steps, entering, leaving, rates = inputs
        state = driving.new_zeros(len(driving), *rates.shape)  # (B, S, D)
        before, out = [], torch.empty_like(driving)
        for piece in _pieces(driving, rates):
            _, states = _states(driving[:, piece], steps[:, piece], entering[:, piece], rates, state)  # (B, T', S, D)
            out[:, piece] = (leaving[:, piece, None] @ states)[:, :, 0]  # (B, T', D)
            before.append(state)
            state = states[:, -1].clone()  # without the memory of all
        context.save_for_backward(*inputs, *before)
        return out

    @staticmethod
    @once_differentiable
    def backward(context: Any, upstream: Tensor) -> tuple[Tensor, ...]:
        """From the last piece to the first: a state's gradient is a recurrence against time."""
        *inputs, rates = context.saved_tensors[:5]
        gradients = [*(torch.empty_like(one) for one in inputs), torch.zeros_like(rates)]
        later = torch.zeros_like(context.saved_tensors[5])  # (B, S, D): what comes from the piece behind
        pieces = list(zip(_pieces(inputs[0], rates), context.saved_tensors[5:], strict=True))
        for piece, state in reversed(pieces):
            driving, steps, entering, leaving = (one[:, piece] for one in inputs)  # (B, T', D or S)
            decays, states = _states(driving, steps, entering, rates, state)  # (B, T', S, D)
            above = upstream[:, piece]  # (B, T', D)
            gradient = leaving[..., None] * above[:, :, None]  # (B, T', S, D)
            gradient[:, -1] += later
            gradient = recur(decays.flip(1).roll(1, 1), gradient.flip(1)).flip(1)  # (B, T', S, D)
            later = decays[:, 0] * gradient[:, 0]  # (B, S, D)
            gradients[3][:, piece] = (states @ above[..., None])[..., 0]  # (B, T', S)
            of_exponents = gradient * decays  # (B, T', S, D), once times the states before
            of_exponents[:, 1:] *= states[:, :-1]
            of_exponents[:, 0] *= state
            reached = (entering[:, :, None] @ gradient)[:, :, 0]  # (B, T', D)
            gradients[0][:, piece] = reached * steps
            gradients[1][:, piece] = reached * driving + (of_exponents * rates).sum(dim=2)
            gradients[2][:, piece] = (gradient @ (steps * driving)[..., None])[..., 0]  # (B, T', S)
            gradients[4] += (of_exponents * steps[:, :, None]).sum(dim=(0, 1))  # (S, D)
        return tuple(gradients)


def _pieces(driving: Tensor, rates: Tensor) -> list[slice]:
    length = max(SHORTEST_PIECE, min(LONGEST_PIECE, AT_ONCE // (len(driving) * rates.numel())))
    return [slice(start, start + length) for start in range(0, driving.shape[1], length)]


def _states(driving: Tensor, steps: Tensor, entering: Tensor, rates: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
    # decays and states of a piece, (B, T', S, D) each, after the state before it
    decays = (steps[:, :, None] * rates).exp_()
    states = (steps * driving)[:, :, None] * entering[..., None]
    states[:, 0].addcmul_(decays[:, 0], state)
    return decays, recur(decays, states)


def recur(decays: Tensor, driven: Tensor) -> Tensor:
    """Make h_t = decay_t h_(t−1) + driven_t of ``driven``, in place: ``(B, T, …)``; before the first stands zero.

    In √T blocks: within all of them at once, then from block to block. No decay is above 1, so that all is stable.
    """
    n_timepoints = driven.shape[1]
    size = math.isqrt(n_timepoints)
    in_blocks = n_timepoints - n_timepoints % size
    blocks = driven[:, :in_blocks].unflatten(1, (-1, size))  # (B, blocks, size, …)
    reach = decays[:, :in_blocks].clone().unflatten(1, (-1, size))  # how much of what stood before a block is left
    for at in range(1, size):
        blocks[:, :, at].addcmul_(reach[:, :, at], blocks[:, :, at - 1])
        reach[:, :, at].mul_(reach[:, :, at - 1])
    for block in range(1, blocks.shape[1]):
        blocks[:, block].addcmul_(reach[:, block], blocks[:, block - 1, -1:])
    for at in range(in_blocks, n_timepoints):
        driven[:, at].addcmul_(decays[:, at], driven[:, at - 1])
    return driven
