"""How long work tells how far it is, and how it is broken off."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Told (done, of) between two batches. To cancel, it raises: any exception of its own passes through, and since
nothing is kept before the end, nothing half-done is left behind."""


def silent(done: int, of: int) -> None:
    """Tell nobody, never cancel."""


def share_of(progress: Progress, part: int, n_parts: int) -> Progress:
    """Return the progress of one of several parts of equal work."""

    def tell(done: int, of: int) -> None:
        progress(part * of + done, n_parts * of)

    return tell
