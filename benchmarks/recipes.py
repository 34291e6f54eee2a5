"""Which training, which parts and which networks together? Chosen by cross-validation, several sets at once.

``python -m benchmarks.recipes`` never reads a test part: of each set's *training* part a third is held out (stratified,
another third for each split), a network is trained on the rest for all its epochs, and its last epoch says what the
held-out series are. The table has, for each recipe, the mean accuracy and the mean log-loss over sets and splits, and
the same for several networks as one (``A*0.25+B*0.75``: the mean of the members' logits). What is chosen here becomes a
preset; ``benchmarks.accuracy`` then shows it on the test parts.

Held-out logits are kept for each training, so that a rerun goes on and a new combination costs nothing.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from benchmarks import pieces as pieces_module
from benchmarks.pieces import OutOfTimeError, Pieces
from benchmarks.report import print_report
from timemil_core.data import catalogue
from timemil_core.models.at_once import asked_for, sizes_of
from timemil_core.models.building import FITTED_AT_ONCE, NETWORKS
from timemil_core.models.timemil import probabilities
from timemil_core.training.config import TrainingConfig, training_preset
from timemil_core.training.examples import make_examples
from timemil_core.training.loop import judge
from timemil_core.training.run_data import split_and_prepare
from timemil_core.training.trainer import Trainer

ONE_CYCLE: dict[str, Any] = {"schedule": "one-cycle", "learning_rate": 0.005, "masking_share": 0.1}
RECIPES: dict[str, tuple[str, dict[str, Any]]] = {
    "constant": ("default", {"schedule": "constant", "learning_rate": 1e-3, "masking_share": 0.5}),
    "one-cycle": ("default", ONE_CYCLE),
    "masking 0.5": ("default", {**ONE_CYCLE, "masking_share": 0.5}),
    "masking 0": ("default", {**ONE_CYCLE, "masking_share": 0.0}),
    "rate 0.002": ("default", {**ONE_CYCLE, "learning_rate": 0.002}),
    "rate 0.001": ("default", {**ONE_CYCLE, "learning_rate": 0.001}),
    "rate 0.002, masking 0": ("default", {**ONE_CYCLE, "learning_rate": 0.002, "masking_share": 0.0}),
    "rate 0.002, masking 0.5": ("default", {**ONE_CYCLE, "learning_rate": 0.002, "masking_share": 0.5}),
    "50 epochs": ("default", {**ONE_CYCLE, "n_epochs": 50}),
    "200 epochs": ("default", {**ONE_CYCLE, "n_epochs": 200}),
    "batch 8": ("default", {**ONE_CYCLE, "batch_size": 8}),
    "batch 32": ("default", {**ONE_CYCLE, "batch_size": 32}),
    "per series": ("default", {**ONE_CYCLE, "normalisation": "per-series"}),
    "no warm-up": ("default", {**ONE_CYCLE, "warm_up_epochs": 0}),
    "dropout 0.5": ("default", {**ONE_CYCLE, "dropout": 0.5}),
    "narrow kernels": ("default", {**ONE_CYCLE, "kernel_sizes": (5, 9, 19)}),
    "conjunctive": ("default", {**ONE_CYCLE, "pooling": "conjunctive"}),
    "mean, no encoding": ("default", {**ONE_CYCLE, "pooling": "mean", "positional_encoding": "none"}),
    "faithful": ("faithful", {}),
    "faithful, rate 0.002": ("faithful", {"learning_rate": 0.002}),
    "inception-time": ("inception-time", {}),
}
"""Preset, and what differs from it: one change at a time from ``one-cycle``."""
SETS = ("ERing", "RacketSports", "GunPoint", "TwoLeadECG", "CBF", "BasicMotions")
CHOSEN = ("constant", "one-cycle", "masking 0", "masking 0.5", "rate 0.002", "faithful", "minirocket")


@dataclass(frozen=True)
class HeldOut:
    """What a training says of the series that it was not shown."""

    labels: npt.NDArray[np.int64]
    logits: npt.NDArray[np.float64]
    seconds: float


def main() -> None:
    """Train what is not trained yet, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--recipes", nargs="+", default=list(CHOSEN), choices=(*RECIPES, *FITTED_AT_ONCE))
    parser.add_argument("--splits", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--seeds", type=int, default=1, help="networks of a recipe on each split, and all as one")
    parser.add_argument(
        "--together", nargs="*", default=[], metavar="A*0.25+B*0.75", help="recipes as one, and how much each counts"
    )
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces = Pieces(arguments.folder, arguments.minutes)
    torch.set_num_threads(1)
    found: dict[tuple[str, str, int], list[HeldOut]] = {}
    for split in arguments.splits:
        for seed in range(arguments.seeds):
            for recipe in arguments.recipes:
                for name in arguments.sets:
                    try:
                        asked = {"set": name, "recipe": recipe, "settings": _settings(recipe)}
                        one = pieces.kept(
                            f"recipe-{name}-{recipe.replace(' ', '-')}-{split}-{seed}",
                            {**asked, "split": split, "seed": seed},
                            partial(held_out, name, recipe, split, seed),
                        )
                    except OutOfTimeError:
                        continue
                    outcome = HeldOut(np.array(one["labels"]), np.array(one["logits"]), one["seconds"])
                    found.setdefault((recipe, name, split), []).append(outcome)
    print_report(
        [_row(recipe, [recipe], found, arguments) for recipe in arguments.recipes]
        + [_row(recipe, recipe.split("+"), found, arguments) for recipe in arguments.together],
        what="held-out part of the training series: accuracy a set, mean over splits; log-loss; seconds to train",
    )


def _settings(recipe: str) -> Any:
    preset, changes = RECIPES.get(recipe, (recipe, {}))
    return [preset, changes]


def held_out(name: str, recipe: str, split: int, seed: int) -> dict[str, Any]:
    """Train on two thirds of the training part and return what is said of the other."""
    preset, changes = RECIPES.get(recipe, (recipe, {}))
    of_training = {field.name for field in fields(TrainingConfig)}
    training = training_preset(
        preset, **{key: value for key, value in changes.items() if key in of_training}
        | {"seed": split, "validation_share": 1 / 3, "selection": "last", "with_supervised": False},
    )  # fmt: skip
    series_set = catalogue.load(name)
    data = split_and_prepare(series_set, training)
    training = replace(training, seed=1000 * seed + split)
    parts = [
        (data.preparation.transform([series_set.series[place] for place in places]), series_set.labels[places])
        for places in (data.fit, data.validation)
    ]
    (fit_series, fit_labels), (series, labels) = parts
    begun, cpu = time.perf_counter(), torch.device("cpu")
    judged = make_examples(series, labels, series_set.n_classes, cpu)
    if recipe in FITTED_AT_ONCE:
        fit = NETWORKS[recipe].fit
        assert fit is not None
        network = fit(fit_series, fit_labels, series_set.n_classes, training.seed, lambda done, of: None)
    else:
        settings = {key: value for key, value in changes.items() if key not in of_training}
        config = asked_for(preset, **sizes_of(series_set), **settings)
        trainer = Trainer(config, training, cpu)
        examples = make_examples(fit_series, fit_labels, series_set.n_classes, cpu)
        while not trainer.is_finished:
            trainer.run_epoch(examples, None)
        network = trainer.kept_network()
    seconds = time.perf_counter() - begun
    logits = judge(network, judged).logits
    accuracy = (logits.argmax(1).numpy() == labels).mean()
    print(f"{name}, {recipe}, split {split}, seed {seed}: {accuracy:.3f} in {seconds:.0f} s", flush=True)
    return {"labels": labels.tolist(), "logits": logits.tolist(), "seconds": seconds}


def _row(
    title: str, members: list[str], found: dict[tuple[str, str, int], list[HeldOut]], arguments: argparse.Namespace
) -> dict[str, Any]:
    row: dict[str, Any] = {"recipe": title}
    shares = [member.partition("*")[2] or "1" for member in members]
    members, weights = [member.partition("*")[0] for member in members], [float(share) for share in shares]
    accuracies, losses, seconds = [], [], 0.0
    for name in arguments.sets:
        hits, surprise = [], []
        for split in arguments.splits:
            every = [found.get((member, name, split), []) for member in members]
            if not all(every):
                continue
            # Each member's networks as one first: how much a member counts is not how many it has.
            logits = np.average(
                [np.mean([one.logits for one in own], axis=0) for own in every], axis=0, weights=weights
            )
            said = probabilities(torch.tensor(logits)).numpy()
            labels = every[0][0].labels
            hits.append(float((said.argmax(1) == labels).mean()))
            surprise.append(float(-np.log(np.clip(said[np.arange(len(labels)), labels], 1e-3, 1)).mean()))
            seconds += sum(one.seconds for own in every for one in own)
        row[name] = float(np.mean(hits)) if hits else float("nan")
        accuracies.append(row[name])
        losses.append(float(np.mean(surprise)) if surprise else float("nan"))
    return row | {"mean": float(np.mean(accuracies)), "log-loss": float(np.mean(losses)), "seconds": seconds}


if __name__ == "__main__":
    main()
