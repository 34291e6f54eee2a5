"""How accurate is each network, under equal rules, on every set at hand? Two protocols, told apart.

``python -m benchmarks.accuracy`` trains what is not trained yet and prints a row a set: test accuracy as a mean over
seeds. What is finished is a line of ``--csv``, which is committed: a rerun goes on, on any machine.

- *honest*: nothing was chosen on the test part. All series are trained on, and the last epoch counts.
- *best test epoch*: of the same training the best epoch **on the test part**, as the authors' code chooses; too good,
  and only there to stand beside the paper's figures, where the paper has the set.

``constant`` is the preset ``default`` as it was before the recipe was chosen by ``benchmarks.recipes``. ``--together
default*0.25+minirocket*0.75`` adds several as one, all seeds of each averaged first: this is what the presets of
several networks do (``ensemble``, ``accurate``), which are not trained here. Networks that are fitted at once
(MiniRocket, nearest neighbours, …) have the honest protocol alone. ``authors-code`` is the authors' public code with
its own settings, for as many epochs: where it was not trained yet it wants ``--authors``, a checkout of
``xiwenc1/TimeMIL``. The paper's own column is as printed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks import authors_training
from benchmarks import pieces as pieces_module
from benchmarks.cells import MEASURABLE, Cell, Recipe, accuracy_of, as_one, on_test_part
from benchmarks.lines import RESULTS, Lines, digest
from benchmarks.pieces import OutOfTimeError, Pieces
from benchmarks.report import print_report
from timemil_core.data import catalogue
from timemil_core.data.published import of_timemil
from timemil_core.errors import TimeMILError
from timemil_core.models.building import FITTED_AT_ONCE

RECIPES = {"constant": Recipe("default", {"schedule": "constant", "learning_rate": 1e-3, "masking_share": 0.5})}
SETS = ("BasicMotions", "ERing", "GunPoint", "RacketSports", "ItalyPowerDemand", "NATOPS", "UWaveGestureLibrary")
NETWORKS = ("ed-1nn", "dtw-1nn-d", "minirocket", "multirocket-hydra", "constant", "default")
AUTHORS = "authors-code"
ASKED = ("set", "network", "seed", "epochs", "recipe")
FOUND = ("honest", "best_test_epoch", "seconds")
Found = dict[tuple[str, str], list[dict[str, float]]]


def main() -> None:
    """Train, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS), choices=(*MEASURABLE, *RECIPES, AUTHORS))
    parser.add_argument("--together", nargs="*", default=[], metavar="A*0.25+B*0.75", help="several as one")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--authors", type=Path, metavar="CHECKOUT", help="of xiwenc1/TimeMIL; needs einops")
    parser.add_argument(
        "--csv", type=Path, default=RESULTS / "accuracy.csv", help="a line a training (default: %(default)s)"
    )
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces, lines = Pieces(arguments.folder, arguments.minutes), Lines(arguments.csv, ASKED, FOUND)
    torch.set_num_threads(1)
    available = {entry.reference for entry in catalogue.entries() if entry.available}
    for name in set(arguments.sets) - available:
        print(f"{name} is not on this machine (TIMEMIL_DATA_DIR): only what is kept of it is shown.")
    found: Found = {}
    for seed in arguments.seeds:  # all networks of a seed first: cut off, the table is even
        for network in arguments.networks:
            for name in arguments.sets:
                if network == AUTHORS:
                    line = of_authors(lines, pieces, arguments.authors, name, seed, arguments.epochs)
                else:
                    line = training_of(name, network, seed, arguments.epochs).line(lines, pieces)
                if line is not None:
                    found.setdefault((name, network), []).append(line)
    for several in arguments.together:
        for name in arguments.sets:
            if (line := together(lines, pieces, name, several, arguments.seeds, arguments.epochs)) is not None:
                found[name, several] = [line]
    if found:
        rows = table(found, arguments.sets, (*arguments.networks, *arguments.together))
        print_report(rows, what=f"test accuracy, mean of up to {len(arguments.seeds)} seeds")


@dataclass(frozen=True)
class Training:
    """A recipe on the whole training part of a set; ``watched``: with its test accuracy after each epoch."""

    set: str
    network: str
    recipe: Recipe
    seed: int
    n_epochs: int
    watched: bool = False

    @property
    def asked(self) -> dict[str, Any]:
        """What its line is found by."""
        epochs = "" if self.recipe.preset in FITTED_AT_ONCE else self.n_epochs
        told = digest(self.recipe.told)
        return {"set": self.set, "network": self.network, "seed": self.seed, "epochs": epochs, "recipe": told}

    def line(self, lines: Lines, pieces: Pieces) -> dict[str, float] | None:
        """Return its scores, trained where they are not known; None where the time is over, or it failed."""
        return lines.kept(self.asked, lambda: None if (cell := self.cell(pieces)) is None else scores(cell))

    def cell(self, pieces: Pieces) -> Cell | None:
        """Return what it says of the test part, trained where that is not kept; a failure is printed."""
        epochs = {} if self.recipe.preset in FITTED_AT_ONCE else {"epochs": self.n_epochs}
        asked = {"set": self.set, "recipe": self.recipe.told, "seed": self.seed, "watched": self.watched, **epochs}

        def compute() -> dict[str, Any]:
            cell = on_test_part(catalogue.load(self.set), self.recipe, self.seed, self.n_epochs, watched=self.watched)
            print(
                f"{self.set}, {self.network}, seed {self.seed}: {cell.accuracy:.3f} in {cell.seconds:.0f} s", flush=True
            )
            return cell.to_json()

        try:
            return Cell(**pieces.kept(f"accuracy/{self.set}-{self.network}-{self.seed}", asked, compute))
        except OutOfTimeError:
            return None
        except TimeMILError as error:
            print(f"{self.set}, {self.network}, seed {self.seed}: {error}", flush=True)
            return None


def training_of(name: str, network: str, seed: int, n_epochs: int) -> Training:
    """Return the training of a network, watched where the paper has a figure of the set to stand beside."""
    watched = network not in FITTED_AT_ONCE and of_timemil(name) is not None
    return Training(name, network, RECIPES.get(network, Recipe(network)), seed, n_epochs, watched)


def scores(cell: Cell) -> dict[str, float | None]:
    """Return the columns of a line."""
    return {
        "honest": cell.accuracy, "best_test_epoch": max(cell.by_epoch, default=None), "seconds": round(cell.seconds, 1)
    }  # fmt: skip


def of_authors(
    lines: Lines, pieces: Pieces, checkout: Path | None, name: str, seed: int, n_epochs: int
) -> dict[str, float] | None:
    """Return the scores of the authors' code, trained where a checkout is given and they are not known."""
    asked = {"set": name, "network": AUTHORS, "seed": seed, "epochs": n_epochs, "recipe": "7542c1c"}  # their commit

    def compute() -> dict[str, float] | None:
        if checkout is None or pieces.is_spent():
            return None
        return authors_training.scores(checkout, name, seed, n_epochs)

    return lines.kept(asked, compute)


def together(
    lines: Lines, pieces: Pieces, name: str, several: str, seeds: Sequence[int], n_epochs: int
) -> dict[str, float] | None:
    """Return the scores of several networks as one, all seeds of each, trained where what they said is not kept."""
    members = [one.partition("*")[0] for one in several.split("+")]
    trainings = [training_of(name, network, seed, n_epochs) for network in members for seed in seeds]
    told = digest([training.asked["recipe"] for training in trainings])
    asked = {"set": name, "network": several, "seed": " ".join(map(str, seeds)), "epochs": n_epochs, "recipe": told}

    def compute() -> dict[str, float] | None:
        cells: dict[str, list[Cell]] = {}
        for training in trainings:
            if (cell := training.cell(pieces)) is None:
                return None
            cells.setdefault(training.network, []).append(cell)
        found = as_one(several, cells)
        assert found is not None
        return {"honest": accuracy_of(*found), "seconds": round(sum(cell.seconds for cell in found[0]), 1)}

    return lines.kept(asked, compute)


def table(found: Found, sets: Sequence[str], networks: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row a set, and one for the mean of all sets that every network has."""
    columns = {network: (network, "honest") for network in networks}
    watched = {network for (_, network), lines in found.items() for line in lines if "best_test_epoch" in line}
    columns |= {f"{one}, best test epoch": (one, "best_test_epoch") for one in networks if one in watched}
    rows: list[dict[str, Any]] = []
    for name in sets:
        if any((name, network) in found for network in networks):
            values = {title: mean(found.get((name, network), []), of) for title, (network, of) in columns.items()}
            rows.append({"set": name, **values, "paper": of_timemil(name) or float("nan")})
    whole = [row for row in rows if all(np.isfinite(row[key]) for key in networks)]
    if whole:
        keys = [key for key in whole[0] if key != "set"]
        means = {key: float(np.mean([row[key] for row in whole])) for key in keys}
        rows.append({"set": f"mean of {len(whole)} sets", **means})
    return rows


def mean(lines: Sequence[dict[str, float]], of: str) -> float:
    """Return a column's mean over the lines that have it; not a number where none has."""
    values = [line[of] for line in lines if of in line]
    return float(np.mean(values)) if values else float("nan")


if __name__ == "__main__":
    main()
