"""AdamW inside Lookahead (paper, appendix; Zhang et al. 2019), and its state as tensors and JSON.

``pytorch_optimizer``'s Lookahead starts its slow weights at the initial weights, as the method has it, and keeps
them, and its step counter, where they can be saved and restored exactly.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.nn import Parameter
from torch.optim import AdamW

from timemil_core.training.config import TrainingConfig

if TYPE_CHECKING:
    from pytorch_optimizer import Lookahead

SLOW = "slow_params"
RISE, STARTS_AT = 0.2, 0.04  # of a one-cycle schedule: share of the steps, share of the highest rate


def build_optimiser(parameters: Iterable[Parameter], training: TrainingConfig) -> Lookahead:
    """Return a new optimiser for these weights."""
    from pytorch_optimizer import Lookahead  # takes a second, which only those wait for who train

    fast = AdamW(parameters, lr=training.learning_rate, weight_decay=training.weight_decay, fused=True)
    steps = training.lookahead_steps or sys.maxsize  # 0: none that a training reaches
    return Lookahead(fast, k=steps, alpha=training.lookahead_rate)


def state_tensors(optimiser: Lookahead) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return all that the optimiser remembers.

    Returns
    -------
    tensors
        ``"<parameter>.<name>"``: AdamW's moments and steps, Lookahead's slow weights; parameters by their number.
    counters
        Steps since the last synchronisation, one a parameter group: ``{"counters": [...]}``.
    """
    content = optimiser.state_dict()
    tensors = {
        f"{number}.{name}": value
        for number, values in content["base_optimizer"]["state"].items()
        for name, value in values.items()
    }
    slow = [values[SLOW] for _, values in sorted(content["lookahead_state"].items())]
    tensors |= {f"{number}.{SLOW}": value for number, value in enumerate(slow)}
    return tensors, {"counters": [group["counter"] for group in optimiser.param_groups]}


def restore(optimiser: Lookahead, tensors: dict[str, Tensor], counters: dict[str, Any]) -> None:
    """Put back what ``state_tensors`` returned into a new optimiser of the same weights."""
    content = optimiser.state_dict()
    fast: dict[int, dict[str, Tensor]] = {}
    slow: dict[int, Tensor] = {}
    for key, value in tensors.items():
        number, name = key.split(".", 1)
        if name == SLOW:
            slow[int(number)] = value
        else:
            fast.setdefault(int(number), {})[name] = value
    content["base_optimizer"]["state"] = fast
    for group, counter in zip(content["base_optimizer"]["param_groups"], counters["counters"], strict=True):
        group["counter"] = counter
    ordered = sorted(content["lookahead_state"])
    content["lookahead_state"] = {key: {SLOW: slow[number]} for number, key in enumerate(ordered)}
    optimiser.load_state_dict(content)


def rate_at(training: TrainingConfig, done: float) -> float:
    """Return the learning rate of a step before which this share of all steps was done, 0 to below 1."""
    if training.schedule == "constant":
        return training.learning_rate
    if done < RISE:
        return training.learning_rate * (STARTS_AT + (1 - STARTS_AT) * done / RISE)
    return training.learning_rate * 0.5 * (1 + math.cos(math.pi * (done - RISE) / (1 - RISE)))


def set_learning_rate(optimiser: Lookahead, rate: float) -> None:
    """Give AdamW another learning rate."""
    for group in optimiser.param_groups:
        group["lr"] = rate


def learning_rate(optimiser: Lookahead) -> float:
    """Return AdamW's learning rate as it stands."""
    return float(optimiser.param_groups[0]["lr"])


def clip_gradients(parameters: Iterable[Parameter], largest_norm: float) -> None:
    """Scale all gradients together so that their norm is at most ``largest_norm``."""
    torch.nn.utils.clip_grad_norm_(parameters, largest_norm)
