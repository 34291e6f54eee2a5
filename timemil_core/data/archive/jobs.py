"""Downloads that run beside whatever else does: started, watched and stopped by a set's name."""

from __future__ import annotations

import atexit
import logging
import math
from pathlib import Path

from timemil_core import jobs
from timemil_core.data.archive.downloading import download
from timemil_core.data.archive.transfer import Progress
from timemil_core.errors import DataError
from timemil_core.jobs import CancelledError, Job, Jobs

SECONDS_TO_CLEAN_UP = 3.0
logger = logging.getLogger(__name__)
_downloads = Jobs()


def start(name: str) -> Job:
    """Start to download a set, or return the job that is at it; ``about`` it is the `Progress` in bytes."""
    told = Progress()

    def load(tell: jobs.Progress) -> Path:
        told.report = lambda now: tell(now.received, now.total or 0)
        try:
            return download(name, told)
        except (DataError, CancelledError):
            raise
        except Exception as error:
            logger.exception("the download of %s", name)
            raise DataError("The download ended by a fault of this program; the log tells more.") from error

    forget(name)
    job = _downloads.start(name, load, prompt=True, about=told)
    job.looked_at = math.inf  # it goes on though nobody looks
    return job


def find(name: str) -> Job | None:
    """Return the latest job for a set."""
    return _downloads.find(name)


def forget(name: str) -> None:
    """Drop what is told of a job that has ended."""
    job = find(name)
    if job is not None and job.state != "running":
        _downloads.forget(name)


@atexit.register
def _stop_all() -> None:
    _downloads.stop(SECONDS_TO_CLEAN_UP)
