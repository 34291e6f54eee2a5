"""What Streamlit's AppTest leaves behind is put right again."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import pytest

from app import ask
from tests.quick import few_places

__all__ = ["few_places"]

PATIENCE = 3.0  # seconds between two looks at a page


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """AppTest puts the page's script in place of ``__main__``, which a process that is spawned later would run."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


def computed() -> None:
    """Wait some seconds for what is computed in the background: a page that is run meanwhile only slows it down."""
    deadline = time.monotonic() + PATIENCE
    while any(job.state == "running" for job in list(ask.jobs()._jobs.values())) and time.monotonic() < deadline:
        time.sleep(0.05)


@pytest.fixture(autouse=True)
def nothing_computes_on() -> Iterator[None]:
    """What a page has begun in the background ends with its test: on few cores it would slow the next ones down."""
    yield
    jobs = ask.jobs()
    running = [key for key, job in jobs._jobs.items() if job.state == "running"]
    jobs.stop(5.0)
    for key in running:  # the next test finds it neither running nor cancelled
        jobs._jobs.pop(key, None)
