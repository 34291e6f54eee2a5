"""Which training, which parts and which networks together? Chosen by cross-validation, several sets at once.

``python -m benchmarks.recipes`` never reads a test part: of each set's *training* part a third (or ``--share``) is held
out (stratified, another for each split), a network is trained on the rest for all its epochs, and its last epoch says
what the held-out series are. The table has, for each recipe, the mean accuracy and the mean log-loss over sets and
splits, and the same for several networks as one (``A*0.25+B*0.75``: the mean of their logits). What is chosen here is a
preset; ``benchmarks.accuracy`` then shows it on the test parts.

Held-out logits are kept for each training, so that a rerun goes on and a new combination costs nothing.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch

from benchmarks import pieces as pieces_module
from benchmarks.cells import MEASURABLE, Cell, Recipe, accuracy_of, as_one, log_loss_of, trained
from benchmarks.pieces import OutOfTimeError, Pieces
from benchmarks.report import print_report
from timemil_core.data import catalogue
from timemil_core.training.run_data import split_and_prepare

RECIPES: dict[str, tuple[str, dict[str, Any]]] = {
    "constant": ("default", {"schedule": "constant", "learning_rate": 1e-3, "masking_share": 0.5}),
    "rate 0.005": ("default", {"learning_rate": 0.005}),
    "rate 0.001": ("default", {"learning_rate": 0.001}),
    "masking 0": ("default", {"masking_share": 0.0}),
    "masking 0.5": ("default", {"masking_share": 0.5}),
    "50 epochs": ("default", {"n_epochs": 50}),
    "200 epochs": ("default", {"n_epochs": 200}),
    "batch 8": ("default", {"batch_size": 8}),
    "batch 32": ("default", {"batch_size": 32}),
    "per series": ("default", {"normalisation": "per-series"}),
    "no warm-up": ("default", {"warm_up_epochs": 0}),
    "no lookahead": ("default", {"lookahead_steps": 0}),
    "dropout 0.5": ("default", {"dropout": 0.5}),
    "narrow kernels": ("default", {"kernel_sizes": (5, 9, 19)}),
    "conjunctive": ("default", {"pooling": "conjunctive"}),
    "mean, no encoding": ("default", {"pooling": "mean", "positional_encoding": "none"}),
    "faithful, three modules": ("faithful", {"n_modules": 3}),
    "faithful, six modules, two views": ("faithful", {"n_modules": 6, "views": (1, 4)}),
    "faithful, two views": ("faithful", {"views": (1, 4)}),
    "faithful, views 1, 2, 4": ("faithful", {"views": (1, 2, 4)}),
    "faithful, whole series alone": ("faithful", {"marked_alone": False}),
    "faithful, whole series alone, rate 0.002": ("faithful", {"marked_alone": False, "learning_rate": 0.002}),
}
"""Preset, and what differs from it: one change at a time from ``default``. Every network has its own name too."""
SETS = ("ERing", "RacketSports", "GunPoint", "TwoLeadECG", "CBF", "BasicMotions")
CHOSEN = ("constant", "default", "rate 0.005", "masking 0", "masking 0.5", "faithful", "minirocket")


def main() -> None:
    """Train what is not trained yet, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--recipes", nargs="+", default=list(CHOSEN), choices=(*RECIPES, *MEASURABLE))
    parser.add_argument("--splits", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--share", type=float, default=1 / 3, help="of the training series are held out (a third)")
    parser.add_argument("--seeds", type=int, default=1, help="networks of a recipe on each split, and all as one")
    parser.add_argument(
        "--together", nargs="*", default=[], metavar="A*0.25+B*0.75", help="recipes as one, and how much each counts"
    )
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces = Pieces(arguments.folder, arguments.minutes)
    torch.set_num_threads(1)
    found: dict[tuple[str, str, int], list[Cell]] = {}
    for split in arguments.splits:
        for seed in range(arguments.seeds):
            for recipe in arguments.recipes:
                for name in arguments.sets:
                    try:
                        asked = {"set": name, "recipe": recipe, "settings": _recipe(recipe).told}
                        one = pieces.kept(
                            f"recipe-{name}-{recipe.replace(' ', '-')}-{split}-{seed}",
                            {**asked, "split": split, "seed": seed, "share": arguments.share},
                            partial(held_out, name, recipe, split, seed, arguments.share),
                        )
                    except OutOfTimeError:
                        continue
                    found.setdefault((recipe, name, split), []).append(Cell(**one))
    print_report(
        [_row(recipe, found, arguments) for recipe in (*arguments.recipes, *arguments.together)],
        what="held-out part of the training series: accuracy a set, mean over splits; log-loss; seconds to train",
    )


def _recipe(name: str) -> Recipe:
    return Recipe(*RECIPES.get(name, (name, {})))


def held_out(name: str, recipe: str, split: int, seed: int, share: float) -> dict[str, Any]:
    """Train on a part of the training part and return what is said of the rest of it."""
    series_set, own = catalogue.load(name), _recipe(recipe)
    training = own.training(seed=split, validation_share=share)
    data = split_and_prepare(series_set, training)
    training = replace(training, seed=1000 * seed + split)
    cell = trained(series_set, own, training, data.preparation, data.fit, data.validation)
    print(f"{name}, {recipe}, split {split}, seed {seed}: {cell.accuracy:.3f} in {cell.seconds:.0f} s", flush=True)
    return cell.to_json()


def _row(title: str, found: dict[tuple[str, str, int], list[Cell]], arguments: argparse.Namespace) -> dict[str, Any]:
    row: dict[str, Any] = {"recipe": title}
    losses, seconds = [], 0.0
    for name in arguments.sets:
        hits, surprise = [], []
        for split in arguments.splits:
            cells = {one: kept for (one, *where), kept in found.items() if where == [name, split]}
            if (networks := as_one(title, cells)) is None:
                continue
            hits.append(accuracy_of(*networks))
            surprise.append(log_loss_of(*networks))
            seconds += sum(cell.seconds for cell in networks[0])
        row[name] = float(np.mean(hits)) if hits else float("nan")
        losses.append(float(np.mean(surprise)) if surprise else float("nan"))
    mean = float(np.mean([row[name] for name in arguments.sets]))
    return row | {"mean": mean, "log-loss": float(np.mean(losses)), "seconds": seconds}


if __name__ == "__main__":
    main()
