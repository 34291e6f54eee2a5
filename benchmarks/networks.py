"""The paper's other networks under equal rules: ``python -m benchmarks.networks``.

Each network is trained on each set for the same number of epochs, on all training series, with the recipe of
`default`; the last epoch is scored on the test part, of which nothing was chosen. Each training is a process of its own
(``python -m timemil_core train``), so that its memory is its own. A row a network: its weights on the first set, test
accuracy a set (mean over seeds) and its deviation, seconds of an epoch and the largest resident size, means over the
trainings; and beside them what the paper prints of it for these sets, where it does (its best test epoch, as far as is
known).

What is finished is a line of ``--csv``, which is committed: a rerun goes on, on any machine.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy import mean
from benchmarks.cells import Recipe
from benchmarks.lines import RESULTS, Lines, digest
from benchmarks.report import print_report
from timemil_core.data.published import published
from timemil_core.models.at_once import title_of
from timemil_core.models.networks.listing import OTHERS
from timemil_core.models.storage import load_model, read_description

SETS = ("BasicMotions", "synthetic-distractor", "ERing", "RacketSports", "JapaneseVowels", "GunPoint")
TIMEMIL = ("default", "inception-time")
ASKED = ("set", "network", "seed", "epochs", "recipe")
FOUND = ("accuracy", "weights", "seconds", "megabytes")


def main() -> None:
    """Train what is not trained yet, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--networks", nargs="+", default=[*TIMEMIL, *OTHERS], choices=(*TIMEMIL, *OTHERS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--csv", type=Path, default=RESULTS / "networks.csv", help="a line a training")
    parser.add_argument(
        "--minutes", type=float, default=1e6, help="begin no training after so long; run again to go on"
    )
    arguments = parser.parse_args()
    lines, end = Lines(arguments.csv, ASKED, FOUND), time.monotonic() + 60 * arguments.minutes
    found: dict[tuple[str, str], list[dict[str, float]]] = {}
    for seed in arguments.seeds:
        for name in arguments.sets:
            for network in arguments.networks:
                asked = {"set": name, "network": network, "seed": seed, "epochs": arguments.epochs}
                asked["recipe"] = digest(Recipe(network).told)
                line = lines.kept(asked, partial(trained, asked, end))
                if line is not None:
                    found.setdefault((network, name), []).append(line)
    rows = [_row(network, arguments.sets, found) for network in arguments.networks]
    print_report(rows, what=f"test accuracy after {arguments.epochs} epochs, mean over seeds; in brackets the paper's")


def trained(asked: dict[str, Any], end: float) -> dict[str, float] | None:
    """Train in a process of its own; return accuracy, weights, seconds of an epoch, and megabytes.

    None where it failed, which is printed, or where the monotonic clock is past ``end``.
    """
    if time.monotonic() > end:
        return None
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
            print(f"{asked['network']} on {asked['set']} failed; log.txt of its run has why.", flush=True)
            return None
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


def _row(network: str, sets: list[str], found: dict[tuple[str, str], list[dict[str, float]]]) -> dict[str, Any]:
    of_set = {name: found.get((network, name), []) for name in sets}
    everything = [line for lines in of_set.values() for line in lines]
    weights = mean(of_set[sets[0]], "weights")
    row: dict[str, Any] = {"network": title_of(network), "weights": f"{weights:,.0f}"}
    for name, lines in of_set.items():
        own = [one.accuracy for one in published(name) if one.method == title_of(network)]
        row[name] = f"{mean(lines, 'accuracy'):.3f}" + (f" ({own[0]:.3f})" if own else "")
    row["mean"] = f"{np.mean([mean(lines, 'accuracy') for lines in of_set.values()]):.3f}"
    spreads = [np.std([line["accuracy"] for line in lines], ddof=1) for lines in of_set.values() if len(lines) > 1]
    row["deviation over seeds"] = f"{np.mean(spreads):.3f}" if spreads else ""
    return row | {key: round(mean(everything, key), 2) for key in ("seconds", "megabytes")}


if __name__ == "__main__":
    main()
