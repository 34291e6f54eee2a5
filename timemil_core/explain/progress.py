"""How long work tells how far it is, and how it is broken off."""

from __future__ import annotations

from timemil_core.jobs import Progress

__all__ = ["Progress", "share_of", "silent"]


def silent(done: int, of: int) -> None:
    """Tell nobody, never cancel."""


def share_of(progress: Progress, part: int, n_parts: int) -> Progress:
    """Return the progress of one of several parts of equal work."""

    def tell(done: int, of: int) -> None:
        progress(part * of + done, n_parts * of)

    return tell
