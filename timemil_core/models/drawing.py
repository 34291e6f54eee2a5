"""Random numbers from generators of our own.

PyTorch's layers draw their first weights and their dropout from one generator of the whole process: what they draw then
depends on every other thread, and so does what others draw on them. Inside ``drawing`` this thread's layers draw from
the generator that it was given, the very numbers that PyTorch's own would have drawn from the same seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

_source: ContextVar[torch.Generator | None] = ContextVar("the generator that dropout draws from", default=None)

_FILLS: frozenset[Callable[..., Any]] = frozenset(
    {Tensor.uniform_, Tensor.normal_, nn.init.uniform_, nn.init.normal_, nn.init.kaiming_uniform_}
)
_DRAWS: frozenset[Callable[..., Any]] = frozenset({torch.rand, torch.randn})
_MAKES: frozenset[Callable[..., Any]] = frozenset({torch.empty, torch.zeros, torch.ones, *_DRAWS})


@contextmanager
def drawing(generator: torch.Generator) -> Iterator[None]:
    """Let dropout in this thread draw from ``generator``, which is on the device of the values."""
    token = _source.set(generator)
    try:
        yield
    finally:
        _source.reset(token)


def current_generator() -> torch.Generator | None:
    """Return the generator that dropout draws from in this thread, None for PyTorch's own."""
    return _source.get()


class Dropout(nn.Dropout):
    """PyTorch's dropout, drawing from the generator of ``drawing`` where there is one: on a CPU the same numbers."""

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 (PyTorch's own name)
        """Zero a share of the values, and divide the others by the share that is kept."""
        generator = None if torch.compiler.is_compiling() else _source.get()
        if generator is None or not self.training or self.p == 0:
            return super().forward(input)
        kept = torch.empty_like(input, dtype=torch.bool).bernoulli_(1 - self.p, generator=generator)
        return torch.where(kept, input * self._factor, 0)

    @property
    def _factor(self) -> float:
        return torch.ones((), dtype=torch.float32).div_(1 - self.p).item()  # rounded as PyTorch's own


class Building(TorchFunctionMode):
    """While entered, modules that this thread makes are of float32, whatever the process's default is.

    Their first weights are drawn from ``generator``; without one nothing is drawn, and they hold what means nothing
    until a state dict is loaded. What is made can be trained, even inside ``torch.inference_mode``.
    """

    def __init__(self, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self._generator = generator

    def __enter__(self) -> Building:
        self._plain = torch.inference_mode(False)
        self._plain.__enter__()
        super().__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        self._plain.__exit__(*error)

    def __torch_function__(
        self, func: Callable[..., Any], types: Iterable[type], args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Answer a call of PyTorch's."""
        given = dict(kwargs or {})
        if func in _MAKES and given.get("dtype") is None:
            given["dtype"] = torch.float32
        if func in _FILLS | _DRAWS:
            if self._generator is None:
                if func in _DRAWS:
                    return torch.zeros(*args, **given)
                return args[0] if args else given["tensor"]
            given["generator"] = self._generator
        return func(*args, **given)
