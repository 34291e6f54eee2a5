"""How a pass through a network tells how far it is, and how it is broken off.

A pass over 100,000 time points takes seconds. Its stages are those of `models/fast/checkpointing.py`; between two of
them whoever watches is told. To break the pass off, the watcher raises: the network keeps nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Watcher = Callable[[], None]

_watchers: ContextVar[tuple[Watcher, ...]] = ContextVar("who watches the stages of a pass", default=())


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Call ``watcher`` after each stage of every pass in this thread, beside those who watch already.

    Nothing is left on the network, which others may use at the same time.
    """
    token = _watchers.set((*_watchers.get(), watcher))
    try:
        yield
    finally:
        _watchers.reset(token)


def stage_done() -> None:
    """Tell all who watch."""
    for watcher in _watchers.get():
        watcher()
