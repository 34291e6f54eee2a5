"""What a worker does with one cell: ``train`` in a process of its own, and what came of it.

A process of its own is the only guard that holds against anything: whatever a cell does to its memory, its GPU or
itself, it ends alone, and the worker, on this machine or another, tells so and takes the next one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from timemil_core import workspace
from timemil_core.atomic import replacing_file
from timemil_core.errors import RunError
from timemil_core.sweep.cell import Cell
from timemil_core.sweep.folder import SweepFolder
from timemil_core.training.process import environment, train_command
from timemil_core.training.run_folder import RunFolder, open_run

CellState = Literal["finished", "failed", "stopped", "waiting"]
ERROR = "error.txt"
PLACES = (workspace.HOME_VARIABLE, workspace.DATA_VARIABLE, "AEON_DATA")
SECONDS_BETWEEN_LOOKS = 0.2
SIGNAL_BASE = 128
LONGEST_ERROR = 4000
_INTERRUPTS: list[int] = []  # that struck this worker
CUT_OFF = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)  # asked to end, by whomever


@dataclass(frozen=True)
class Outcome:
    """A cell, where it stands, and why it failed where it did."""

    cell: Cell
    state: CellState
    error: str = ""


def places() -> dict[str, str]:
    """Return the variables that say where this process finds data, for workers that were started elsewhere."""
    found = {name: str(Path(value).resolve()) for name in PLACES if (value := os.environ.get(name))}
    return {workspace.HOME_VARIABLE: str(workspace.home().resolve()), **found}


def note_interrupts() -> None:
    """Make Ctrl-C, which a terminal sends to every process, end a worker's cell, and never the worker itself.

    Wherever it strikes, the worker answers with its outcome; a worker that dies takes the others' cells with it.
    """
    # Without a lock, as an event has one: a second Ctrl-C strikes within the handler of the first, which would hold it.
    signal.signal(signal.SIGINT, lambda number, frame: _INTERRUPTS.append(number))


def train_cell(sweep: SweepFolder, cell: Cell, variables: Mapping[str, str]) -> Outcome:
    """Train a cell, from its beginning or from its checkpoint, and leave the reason in its folder where it fails.

    Parameters
    ----------
    sweep, cell
        What to train.
    variables
        Of the environment, besides the worker's own.

    Returns
    -------
    Outcome
        A failure is one too: nothing is raised for it.
    """
    folder = sweep.cell_folder(cell)
    _wait_for_another(sweep, folder)
    before = outcome(sweep, cell)
    if before.state == "finished" or _asked_to_stop(sweep):
        return before
    (folder / ERROR).unlink(missing_ok=True)
    code, said = _run(sweep, _words(folder, cell), variables)
    found = outcome(sweep, cell)
    if found.state != "finished" and not _was_cut_off(code):
        _tell(folder, found.error or said.removeprefix("error: ") or _death(code))
    return outcome(sweep, cell)


def died(sweep: SweepFolder, cell: Cell, text: str) -> Outcome:
    """Note that a cell's worker died, and why, unless the cell itself has finished or told more."""
    if outcome(sweep, cell).state not in ("finished", "failed"):
        _tell(sweep.cell_folder(cell), text)
    return outcome(sweep, cell)


def outcome(sweep: SweepFolder, cell: Cell) -> Outcome:
    """Tell where a cell stands, from its folder alone."""
    folder = sweep.cell_folder(cell)
    error = folder / ERROR
    if error.is_file():
        return Outcome(cell, "failed", error.read_text("utf-8").strip())
    try:
        status = open_run(folder).status()
    except RunError:
        return Outcome(cell, "waiting")
    if status.state == "failed":
        return Outcome(cell, "failed", status.message)
    return Outcome(cell, "finished" if status.state == "finished" else "stopped")


def _words(folder: Path, cell: Cell) -> list[str]:
    if (folder / "config.json").is_file():
        return train_command("--resume", str(folder))
    return train_command(*cell.words, "--out", str(folder))


def _run(sweep: SweepFolder, words: list[str], variables: Mapping[str, str]) -> tuple[int, str]:
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, and no shell
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C reaches it through the stop file, once
        env={**environment(), **variables},
    )
    asked = False
    while True:
        try:
            _, said = process.communicate(timeout=SECONDS_BETWEEN_LOOKS)
        except subprocess.TimeoutExpired:
            if _asked_to_stop(sweep) and not asked:
                process.terminate()
                asked = True
        except KeyboardInterrupt:
            process.terminate()
            asked = True
        else:
            return process.returncode, said.strip()[-LONGEST_ERROR:]


def _asked_to_stop(sweep: SweepFolder) -> bool:
    return bool(_INTERRUPTS) or sweep.stop_file.exists()


def _wait_for_another(sweep: SweepFolder, folder: Path) -> None:
    # A cell whose worker was killed may still be in training: it is left in peace until it ends.
    while (folder / "config.json").is_file() and RunFolder(folder).status().is_active:
        if _asked_to_stop(sweep):
            return
        time.sleep(SECONDS_BETWEEN_LOOKS)


def _was_cut_off(code: int) -> bool:
    # ended by a signal, or by itself after one, as train's exit code tells
    return -code in CUT_OFF or code - SIGNAL_BASE in CUT_OFF


def _tell(folder: Path, text: str) -> None:
    with replacing_file(folder / ERROR) as beside:
        beside.write_text(text + "\n", "utf-8")


def _death(code: int) -> str:
    if code < 0:
        return f"The training process was ended by {signal.Signals(-code).name}; out of memory?"
    return f"The training process ended with code {code}; log.txt says what it did."
