"""Gradient checkpointing (Chen et al. 2016): what a stage computed is forgotten, and computed again on the way back.

For the backward pass only the input of each stage is kept, so the memory of a training step shrinks to a fraction for
about one more forward pass. Weights come out the same: dropout draws the same numbers again, and a batch's statistics
count once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from contextvars import ContextVar
from typing import TypeVar

import torch
from torch.utils.checkpoint import checkpoint

from timemil_core.models.drawing import current_generator, drawing
from timemil_core.watching import stage_done

Result = TypeVar("Result")

_wanted: ContextVar[bool] = ContextVar("gradient checkpointing wanted", default=False)
_uncounted: ContextVar[bool] = ContextVar("what is computed does not count", default=False)


@contextmanager
def gradient_checkpointing(wanted: bool = True) -> Iterator[None]:
    """Checkpoint every stage that runs inside, or none. Nothing is left on the network, which others may share."""
    token = _wanted.set(wanted)
    try:
        yield
    finally:
        _wanted.reset(token)


def stage(function: Callable[..., Result], *inputs: object) -> Result:
    """Return ``function(*inputs)``; where checkpointing is wanted, only the inputs are kept for the backward pass."""
    result: Result
    if not (_wanted.get() and torch.is_grad_enabled()):
        result = function(*inputs)
    else:
        own = current_generator() is not None  # PyTorch's own is then neither drawn from nor to be kept
        result = checkpoint(function, *inputs, use_reentrant=False, context_fn=_contexts, preserve_rng_state=not own)
    stage_done()
    return result


def computed_again(function: Callable[..., Result], *inputs: object) -> Result:
    """Return ``function(*inputs)`` of tensors, with or without checkpointing: for what is large and quick to compute.

    Only the inputs are kept for the backward pass. It must draw no random numbers and change nothing.
    """
    if not torch.is_grad_enabled():
        return function(*inputs)
    result: Result = checkpoint(function, *inputs, use_reentrant=False, preserve_rng_state=False)
    return result


@contextmanager
def uncounted() -> Iterator[None]:
    """Leave what is computed inside out of the running statistics of batches."""
    token = _uncounted.set(True)
    try:
        yield
    finally:
        _uncounted.reset(token)


def is_uncounted() -> bool:
    """Tell whether what counts its calls must not count this one: a stage that is computed for the second time, or
    what is in ``uncounted``.
    """
    return _uncounted.get()


def _contexts() -> tuple[AbstractContextManager[None], AbstractContextManager[None]]:
    return nullcontext(), _Again(current_generator())


class _Again:
    """Can be entered more than once, as a second backward pass through one graph does.

    Dropout draws again what it drew: from a copy of the generator as it was, since the backward pass may run in a
    thread of its own.
    """

    def __init__(self, generator: torch.Generator | None) -> None:
        self._entered: list[ExitStack] = []
        self._generator = generator
        self._state = None if generator is None else generator.get_state()

    def __enter__(self) -> None:
        stack = ExitStack()
        stack.enter_context(uncounted())
        if self._generator is not None and self._state is not None:
            copy = torch.Generator(self._generator.device)
            copy.set_state(self._state)
            stack.enter_context(drawing(copy))
        self._entered.append(stack)

    def __exit__(self, *_: object) -> None:
        self._entered.pop().close()
