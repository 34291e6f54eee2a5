"""How accurate is each network, under equal rules, on every set at hand? Two protocols, told apart.

``python -m benchmarks.accuracy`` trains what is not trained yet (run folders: a rerun goes on) and prints a row a set:
test accuracy as a mean over seeds.

- *honest*: nothing was chosen on the test part. All series are trained on, and the last epoch counts.
- *the paper's*: of the same training the best epoch **on the test part**, as the authors' code chooses; too good, and
  only there to stand beside the paper's figures. An ensemble that holds a MiniRocket has none: its epochs are judged
  without it.

The latter only where the paper has the set. ``constant`` is the preset ``default`` as it was before the recipe was
chosen by ``benchmarks.recipes``.

Networks that are fitted at once (MiniRocket, nearest neighbours, …) have the first alone. The paper's own column is as
printed. Results, seeds, seconds and versions go to ``--csv``.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import timemil_core
from benchmarks import pieces as pieces_module
from benchmarks.pieces import Pieces
from benchmarks.report import print_report
from timemil_core.atomic import replacing_file
from timemil_core.data import catalogue
from timemil_core.data.published import of_timemil
from timemil_core.errors import TimeMILError
from timemil_core.models.at_once import TRAINABLE
from timemil_core.models.building import FITTED_AT_ONCE
from timemil_core.models.storage import read_description
from timemil_core.training.config import training_preset
from timemil_core.training.run import execute
from timemil_core.training.run_folder import RunFolder, create_run, open_run


@dataclass(frozen=True)
class Recipe:
    """A preset, and what differs from it in training and in architecture."""

    preset: str
    training: dict[str, Any] = field(default_factory=dict)
    model: dict[str, Any] = field(default_factory=dict)


RECIPES: dict[str, Recipe] = {
    "constant": Recipe("default", {"schedule": "constant", "learning_rate": 1e-3, "masking_share": 0.5}),
}
MIXED = ("ensemble", "accurate")  # their epochs are judged without their MiniRocket
SETS = ("BasicMotions", "ERing", "GunPoint", "RacketSports", "ItalyPowerDemand", "NATOPS", "UWaveGestureLibrary")
NETWORKS = ("ed-1nn", "dtw-1nn-d", "minirocket", "multirocket-hydra", "constant", "default", "ensemble")
COLUMNS = ("set", "network", "seed", "honest", "best_test_epoch", "seconds", "epochs", "version")


def main() -> None:
    """Train, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = (*TRAINABLE, *RECIPES)
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS), choices=known)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--csv", type=Path, help="write a line a training")
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces = Pieces(arguments.folder, arguments.minutes)
    available = {entry.reference for entry in catalogue.entries() if entry.available}
    lines: list[dict[str, Any]] = []
    for seed in arguments.seeds:  # all networks of a seed first: cut off, the table is even
        for network in arguments.networks:
            for name in arguments.sets:
                if name not in available:
                    print(f"{name} is not on this machine (TIMEMIL_DATA_DIR): left out.")
                elif (line := measured(pieces, name, network, seed, arguments.epochs)) is not None:
                    lines.append(line)
    if arguments.csv is not None:
        write_lines(arguments.csv, lines)
    if lines:
        print_report(table(lines, arguments.networks), what="test accuracy, mean over seeds (lowest to highest)")


def measured(pieces: Pieces, name: str, network: str, seed: int, n_epochs: int) -> dict[str, Any] | None:
    """Return what one training came to; None where the time is over, or it failed, which is printed."""
    return line_of(run_of(pieces.folder, name, network, seed, n_epochs), pieces, name, network, seed)


def run_of(folder: Path, name: str, network: str, seed: int, n_epochs: int) -> RunFolder:
    """Return the run of a network on a set, created where there is none yet."""
    looks = network not in (*FITTED_AT_ONCE, *MIXED) and of_timemil(name) is not None
    recipe = RECIPES.get(network, Recipe(network))
    return run_of_recipe(folder, name, network, recipe, seed, n_epochs, looks_at_test=looks)


def line_of(run: RunFolder, pieces: Pieces, name: str, title: str, seed: int) -> dict[str, Any] | None:
    """Train where it is not done, and return what came out; None where the time is over, or it failed."""
    try:
        if run.status().state != "finished":
            if pieces.is_spent():
                return None
            execute(run, report=lambda line: None, should_stop=pieces.is_spent)
        if run.status().state != "finished":
            return None
    except TimeMILError as error:
        print(f"{name}, {title}, seed {seed}: {error}")
        return None
    facts, metrics = read_description(run.model_folder)["facts"], run.metrics()
    honest, best = float(facts["scores"]["test_accuracy"]), None
    if run.training.selection == "test":
        by_epoch = [float(line["validation_accuracy"]) for line in metrics]  # judged on the test part
        honest, best = by_epoch[-1], max(by_epoch)
    return {
        "set": name, "network": title, "seed": seed, "honest": honest, "best_test_epoch": best,
        "seconds": facts["seconds"], "epochs": len(metrics), "version": timemil_core.__version__,
    }  # fmt: skip


def run_of_recipe(
    folder: Path, name: str, title: str, recipe: Recipe, seed: int, n_epochs: int, *, looks_at_test: bool
) -> RunFolder:
    """Return a run on all training series; the test part is looked at after each epoch, or once at the end."""
    by_epochs = recipe.preset not in FITTED_AT_ONCE
    own = folder / "accuracy" / "-".join([name, title, *([str(n_epochs)] if by_epochs else []), "seed", str(seed)])
    if own.exists():
        return open_run(own)
    changes = dict(recipe.training)
    if by_epochs:
        selection = "test" if looks_at_test else "last"
        changes |= {"n_epochs": n_epochs, "with_supervised": False, "validation_share": 0.0, "selection": selection}
    training = training_preset(recipe.preset, seed=seed, **changes)
    return create_run(name, preset=recipe.preset, model_settings=recipe.model, training=training, folder=own)


def table(lines: Sequence[dict[str, Any]], networks: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row a set and one for the mean of all sets that every network has."""
    rows = []
    columns = [(network, protocol) for network in networks for protocol in ("honest", "best_test_epoch")]
    for name in dict.fromkeys(line["set"] for line in lines):
        row: dict[str, Any] = {"set": name}
        for network, protocol in columns:
            values = [
                line[protocol] for line in lines
                if (line["set"], line["network"]) == (name, network) and line[protocol] is not None
            ]  # fmt: skip
            if protocol == "best_test_epoch" and network in (*FITTED_AT_ONCE, *MIXED):
                continue
            row[_column(network, protocol)] = float(np.mean(values)) if values else float("nan")
        rows.append(row | {"paper": of_timemil(name) or float("nan")})
    numbers = {key: [row[key] for row in rows] for key in rows[0] if key != "set"}
    whole = [
        place
        for place in range(len(rows))
        if all(np.isfinite(numbers[key][place]) for key in numbers if key != "paper")
    ]
    mean = {
        key: float(np.mean([values[place] for place in whole])) if whole else float("nan")
        for key, values in numbers.items()
    }
    n_seeds = len({line["seed"] for line in lines})
    return [*rows, {"set": f"mean of {len(whole)} sets, {n_seeds} seeds", **mean}]


def _column(network: str, protocol: str) -> str:
    return network if protocol == "honest" else f"{network}, best test epoch"


def write_lines(target: Path, lines: Sequence[dict[str, Any]]) -> None:
    """Write a line a training as CSV, in one step."""
    with replacing_file(target) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(lines)


if __name__ == "__main__":
    main()
