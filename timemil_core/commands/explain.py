"""``explain``: one map of one series as CSV or NPZ, with the numbers that say how far it can be believed."""

from __future__ import annotations

import argparse
import csv
import io
from pathlib import Path
from typing import Any

import numpy as np

from timemil_core.atomic import write_bytes
from timemil_core.commands.asking import add_asking, ask
from timemil_core.data.formulas import guarded
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.reports.findings import Findings

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
    print(found.removal.sentence)
    for name, score in found.scores.items():
        print(f"AUROC against the known truth, {name}: {score.auroc:.3f}")
    if out is not None:
        write_bytes(out, _WRITERS[out.suffix](series_set, found))
        print(out)
    return 0


def _csv(series_set: SeriesSet, found: Findings) -> bytes:
    columns = _columns(series_set, found)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([guarded(name) for name in columns])
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue().encode()


def _npz(series_set: SeriesSet, found: Findings) -> bytes:
    content = io.BytesIO()
    importance, removal = found.importance, found.removal
    extra: dict[str, Any] = {} if importance.per_channel is None else {"per_channel": importance.per_channel}
    np.savez_compressed(
        content,
        times=series_set.times(found.index),
        values=importance.values,
        series=found.edited.values,
        original=found.edited.original,
        removal_shares=removal.shares,
        removal_curve=removal.curve,
        removal_random=np.stack([removal.random_low, removal.random_mean, removal.random_high]),
        **extra,
    )
    return content.getvalue()


def _columns(series_set: SeriesSet, found: Findings) -> dict[str, np.ndarray]:
    names, series = series_set.channel_names, found.edited.values
    columns = {series_set.time_unit: series_set.times(found.index), **dict(zip(names, series, strict=True))}
    columns["importance"] = found.importance.values
    if found.importance.per_channel is not None:
        per_channel = zip(names, found.importance.per_channel, strict=True)
        columns |= {f"importance of {name}": values for name, values in per_channel}
    return columns


_WRITERS = {".csv": _csv, ".npz": _npz}
