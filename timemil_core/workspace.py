"""Where things are stored: one folder for uploaded data sets and training runs, one for shipped models.

A server that knows its users gives each a workspace of their own within that folder. Everything that is made lies
below ``home``, and is listed and opened from there alone: who may see what is decided in this file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from timemil_core.errors import SettingsError

HOME_VARIABLE = "TIMEMIL_HOME"
PRETRAINED_VARIABLE = "TIMEMIL_PRETRAINED"
DATA_VARIABLE = "TIMEMIL_DATA_DIR"
PACKAGE = Path(__file__).resolve().parent
SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
USERS = "users"
SERVED = "served"


class _Asked:
    """Tells who is at work: None where the program knows no users."""

    who: Callable[[], str | None] = staticmethod(lambda: None)


_acting: ContextVar[tuple[str | None] | None] = ContextVar("acting", default=None)


def home() -> Path:
    """Return the workspace folder: ``$TIMEMIL_HOME``, by default ``~/.timemil``, or the folder of its owner within.

    Raises as ``owner`` does.
    """
    folder = Path(os.environ.get(HOME_VARIABLE) or Path.home() / ".timemil")
    who = owner()
    return folder if who is None else child(folder / USERS, who)


def owner() -> str | None:
    """Return whose workspace it is, as a name of a folder; None where the program knows no users.

    Raises
    ------
    AccessError
        Where it knows users, and none is at work here.
    """
    acting = _acting.get()
    return _Asked.who() if acting is None else acting[0]


def ask_owner(who: Callable[[], str | None]) -> None:
    """Have ``who`` tell whose workspace it is, in whatever thread it is asked; it raises AccessError where nobody's."""
    _Asked.who = staticmethod(who)


@contextmanager
def acting_for(who: str | None) -> Iterator[None]:
    """Work for this owner within, in this thread: for threads that do somebody's work."""
    token = _acting.set((who,))
    try:
        yield
    finally:
        _acting.reset(token)


def datasets_folder() -> Path:
    """Return the folder of uploaded data sets."""
    return home() / "datasets"


def runs_folder() -> Path:
    """Return the folder of training runs."""
    return home() / "runs"


def sweeps_folder() -> Path:
    """Return the folder of notes on where sweeps lie."""
    return home() / "sweeps"


def choices_folder() -> Path:
    """Return the folder of what was measured to be the best importance method of each model."""
    return home() / "choices"


def served_folder() -> Path:
    """Return the folder of classifiers that other processes serve here."""
    return home() / SERVED


def pretrained_folder() -> Path:
    """Return the folder of shipped models: ``$TIMEMIL_PRETRAINED``, else the package's own or the checkout's."""
    if folder := os.environ.get(PRETRAINED_VARIABLE):
        return Path(folder)
    inside = PACKAGE / "pretrained"  # of an installed package: see setup.py
    return inside if inside.is_dir() else PACKAGE.parent / "pretrained"


def local_archive_folder() -> Path | None:
    """Return the folder of ``.ts`` sets on this machine, ``$TIMEMIL_DATA_DIR``, or None where it is not set."""
    folder = os.environ.get(DATA_VARIABLE)
    return Path(folder) if folder else None


def child(folder: Path, name: str) -> Path:
    """Return ``folder / name``, for a name that comes from outside (a URL, a form).

    Raises
    ------
    SettingsError
        Where the name could leave the folder or holds anything but letters, digits, ``.``, ``_`` and ``-``.
    """
    if not SAFE_NAME.fullmatch(name):
        raise SettingsError(
            f"{name[:80]!r} is not a name of a stored item.",
            remedy="Names consist of letters, digits, '.', '_' and '-', and start with a letter or digit.",
        )
    return folder / name
