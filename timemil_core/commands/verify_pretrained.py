"""``verify-pretrained``: score every shipped model again, and hold what comes out against its card."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from timemil_core import workspace
from timemil_core.commands.card import scores_of
from timemil_core.commands.table import print_table
from timemil_core.data import catalogue
from timemil_core.models.storage import DESCRIPTION, load_model
from timemil_core.models.trained import TrainedModel

NAME = "verify-pretrained"
SUMMARY = "score every shipped model again, and hold what comes out against its card"
DIFFERS = 1
TITLES = ("model", "data", "card", "again", "verdict")
TOLERANCE = 1e-3  # an AUROC moves by so much where rounding on another machine swaps two series


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("models", nargs="*", metavar="MODEL", help="names in pretrained/ (default: all)")


def execute(arguments: argparse.Namespace) -> int:
    """Print a row a model; return 1 where a score is another than its card's.

    Raises
    ------
    TimeMILError
        Where a model cannot be opened.
    """
    folders = [path.parent for path in sorted(workspace.pretrained_folder().glob(f"*/{DESCRIPTION}"))]
    wanted = [one for one in folders if not arguments.models or one.name in arguments.models]
    available = {entry.reference for entry in catalogue.entries() if entry.available}
    rows = [_row(folder, available) for folder in wanted]
    print_table(list(TITLES), [[row[title] for title in TITLES] for row in rows])
    return DIFFERS if any(row["verdict"] == "differs" for row in rows) else 0


def _row(folder: Path, available: set[str]) -> dict[str, str]:
    model = load_model(folder)
    data = str(model.facts["data"])
    on_card = {name: value for name, value in model.facts["scores"].items() if name.startswith("test_")}
    row = {"model": folder.name, "data": data, "card": _told(on_card), "again": ""}
    if data not in available:
        return row | {"verdict": "its data are not on this machine"}
    again = _again(model, data)
    return row | {"again": _told(again), "verdict": "as on its card" if agrees(on_card, again) else "differs"}


def _told(found: dict[str, Any]) -> str:
    return f"{found['test_accuracy']:.4f}" if "test_accuracy" in found else ""


def _again(model: TrainedModel, data: str) -> dict[str, Any]:
    series_set = catalogue.load(data)
    return scores_of(model, series_set.part("test") if len(series_set.indices("test")) else series_set)


def agrees(card: dict[str, Any], again: dict[str, Any]) -> bool:
    """Tell whether all test scores of a card came out again."""
    return bool(card) and all(
        name in again and (value == again[name] or abs(value - again[name]) <= TOLERANCE)
        for name, value in card.items()
    )
