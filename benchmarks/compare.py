"""What are the maps of other classifiers worth? Scores, seconds, evidence level and, where the truth is known, AUROC.

``python -m benchmarks.compare`` fits each network on each set and seed (a rerun goes on), ranks the methods that apply
to it as the Trust page does, and holds the map that it opens on against the instance labels of the test part, beside
the same map of the same classifier without what it learned.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from benchmarks import pieces as pieces_module
from benchmarks.localisation import by_method, scores
from benchmarks.pieces import OutOfTimeError, Pieces
from benchmarks.report import print_report
from benchmarks.training import trained
from timemil_core.data import catalogue
from timemil_core.explain.baseline import untrained_copy
from timemil_core.explain.evaluation.held_out import spread_over_classes
from timemil_core.explain.evaluation.measuring import rank_methods
from timemil_core.models.at_once import TRAINABLE
from timemil_core.models.trained import TrainedModel

SETS = ("synthetic-pulse", "synthetic-distractor", "GunPoint", "BasicMotions")
NETWORKS = ("minirocket", "quant", "dtw-1nn-d", "multirocket-hydra")


def main() -> None:
    """Fit, rank, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS), choices=TRAINABLE)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--series", type=int, default=30, help="test series with a known truth (default: 30)")
    parser.add_argument("--rank-on", type=int, help="series for the ranking (default: four a class)")
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces = Pieces(arguments.folder, arguments.minutes)
    rows = []
    for name in arguments.sets:
        for network in arguments.networks:
            try:
                models = [trained(pieces, name, seed, arguments.epochs, network, network) for seed in arguments.seeds]
                maps = [
                    _maps(pieces, model, name, network, seed, arguments.series, arguments.rank_on)
                    for seed, model in zip(arguments.seeds, models, strict=True)
                ]
            except OutOfTimeError:
                print(f"{name}, {network}: the time is over; run again to go on.")
                continue
            rows.append(_row(name, network, [model.facts for model in models], maps))
    if rows:
        print_report(rows, what="test accuracy, seconds, level and AUROC of the map that a page opens on")


def _maps(
    pieces: Pieces, model: TrainedModel, name: str, network: str, seed: int, n_series: int, n_ranked: int | None
) -> dict[str, Any]:
    asked = {"model": model.fingerprint, "series": n_ranked, "scored": n_series}
    return pieces.kept(f"compare/{name}-{network}-{seed}", asked, lambda: _measured(model, name, n_series, n_ranked))


def _measured(model: TrainedModel, name: str, n_series: int, n_ranked: int | None) -> dict[str, Any]:
    whole = catalogue.load(name)
    opening = rank_methods(model, whole, n_series=n_ranked).opening
    found: dict[str, Any] = {"level": opening.standing.level, "method": opening.title, "auroc": None, "untrained": None}
    test = whole.part("test")
    known = [bool(truth.any() and not truth.all()) for truth in test.instance_labels or ()]
    marked = np.flatnonzero(np.array(known, dtype=np.bool_))
    if marked.size:
        chosen = test.subset(spread_over_classes(marked, test.labels[marked], n_series))
        without = untrained_copy(model, seed=0)
        for key, one in (("auroc", model), ("untrained", without)):
            found[key] = scores(chosen, by_method(one, chosen, opening.method, {}))["auroc"]
    return found


def _row(name: str, network: str, lines: list[dict[str, Any]], maps: list[dict[str, Any]]) -> dict[str, Any]:
    aurocs = [one["auroc"] for one in maps if one["auroc"] is not None]
    controls = [one["untrained"] for one in maps if one["untrained"] is not None]
    return {
        "set": name,
        "network": network,
        "seeds": len(lines),
        "accuracy": float(np.mean([line["scores"]["test_accuracy"] for line in lines])),
        "seconds": float(np.mean([line["seconds"] for line in lines])),
        "level": " ".join(one["level"] for one in maps),
        "opens on": " / ".join(dict.fromkeys(one["method"] for one in maps)),
        "AUROC": float(np.mean(aurocs)) if aurocs else "–",
        "lowest": min(aurocs) if aurocs else "–",
        "AUROC, nothing learned": float(np.mean(controls)) if controls else "–",
    }


if __name__ == "__main__":
    main()
