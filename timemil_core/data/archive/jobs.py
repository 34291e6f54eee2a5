"""Downloads that run beside whatever else does: started, watched and stopped by a set's name.

They belong to the process, not to who started them: a page that is drawn anew finds them again, and two people who
want the same set share one.
"""

from __future__ import annotations

import atexit
import logging
import threading
from dataclasses import dataclass, field
from typing import Literal

from timemil_core.data.archive.downloading import download
from timemil_core.data.archive.transfer import CancelledError, Progress
from timemil_core.errors import DataError

State = Literal["running", "finished", "failed", "cancelled"]
SECONDS_TO_CLEAN_UP = 3.0
logger = logging.getLogger(__name__)


@dataclass
class Job:
    """One download.

    Attributes
    ----------
    progress
        How far it is.
    error
        Why it failed; None where it did not.
    """

    name: str
    progress: Progress = field(default_factory=Progress)
    error: DataError | None = None
    _thread: threading.Thread | None = None

    @property
    def state(self) -> State:
        """What it is doing; a cancelled job counts as that at once, while it still tidies up."""
        if self.progress.cancelled:
            return "cancelled"
        if self._thread is not None and self._thread.is_alive():
            return "running"
        return "failed" if self.error is not None else "finished"

    def start(self) -> None:
        """Begin, in a thread that does not keep the program from ending."""
        self._thread = threading.Thread(target=self._run, daemon=True, name=f"download-{self.name}")
        self._thread.start()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until it has ended and tidied up."""
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self) -> None:
        try:
            download(self.name, self.progress)
        except CancelledError:
            return
        except DataError as error:
            self.error = error
        except Exception:
            logger.exception("the download of %s", self.name)
            self.error = DataError("The download ended by a fault of this program; the log tells more.")


_jobs: dict[str, Job] = {}
_lock = threading.Lock()


def start(name: str) -> Job:
    """Start to download a set, or return the job that is at it."""
    with _lock:
        running = _jobs.get(name)
        if running is not None and running.state == "running":
            return running
        job = _jobs[name] = Job(name)
        job.start()
        return job


def find(name: str) -> Job | None:
    """Return the latest job for a set."""
    return _jobs.get(name)


def forget(name: str) -> None:
    """Drop what is told of a job that has ended."""
    with _lock:
        if name in _jobs and _jobs[name].state != "running":
            del _jobs[name]


@atexit.register
def _stop_all() -> None:
    running = [job for job in _jobs.values() if job.state == "running"]
    for job in running:
        job.progress.cancel()
    for job in running:
        job.wait(SECONDS_TO_CLEAN_UP)
