"""Ctrl-C and a request of the system to end become a request to stop after the batch at hand."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SIGNAL_BASE = 128
STANDARD_ERROR = 2
NOTICE = b"Stopping after this batch; once more to end at once. The run can be resumed either way.\n"


class StopOnSignal:
    """While entered, a first signal asks to stop; a second one ends the process at once, and the run is interrupted.

    Parameters
    ----------
    on_first
        Called at the first signal, wherever that strikes: it must neither print nor take a lock.
    quiet
        Do not say on standard error that it was heard.
    """

    def __init__(self, on_first: Callable[[], object] = lambda: None, *, quiet: bool = False) -> None:
        self._on_first = on_first
        self._quiet = quiet
        self._received: int | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> StopOnSignal:
        self._before = {number: signal.signal(number, self._receive) for number in SIGNALS}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def requested(self) -> bool:
        """Tell whether a signal came."""
        return self._received is not None

    @property
    def exit_code(self) -> int:
        """128 + the signal's number where one came, else 0."""
        return 0 if self._received is None else SIGNAL_BASE + self._received

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self._received is not None:
            raise KeyboardInterrupt
        self._received = number
        self._on_first()
        if not self._quiet:
            # A print may be what was interrupted, and cannot be entered twice; who closed the terminal needs no word.
            with suppress(OSError):
                os.write(STANDARD_ERROR, NOTICE)
