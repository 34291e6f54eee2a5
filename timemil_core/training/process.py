"""Training in a process of its own, which outlives whoever started it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from timemil_core.errors import RunError
from timemil_core.training.liveness import mark_of
from timemil_core.training.run_folder import RunFolder

PACKAGE_PARENT = Path(__file__).resolve().parents[2]


def launch(run: RunFolder) -> int:
    """Start or resume a run in a new process, and return the process's number.

    The process has its own session: it survives a closed tab and the server's end.

    Raises
    ------
    RunError
        Where a process is at work on this run, or it has finished.
    """
    status = run.status()
    if status.is_active:
        raise RunError("this run is being trained already.", where=run.reference)
    if not status.can_resume:
        raise RunError("this run has finished.", where=run.reference, remedy="Start a new one.")
    run.clear_stop_request()
    before = time.time()
    with (run.folder / "log.txt").open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, a path and no shell
            train_command("--resume", str(run.folder)),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env=environment(),
        )
    run.write_launched(mark_of(process.pid), before)
    # Waiting for it leaves no zombie behind while this process lives.
    threading.Thread(target=process.wait, daemon=True, name=f"wait-{run.folder.name}").start()
    return process.pid


def train_command(*words: str) -> list[str]:
    """Return the words that start ``train`` in a process of its own, which says nothing but what went wrong."""
    return [sys.executable, "-m", "timemil_core", "train", *words, "--quiet"]


def environment() -> dict[str, str]:
    """Return the variables of such a process: it finds the package from any working directory, installed or not."""
    paths = [str(PACKAGE_PARENT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path), "PYTHONUNBUFFERED": "1"}
