"""The folder of a sweep: what was asked for, and a run folder a cell.

::

    sweep.json       what was asked for; never changes
    cells/NAME/      an ordinary run folder; error.txt in it where the cell failed
    cells.csv        a row a cell
    results.csv      a row a data set and setting, over seeds
    stop             present while workers are to end after the batch at hand
    slurm/           what submitit writes
    lock             held while the sweep runs
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from timemil_core.atomic import read_json, write_json
from timemil_core.errors import RunError
from timemil_core.sweep.cell import Cell
from timemil_core.sweep.spec import SweepSpec

FORMAT = 1
SPEC = "sweep.json"


@dataclass(frozen=True)
class SweepFolder:
    """A sweep on disk; holds no state of its own."""

    folder: Path

    def spec(self) -> SweepSpec:
        """Return what was asked for.

        Raises
        ------
        RunError
            Where there is no sweep here, or a damaged one, or a newer version's.
        """
        try:
            content = read_json(self.folder / SPEC)
            if content["format"] > FORMAT:
                raise RunError("written by a newer version.", where=str(self.folder), remedy="Update the program.")
            return SweepSpec.from_json(content["spec"])
        except FileNotFoundError as error:
            remedy = "Give a TOML file or --data to begin one."
            raise RunError("there is no sweep here.", where=str(self.folder), remedy=remedy) from error
        except (OSError, json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
            raise RunError(f"{SPEC} cannot be read: {error!r}.", where=str(self.folder)) from error

    def cell_folder(self, cell: Cell) -> Path:
        """Return where a cell's run is."""
        return self.folder / "cells" / cell.name

    @property
    def stop_file(self) -> Path:
        """Present while workers are to end."""
        return self.folder / "stop"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the sweep; the operating system lets go of it when the holder dies.

        Raises
        ------
        RunError
            Where another process runs it.
        """
        try:
            with FileLock(self.folder / "lock", timeout=0):
                self.stop_file.unlink(missing_ok=True)  # left over from a process that died
                yield
                self.stop_file.unlink(missing_ok=True)
        except Timeout as error:
            raise RunError("another process runs this sweep.", where=str(self.folder)) from error


def open_sweep(folder: Path, spec: SweepSpec | None) -> SweepFolder:
    """Begin a sweep in a new or empty folder, or go on with the one that is there.

    Parameters
    ----------
    folder
        Of the sweep.
    spec
        What is asked for; None goes on with what was asked for.

    Raises
    ------
    RunError
        Where the folder holds anything else, or a sweep that was asked for otherwise, or, for None, no sweep.
    TimeMILError
        Where the specification cannot work.
    """
    folder = folder.resolve()
    sweep = SweepFolder(folder)
    if (folder / SPEC).is_file() or spec is None:
        kept = sweep.spec()
        if spec is not None and spec.to_json() != kept.to_json():
            raise RunError(
                f"this folder holds a sweep of other {_difference(spec, kept)}.",
                where=str(folder),
                remedy="Give a new folder, or --out alone to go on with what it holds.",
            )
        return sweep
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RunError("this exists and is not empty.", where=str(folder), remedy="Give a new folder.")
    spec.check()
    write_json(folder / SPEC, {"format": FORMAT, "spec": spec.to_json()})
    return sweep


def _difference(spec: SweepSpec, kept: SweepSpec) -> str:
    ours, theirs = spec.to_json(), kept.to_json()
    return " and ".join(key for key in ours if ours[key] != theirs[key])
