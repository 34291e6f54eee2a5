"""What stays in float32 while a network is trained in mixed precision.

Under ``torch.autocast`` convolutions and matrix products run in bfloat16, whose eight bits of mantissa suffice for
them. They do not for an iteration that inverts a matrix, for scores that a softmax spreads over orders of magnitude,
or for a sum over a long series.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import torch
from torch import Tensor

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def in_float32(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Make a function of tensors compute in float32 where autocast is on, and change nothing where it is off."""

    @wraps(function)
    def wrapped(*arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        kind = next(argument.device.type for argument in arguments if isinstance(argument, Tensor))
        if not torch.is_autocast_enabled(kind):
            return function(*arguments, **named)
        with torch.autocast(kind, enabled=False):
            return function(*map(_widened, arguments), **named)

    return wrapped


def _widened(argument: Any) -> Any:
    return argument.float() if isinstance(argument, Tensor) and argument.is_floating_point() else argument
