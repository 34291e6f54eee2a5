"""Work that the page of the tests of waiting waits for, shared by test and page."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from timemil_core.explain.progress import Progress


@dataclass
class Work:
    """What the page of these tests waits for."""

    wanted: str = "first"
    is_slow: bool = False
    may_go_on: threading.Event = field(default_factory=threading.Event)
    begun: list[str] = field(default_factory=list)
    broken_off: list[str] = field(default_factory=list)
    error: Exception | None = None

    def compute(self, progress: Progress) -> str:
        name = self.wanted
        self.begun.append(name)
        try:
            progress(1, 4)
            while self.is_slow and not self.may_go_on.wait(0.01):
                progress(1, 4)
        except Exception:
            self.broken_off.append(name)
            raise
        if self.error is not None:
            raise self.error
        return f"result of {name}"


WORK = Work()
