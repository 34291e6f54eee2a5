"""The errors that a user is meant to read.

Every one says what was wrong, where, and how to mend it; the app and the command line print them as they are.
Anything else that is raised is a fault of ours.
"""

from __future__ import annotations

from typing import Any


class TimeMILError(Exception):
    """A problem that its user can mend. ``where``, ``problem`` and ``remedy`` are plain sentences."""

    def __init__(self, problem: str, *, where: str = "", remedy: str = "") -> None:
        self.problem = problem
        self.where = where
        self.remedy = remedy
        super().__init__(str(self))

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f" {self.remedy}" if self.remedy else ""
        return f"{place}{self.problem}{advice}"


class DataError(TimeMILError, ValueError):
    """The data cannot be read or do not fit together.

    ``choices`` are those by which a file could be understood otherwise (``data.files.choices.Choice``).
    """

    choices: tuple[Any, ...] = ()


class AbsentDataError(DataError):
    """A data set is known, but must be downloaded first. ``reference`` is its name."""

    def __init__(self, reference: str) -> None:
        self.reference = reference
        super().__init__(
            f"{reference} is not on this machine.", remedy="Download it from the catalogue on the Data page."
        )


class ModelError(TimeMILError, ValueError):
    """A model cannot be built, loaded, or does not fit the data it was given."""


class SettingsError(TimeMILError, ValueError):
    """A setting has a value that cannot work."""


class RunError(TimeMILError, RuntimeError):
    """A training run cannot be started, resumed or read."""


class AccessError(TimeMILError):
    """Somebody must log in first."""


class StorageError(TimeMILError):
    """Something cannot be stored: the disk is full, can only be read, or this program may not write there."""
