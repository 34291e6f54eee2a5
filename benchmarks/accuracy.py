"""How accurate is each network, under equal rules, on every set at hand? Two protocols, told apart.

``python -m benchmarks.accuracy`` trains what is not trained yet (finished cells are kept: a rerun goes on) and prints a
row a set: test accuracy as a mean over seeds.

- *honest*: nothing was chosen on the test part. All series are trained on, and the last epoch counts.
- *best test epoch*: of the same training the best epoch **on the test part**, as the authors' code chooses; too good,
  and only there to stand beside the paper's figures, where the paper has the set.

``constant`` is the preset ``default`` as it was before the recipe was chosen by ``benchmarks.recipes``. ``--together
default*0.25+minirocket*0.75`` adds several as one, all seeds of each averaged first: this is what the presets of
several networks do (``ensemble``, ``accurate``), which are not trained here. Networks that are fitted at once
(MiniRocket, nearest neighbours, …) have the honest protocol alone. The paper's own column is as printed. Every line
with its seconds goes to ``--csv``.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

import timemil_core
from benchmarks import pieces as pieces_module
from benchmarks.cells import MEASURABLE, Cell, Recipe, accuracy_of, as_one, on_test_part
from benchmarks.pieces import OutOfTimeError, Pieces
from benchmarks.report import print_report
from timemil_core.atomic import replacing_file
from timemil_core.data import catalogue
from timemil_core.data.published import of_timemil
from timemil_core.errors import TimeMILError
from timemil_core.models.building import FITTED_AT_ONCE

RECIPES = {"constant": Recipe("default", {"schedule": "constant", "learning_rate": 1e-3, "masking_share": 0.5})}
SETS = ("BasicMotions", "ERing", "GunPoint", "RacketSports", "ItalyPowerDemand", "NATOPS", "UWaveGestureLibrary")
NETWORKS = ("ed-1nn", "dtw-1nn-d", "minirocket", "multirocket-hydra", "constant", "default")
COLUMNS = ("set", "network", "seed", "honest", "best_test_epoch", "seconds", "epochs", "version")
Found = dict[tuple[str, str], list[Cell]]


def main() -> None:
    """Train, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS), choices=(*MEASURABLE, *RECIPES))
    parser.add_argument("--together", nargs="*", default=[], metavar="A*0.25+B*0.75", help="several as one")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--csv", type=Path, help="write a line a training")
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces = Pieces(arguments.folder, arguments.minutes)
    torch.set_num_threads(1)
    available = {entry.reference for entry in catalogue.entries() if entry.available}
    found: Found = {}
    lines: list[dict[str, Any]] = []
    for seed in arguments.seeds:  # all networks of a seed first: cut off, the table is even
        for network in arguments.networks:
            for name in arguments.sets:
                if name not in available:
                    print(f"{name} is not on this machine (TIMEMIL_DATA_DIR): left out.")
                elif (cell := measured(pieces, name, network, seed, arguments.epochs)) is not None:
                    found.setdefault((name, network), []).append(cell)
                    lines.append(_line(name, network, seed, cell, arguments.epochs))
    if arguments.csv is not None:
        write_lines(arguments.csv, lines)
    if lines:
        rows = table(found, arguments.sets, arguments.networks, arguments.together)
        print_report(rows, what=f"test accuracy, mean of up to {len(arguments.seeds)} seeds")


def measured(pieces: Pieces, name: str, network: str, seed: int, n_epochs: int) -> Cell | None:
    """Return what a network says of the test part; None where the time is over, or it failed, which is printed."""
    watched = network not in FITTED_AT_ONCE and of_timemil(name) is not None
    recipe = RECIPES.get(network, Recipe(network))
    return cell_of(pieces, name, network, recipe, seed, n_epochs, watched=watched)


def cell_of(
    pieces: Pieces, name: str, title: str, recipe: Recipe, seed: int, n_epochs: int, *, watched: bool
) -> Cell | None:
    """Train a recipe on a set where it is not done yet, and return what it says of the test part."""
    epochs = {} if recipe.preset in FITTED_AT_ONCE else {"epochs": n_epochs}
    asked = {"set": name, "recipe": recipe.told, "seed": seed, "watched": watched, **epochs}

    def compute() -> dict[str, Any]:
        cell = on_test_part(catalogue.load(name), recipe, seed, n_epochs, watched=watched)
        print(f"{name}, {title}, seed {seed}: {cell.accuracy:.3f} in {cell.seconds:.0f} s", flush=True)
        return cell.to_json()

    try:
        return Cell(**pieces.kept(f"accuracy/{name}-{title}-{seed}", asked, compute))
    except OutOfTimeError:
        return None
    except TimeMILError as error:
        print(f"{name}, {title}, seed {seed}: {error}", flush=True)
        return None


def _line(name: str, network: str, seed: int, cell: Cell, n_epochs: int) -> dict[str, Any]:
    return {
        "set": name, "network": network, "seed": seed, "honest": cell.accuracy,
        "best_test_epoch": max(cell.by_epoch, default=None), "seconds": round(cell.seconds, 1),
        "epochs": None if network in FITTED_AT_ONCE else n_epochs, "version": timemil_core.__version__,
    }  # fmt: skip


def table(
    found: Found, sets: Sequence[str], networks: Sequence[str], together: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return a row a set, and one for the mean of all sets that every network has."""
    columns = {network: partial(_mean, network) for network in networks}
    columns |= {f"{one}, best test epoch": partial(_best, one) for one in networks if _is_watched(found, one)}
    columns |= {several: partial(_as_one, several) for several in together}
    rows: list[dict[str, Any]] = []
    for name in sets:
        cells = {network: found[name, network] for network in networks if (name, network) in found}
        if cells:
            values = {title: column(cells) for title, column in columns.items()}
            rows.append({"set": name, **values, "paper": of_timemil(name) or float("nan")})
    whole = [row for row in rows if all(np.isfinite(row[key]) for key in (*networks, *together))]
    if whole:
        keys = [key for key in whole[0] if key != "set"]
        means = {key: float(np.mean([row[key] for row in whole])) for key in keys}
        rows.append({"set": f"mean of {len(whole)} sets", **means})
    return rows


def _is_watched(found: Found, network: str) -> bool:
    return any(cell.by_epoch for (_, one), cells in found.items() if one == network for cell in cells)


def _mean(network: str, cells: dict[str, list[Cell]]) -> float:
    return float(np.mean([cell.accuracy for cell in cells[network]])) if network in cells else float("nan")


def _best(network: str, cells: dict[str, list[Cell]]) -> float:
    best = [max(cell.by_epoch) for cell in cells.get(network, []) if cell.by_epoch]
    return float(np.mean(best)) if best else float("nan")


def _as_one(several: str, cells: dict[str, list[Cell]]) -> float:
    found = as_one(several, cells)
    return float("nan") if found is None else accuracy_of(*found)


def write_lines(target: Path, lines: Sequence[dict[str, Any]]) -> None:
    """Write a line a training as CSV, in one step."""
    with replacing_file(target) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(lines)


if __name__ == "__main__":
    main()
