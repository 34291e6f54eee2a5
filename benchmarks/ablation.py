"""Does each part of TimeMIL help? The paper's Table 3 again: ``python -m benchmarks.ablation``.

Each pooling and each positional encoding, one change at a time from the preset ``default``, under one recipe: all
training series, the last epoch, nothing chosen on the test part. As in the paper the simple poolings have no
encoding in the upper half of the table. Mean test accuracy over seeds a set, its mean over sets, how often a
variant is behind ``default`` on a set, and the paper's mean (over other sets, its best test epoch). What is finished
is a line of ``--csv``, which is committed: a rerun goes on, on any machine.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks import pieces as pieces_module
from benchmarks.accuracy import ASKED, FOUND, Training, mean
from benchmarks.cells import Recipe
from benchmarks.lines import RESULTS, Lines
from benchmarks.pieces import Pieces
from benchmarks.report import print_report

SETS = (
    "ERing", "BasicMotions", "RacketSports", "GunPoint", "TwoLeadECG", "CBF", "ItalyPowerDemand", "Chinatown", "Coffee",
)  # fmt: skip
VARIANTS: dict[tuple[str, str], float] = {
    ("mean", "none"): 0.715,
    ("max", "none"): 0.719,
    ("attention", "none"): 0.739,
    ("conjunctive", "none"): 0.746,
    ("attention", "sinusoidal"): 0.741,
    ("attention", "wavelet"): 0.745,
    ("time-aware", "none"): 0.761,
    ("time-aware", "sinusoidal"): 0.763,
    ("time-aware", "wavelet"): 0.774,
}
"""Pooling and encoding, and the mean accuracy that the paper prints of them."""
WHOLE = ("time-aware", "wavelet")
SAME = 0.0005  # what three digits cannot tell apart


def main() -> None:
    """Train what is not trained yet, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--epochs", type=int, default=50)
    parser.add_argument("--csv", type=Path, default=RESULTS / "ablation.csv", help="a line a training")
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces, lines = Pieces(arguments.folder, arguments.minutes), Lines(arguments.csv, ASKED, FOUND)
    torch.set_num_threads(1)
    found: dict[tuple[tuple[str, str], str], list[dict[str, float]]] = {}
    for seed in arguments.seeds:
        for name in arguments.sets:
            for variant in VARIANTS:
                recipe = Recipe("default", dict(zip(("pooling", "positional_encoding"), variant, strict=True)))
                training = Training(name, "-".join(variant), recipe, seed, arguments.epochs)
                if (line := training.line(lines, pieces)) is not None:
                    found.setdefault((variant, name), []).append(line)
    rows = [_row(variant, arguments.sets, found) for variant in VARIANTS]
    print_report(
        rows, what=f"test accuracy after {arguments.epochs} epochs, mean of up to {len(arguments.seeds)} seeds"
    )


def _row(
    variant: tuple[str, str], sets: list[str], found: dict[tuple[tuple[str, str], str], list[dict[str, float]]]
) -> dict[str, Any]:
    own, whole = ({name: mean(found.get((one, name), []), "honest") for name in sets} for one in (variant, WHOLE))
    row: dict[str, Any] = dict(zip(("pooling", "encoding"), variant, strict=True)) | own
    behind, ahead = (sum(sign * (own[name] - whole[name]) > SAME for name in sets) for sign in (-1, 1))
    return row | {
        "mean": float(np.mean(list(own.values()))),
        "sets behind the whole": behind,
        "ahead": ahead,
        "paper": VARIANTS[variant],
    }


if __name__ == "__main__":
    main()
