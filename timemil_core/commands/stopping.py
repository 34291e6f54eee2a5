"""Ctrl-C and a request of the system to end become a request to stop after the batch at hand."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SIGNAL_BASE = 128


class StopOnSignal:
    """While entered, a first signal asks to stop; a second one ends the process at once, and the run is interrupted."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
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
        self._say("Stopping after this batch; once more to end at once. The run can be resumed either way.")
