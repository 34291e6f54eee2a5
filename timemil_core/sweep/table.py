"""What a sweep found: a row a cell, and a row a data set and setting with mean and spread over seeds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from timemil_core.atomic import replacing_file
from timemil_core.models.storage import read_description
from timemil_core.sweep.folder import SweepFolder
from timemil_core.sweep.work import Outcome

PREFIX = "setting "
LAST = ["state", "error", "folder"]
OUT_OF = ["seeds", "finished"]


def cell_table(sweep: SweepFolder, outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return a row a cell: data, preset, each ``setting …``, seed, scores, and what became of it.

    ``selection`` tells how the epoch was chosen, ``folder`` where the run is, within the sweep's.
    """
    rows = pd.DataFrame([_row(sweep, found) for found in outcomes])
    return rows[[column for column in rows if column not in LAST] + LAST]


def result_table(cells: pd.DataFrame) -> pd.DataFrame:
    """Return a row a data set and setting: cells, finished ones, ``… mean`` and ``… deviation`` of each score.

    Both are over the seeds that finished; the deviation is the sample's (n − 1), empty for one seed.
    """
    by = ["data", "preset", *(column for column in cells if column.startswith(PREFIX))]
    groups = cells.groupby(by, sort=False, dropna=False)
    counts = groups.agg(seeds=("seed", "size"), finished=("state", lambda states: int((states == "finished").sum())))
    spreads = [
        groups[score].agg(["mean", "std"]).set_axis([f"{score} mean", f"{score} deviation"], axis=1)
        for score in score_names(cells)
    ]
    return pd.concat([counts, *spreads], axis=1).reset_index()


def score_names(cells: pd.DataFrame) -> list[str]:
    """Return the columns of a table of cells that hold scores."""
    begin = list(cells.columns).index("selection") + 1
    return list(cells.columns[begin : -len(LAST)])


def write_table(table: pd.DataFrame, target: Path) -> None:
    """Write a table as CSV in one step, numbers exact."""
    with replacing_file(target) as beside:
        table.to_csv(beside, index=False)


def _row(sweep: SweepFolder, found: Outcome) -> dict[str, Any]:
    cell, folder = found.cell, sweep.cell_folder(found.cell)
    settings = {f"{PREFIX}{key}": value for key, value in cell.settings.items()}
    facts = read_description(folder / "model")["facts"] if found.state == "finished" else {}
    scores = {key: value for key, value in facts.get("scores", {}).items() if not key.endswith("_n")}
    return {
        "data": cell.data,
        "preset": cell.preset,
        **settings,
        "seed": cell.seed,
        "selection": facts.get("selection", ""),
        **{key: float("nan") if value is None else value for key, value in scores.items()},
        "state": found.state,
        "error": found.error,
        "folder": str(folder.relative_to(sweep.folder)),
    }
