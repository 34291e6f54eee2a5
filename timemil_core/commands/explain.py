"""``explain``: one map of one series as CSV or NPZ, with the numbers that say how far it can be believed."""

from __future__ import annotations

import argparse
from pathlib import Path

from timemil_core.atomic import write_bytes
from timemil_core.commands.asking import add_asking, ask
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.wording import standing_sentence
from timemil_core.reports.findings import Findings
from timemil_core.reports.tables import map_csv, map_npz

NAME = "explain"
SUMMARY = "explain one series by a model: how important each time point is, and how far that can be believed"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_asking(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the map as .csv or .npz")


def execute(arguments: argparse.Namespace) -> int:
    """Print what was found; write the map where asked for.

    Raises
    ------
    TimeMILError
        Where the model, the data, the series or a setting does not exist, or model and data do not fit.
    """
    out: Path | None = arguments.out
    if out is not None and out.suffix not in _WRITERS:
        raise SettingsError(f"{out.name} is neither .csv nor .npz.", remedy="Give --out such a name.")
    model, series_set, found = ask(arguments)
    print(f"predicted {model.class_names[found.examination.predicted]}; {found.importance.name} for series "
          f"{found.asked.series}")  # fmt: skip
    if found.comparison is not None:
        print("; ".join(found.edited.lineage))
        print(found.comparison.sentence)
    print(found.importance.note)
    if found.ranked is not None:
        standing = found.ranked.standing
        print(standing_sentence(found.ranked.title, standing, f"{standing.n_series} series of this model"))
    print(found.sentence)
    for name, score in found.scores.items():
        print(f"AUROC against the known truth, {name}: {score.auroc:.3f}")
    if out is not None:
        write_bytes(out, _WRITERS[out.suffix](series_set, found))
        print(out)
    return 0


def _csv(series_set: SeriesSet, found: Findings) -> bytes:
    return map_csv(series_set, found.index, found.edited.values, found.importance)


def _npz(series_set: SeriesSet, found: Findings) -> bytes:
    return map_npz(series_set, found.index, found.edited.values, found.importance, found.verdict)


_WRITERS = {".csv": _csv, ".npz": _npz}
