"""The paper's other networks under equal rules: ``python -m benchmarks.networks``.

Each network is trained on each set for the same number of epochs, on all training series, with the recipe of
`default`; the last epoch is scored on the test part, of which nothing was chosen. Each training is a process of its own
(``python -m timemil_core train``), so that its memory is its own. A row a network: its weights on the first set, test
accuracy a set (mean over seeds), seconds of an epoch and the largest resident size, means over the trainings; and
beside them what the paper prints of it for these sets, where it does (its best test epoch, as far as is known).

Finished cells are kept, so that a rerun goes on where one ended.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import pieces as pieces_module
from benchmarks.pieces import OutOfTimeError, Pieces
from benchmarks.report import print_report
from timemil_core.data.published import published
from timemil_core.models.at_once import title_of
from timemil_core.models.networks.listing import OTHERS
from timemil_core.models.storage import load_model, read_description

SETS = ("BasicMotions", "synthetic-distractor", "ERing", "RacketSports", "JapaneseVowels", "GunPoint")
TIMEMIL = ("default", "inception-time")


def main() -> None:
    """Train what is not trained yet, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--networks", nargs="+", default=[*TIMEMIL, *OTHERS], choices=(*TIMEMIL, *OTHERS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--epochs", type=int, default=30)
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces = Pieces(arguments.folder, arguments.minutes)
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for seed in arguments.seeds:
        for name in arguments.sets:
            for network in arguments.networks:
                asked = {"set": name, "network": network, "seed": seed, "epochs": arguments.epochs}
                try:
                    one = pieces.kept(f"networks/{name}-{network}-{seed}", asked, partial(trained, **asked))
                except OutOfTimeError:
                    continue
                found.setdefault((network, name), []).append(one)
    rows = [_row(network, arguments.sets, found) for network in arguments.networks]
    print_report(rows, what=f"test accuracy after {arguments.epochs} epochs, mean over seeds; in brackets the paper's")


def trained(**asked: Any) -> dict[str, Any]:
    """Train in a process of its own; return accuracy, weights, seconds of an epoch, and megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        command = [
            sys.executable, "-m", "timemil_core", "train", "--data", asked["set"], "--preset", asked["network"],
            "--seed", str(asked["seed"]), "--epochs", str(asked["epochs"]), "--out", str(run), "--no-supervised",
            "--quiet",
        ]  # fmt: skip
        child = os.posix_spawn(sys.executable, command, os.environ)
        _, status, usage = os.wait4(child, 0)
        if os.waitstatus_to_exitcode(status):
            told = f"{asked['network']} on {asked['set']} failed; log.txt of its run has why."
            print(told, flush=True)
            return {"failed": told}
        facts = read_description(run / "model")["facts"]
        n_weights = sum(weight.numel() for weight in load_model(run / "model").network.parameters())
    found = {
        "accuracy": facts["scores"]["test_accuracy"],
        "weights": n_weights,
        "seconds": facts["seconds"] / asked["epochs"],
        "megabytes": usage.ru_maxrss / 1000,
    }
    print(asked, found, flush=True)
    return found


def _row(network: str, sets: list[str], found: dict[tuple[str, str], list[dict[str, Any]]]) -> dict[str, Any]:
    all_of_it = [one for name in sets for one in found.get((network, name), []) if "accuracy" in one]
    first = [one["weights"] for one in found.get((network, sets[0]), []) if "accuracy" in one]
    row: dict[str, Any] = {"network": title_of(network), "weights": first[0] if first else None}
    printed = []
    for name in sets:
        of_set = [one["accuracy"] for one in found.get((network, name), []) if "accuracy" in one]
        own = [one.accuracy for one in published(name) if one.method == title_of(network)]
        printed += own
        cell = f"{np.mean(of_set):.3f}" if of_set else ""
        row[name] = f"{cell} ({own[0]:.3f})" if own else cell
    for key, digits in (("seconds", 2), ("megabytes", 0)):
        row[key] = round(float(np.mean([one[key] for one in all_of_it])), digits) if all_of_it else None
    return row


if __name__ == "__main__":
    main()
