"""Does a training take as long as the Train page says beforehand? ``python -m benchmarks.foretelling``.

For each set and preset the time is foretold as the page does it, from two short epochs of a throw-away network. Then
``python -m timemil_core train`` is run and timed, process start and scoring of the test part included, the ranking of
methods not.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from benchmarks.report import print_report
from timemil_core.data import catalogue
from timemil_core.models.at_once import FitConfig, asked_for, sizes_of
from timemil_core.training.config import training_preset
from timemil_core.training.foretelling import seconds_per_epoch, whole_seconds


def main() -> None:
    """Foretell, train, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=["BasicMotions", "ItalyPowerDemand", "JapaneseVowels"])
    parser.add_argument("--presets", nargs="+", default=["default", "faithful"])
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1, help="of both (default: 1)")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    rows = [measured(name, preset, arguments) for name in arguments.sets for preset in arguments.presets]
    print_report(rows, what="seconds of a whole training, as told beforehand and as it was")


def measured(name: str, preset: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return a row: what was told, what it took, and the larger of both ratios."""
    series_set = catalogue.load(name)
    config = asked_for(preset, **sizes_of(series_set))
    if isinstance(config, FitConfig):
        raise SystemExit(f"{preset} is fitted at once, and no time is told.")
    training = training_preset(preset, n_epochs=arguments.epochs, with_supervised=False)
    told = whole_seconds(training, seconds_per_epoch(series_set, config, training))
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        subprocess.run(
            [
                sys.executable, "-m", "timemil_core", "train", "--data", name, "--preset", preset, "--epochs",
                str(arguments.epochs), "--no-supervised", "--quiet", "--out", str(Path(folder) / "run"),
            ],
            check=True,
            env={**os.environ, "TIMEMIL_RANK": "0", "OMP_NUM_THREADS": str(arguments.threads)},
        )  # fmt: skip
        took = time.monotonic() - begun
    return {"set": name, "preset": preset, "told": told, "took": took, "factor": max(told / took, took / told)}


if __name__ == "__main__":
    main()
