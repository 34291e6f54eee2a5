"""The training process's own voice: ``status.json`` while it works, lines for ``log.txt`` and the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from timemil_core.errors import StorageError
from timemil_core.training.liveness import mark_of
from timemil_core.training.metrics import EpochRecord
from timemil_core.training.run_folder import RunFolder
from timemil_core.training.status import State, first_status

SECONDS_BETWEEN_HEARTBEATS = 0.5


class Speaker(Protocol):
    """Whom a training tells what it is doing."""

    def update(self, **changes: Any) -> None:
        """Change what ``status.json`` says."""

    def on_batch(self, done: int, of: int) -> None:
        """Tell the progress within an epoch."""

    def on_epoch(self, stage: str, record: EpochRecord) -> None:
        """Tell a finished epoch."""

    def line(self, text: str) -> None:
        """Say a line."""


class Reporter:
    """Writes what the process that made it is doing."""

    def __init__(self, run: RunFolder, report: Callable[[str], None]) -> None:
        self.run = run
        self._report = report
        self._content = first_status(run.training.to_json()) | {"process": mark_of().to_json()}
        self._written = 0.0

    def update(self, **changes: Any) -> None:
        """Change what ``status.json`` says."""
        self._content.update(changes)
        self.run.write_status(**self._content)
        self._written = time.monotonic()

    def on_batch(self, done: int, of: int) -> None:
        """Tell the progress within an epoch; written at most twice a second."""
        self._content.update(batch=done, n_batches=of)
        if time.monotonic() - self._written > SECONDS_BETWEEN_HEARTBEATS:
            self.update()

    def on_epoch(self, stage: str, record: EpochRecord) -> None:
        """Tell a finished epoch."""
        self.update(epoch=record.epoch, batch=0)
        self.line(epoch_line(stage, record, self.run.training.n_epochs))

    def end(self, state: State, message: str, details: str = "") -> None:
        """Tell how the run ended without finishing, as far as that can still be stored."""
        self._content.update(state=state, message=message)
        self.run.write_last_status(**self._content)
        with suppress(StorageError):
            self.run.log(f"{details}{state[:1].upper()}{state[1:]}: {message}")
        self._report(f"{state[:1].upper()}{state[1:]}: {message}")

    def line(self, text: str) -> None:
        """Say a line to ``log.txt`` and to the terminal."""
        self.run.log(text)
        self._report(text)


def epoch_line(stage: str, record: EpochRecord, n_epochs: int) -> str:
    """Return one line for people."""
    width = len(str(n_epochs))
    words = [
        f"{stage}: epoch {record.epoch:>{width}}/{n_epochs}",
        f"loss {record.train_loss:.4f}",
        f"accuracy {record.train_accuracy:.3f}",
    ]
    if record.validation_accuracy is not None:
        words.append(f"{record.judged_on} loss {record.validation_loss:.4f}")
        words.append(f"{record.judged_on} accuracy {record.validation_accuracy:.3f}")
    words.append(f"{record.seconds:.2f} s")
    return "  ".join(words) + ("  (warm-up)" if record.warm_up else "")
