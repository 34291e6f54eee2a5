"""Running a sweep, and going on with one that was cut off."""

from __future__ import annotations

from collections.abc import Callable

from timemil_core.sweep.folder import SweepFolder
from timemil_core.sweep.table import cell_table, result_table, write_table
from timemil_core.sweep.work import Outcome, outcome
from timemil_core.sweep.workers import Workers


def run_sweep(sweep: SweepFolder, workers: Workers, report: Callable[[str], None] = lambda line: None) -> list[Outcome]:
    """Train every cell that has not finished, write the tables, and return where each cell stands.

    Cells that failed before are tried again, those that were cut off go on from their checkpoint.

    Parameters
    ----------
    sweep
        Opened by ``open_sweep``.
    workers
        Who trains; see ``workers.py``.
    report
        Told each cell that ends.

    Raises
    ------
    RunError
        Where another process runs this sweep, or the workers cannot be reached any more.
    """
    with sweep.alone():
        cells = sweep.spec().cells()
        waiting = [cell for cell in cells if outcome(sweep, cell).state != "finished"]
        n_done = len(cells) - len(waiting)
        report(f"{len(cells)} cells, {n_done} finished before")
        try:
            for number, found in enumerate(workers(sweep, waiting), start=n_done + 1):
                report(f"{number}/{len(cells)}  {found.cell.title}: {found.error or found.state}")
        finally:
            outcomes = [outcome(sweep, cell) for cell in cells]
            table = cell_table(sweep, outcomes)
            write_table(table, sweep.folder / "cells.csv")
            write_table(result_table(table), sweep.folder / "results.csv")
    return outcomes
