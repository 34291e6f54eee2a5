"""Which process owns a run, and whether it is still alive."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from typing import Any

import psutil

from timemil_core.kinds import NUMBER, TEXT, object_of, whole

CLOCK_TOLERANCE = 2.0  # seconds: a start time derived from the boot time moves when the clock is set
MARK = object_of({"pid": whole(1, 2**31 - 1), "started": NUMBER, "host": TEXT})
SILENCE_OF_THE_DEAD = 600.0  # seconds without a heartbeat after which a process on another machine counts as dead


@dataclass(frozen=True)
class ProcessMark:
    """A process, told apart from a later one with the same number.

    Attributes
    ----------
    pid
        Its number.
    started
        Its start, in seconds since 1970.
    host
        The machine's name.
    """

    pid: int
    started: float
    host: str

    def to_json(self) -> dict[str, Any]:
        """Return the mark as JSON values."""
        return {"pid": self.pid, "started": self.started, "host": self.host}

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> ProcessMark:
        """Read what ``to_json`` wrote."""
        return cls(int(content["pid"]), float(content["started"]), str(content["host"]))


def mark_of(pid: int | None = None) -> ProcessMark:
    """Return the mark of a process of this machine, by default of the calling one.

    Raises
    ------
    psutil.NoSuchProcess
        Where it has already gone.
    """
    pid = os.getpid() if pid is None else pid
    return ProcessMark(pid, psutil.Process(pid).create_time(), socket.gethostname())


def is_alive(mark: ProcessMark, heartbeat: float, now: float) -> bool:
    """Tell whether a process lives.

    On this machine the operating system is asked (a finished child that nobody waited for is dead); a process on
    another machine, with which this one shares the folder, counts as alive while its last sign of life is fresh.
    """
    if mark.host != socket.gethostname():
        return now - heartbeat < SILENCE_OF_THE_DEAD
    try:
        process = psutil.Process(mark.pid)
        same = abs(process.create_time() - mark.started) < CLOCK_TOLERANCE
        return same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
