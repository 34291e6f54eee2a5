"""Training in a process of its own, which outlives whoever started it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from timemil_core import workspace
from timemil_core.atomic import check_regular, storing
from timemil_core.errors import RunError
from timemil_core.training.liveness import mark_of
from timemil_core.training.run_folder import RunFolder, UnreadableRun, look

RANK_VARIABLE = "TIMEMIL_RANK"
"""Set to 0, a run that is launched here does not rank the methods of its model; pages then offer to."""
PACKAGE_PARENT = Path(__file__).resolve().parents[2]


def launch(run: RunFolder, *then: RunFolder) -> int:
    """Start or resume a run in a new process, and return the process's number.

    The process has its own session: it survives a closed tab and the server's end.

    Parameters
    ----------
    run
        The run.
    then
        Others that the same process trains afterwards, one after the other; until then each of them waits.

    Raises
    ------
    RunError
        Where a process is at work on one of them, it has finished, or its settings cannot be read.
    StorageError
        Where there is no room.
    """
    runs = (run, *then)
    for one in runs:
        _refuse_in_vain(one)
        one.clear_stop_request()
    before = time.time()
    log_file = run.folder / "log.txt"
    with storing(log_file):
        log_file.touch()
        check_regular(log_file)
    with log_file.open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, a path and no shell
            train_command("--resume", *(str(one.folder) for one in runs), *_afterwards()),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env=environment(),
        )
    mark = mark_of(process.pid)
    for one in runs:
        one.write_launched(mark, before)
    # Waiting for it leaves no zombie behind while this process lives.
    threading.Thread(target=process.wait, daemon=True, name=f"wait-{run.folder.name}").start()
    return process.pid


def _refuse_in_vain(run: RunFolder) -> None:
    seen = look(run.folder)
    if isinstance(seen, UnreadableRun):
        if not seen.can_resume:
            raise RunError(seen.why)
    elif seen.status.is_active:
        raise RunError("this run is being trained already.", where=run.reference)
    elif not seen.status.can_resume:
        raise RunError("this run has finished.", where=run.reference, remedy="Start a new one.")


def _afterwards() -> tuple[str, ...]:
    # Pages open on what measures best, so it is known before anybody looks.
    return () if os.environ.get(RANK_VARIABLE) == "0" else ("--rank",)


def train_command(*words: str) -> list[str]:
    """Return the words that start ``train`` in a process of its own, which says nothing but what went wrong."""
    return [sys.executable, "-m", "timemil_core", "train", *words, "--quiet"]


def environment() -> dict[str, str]:
    """Return the variables of such a process: it finds the package from any working directory, installed or not.

    The workspace is that of whoever starts it.
    """
    paths = [str(PACKAGE_PARENT), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        workspace.HOME_VARIABLE: str(workspace.home()),
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "PYTHONUNBUFFERED": "1",
    }
