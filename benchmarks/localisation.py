"""Do importance maps find the truth where it is known? All methods, with three controls beside each.

``python -m benchmarks.localisation`` trains one model a set and a seed (run folders, so that a rerun goes on), explains
the true class of a fixed choice of test series by every method with its default settings, and compares with the
instance labels: AUROC, average precision, NDCG@n, pointing game. Controls: the same method on the untrained network,
the signal's own size, and a random map. "opens on" is the method that ``rank_methods`` puts first on the model's
validation series, without a look at the truth or the test part.

WebTraffic is left out where ``TIMEMIL_DATA_DIR`` does not hold it; its class 0 has no pattern and is not scored.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks import pieces as pieces_module
from benchmarks.pieces import OutOfTimeError, Pieces
from benchmarks.report import print_report
from benchmarks.training import trained
from timemil_core.atomic import write_json
from timemil_core.data import catalogue
from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.baseline import signal_magnitude, untrained_copy
from timemil_core.explain.evaluation.held_out import spread_over_classes
from timemil_core.explain.evaluation.measuring import rank_methods
from timemil_core.explain.evaluation.ranking import FORMAT, Ranking
from timemil_core.explain.evaluation.scoring import prepared_series
from timemil_core.explain.evaluation.truth import ground_truth_scores
from timemil_core.explain.importance import explain, methods_for
from timemil_core.explain.labels import labels_for
from timemil_core.explain.methods.integrated_gradients import DEFAULT_BASELINE
from timemil_core.models.trained import TrainedModel

TRAINING: dict[str, dict[str, Any]] = {
    "synthetic-pulse": {"n_epochs": 40},
    "synthetic-distractor": {"n_epochs": 25},
    "WebTraffic": {  # learned by heart otherwise: 400 series to train on
        "n_epochs": 80,
        "pooling": "conjunctive",
        "masking_share": 0.0,
        "circular_shift": True,
        "schedule": "one-cycle",
        "learning_rate": 3e-3,
        "lookahead_steps": 0,
        "batch_size": 8,
    },
}
SCORES = ("auroc", "average_precision", "ndcg", "pointing_game")
COLUMNS = {"auroc": "AUROC", "average_precision": "AP", "ndcg": "NDCG@n", "pointing_game": "pointing"}
NAMED_SETTINGS: dict[str, dict[str, Any]] = {"integrated-gradients": {"baseline": DEFAULT_BASELINE}}
"""Defaults that are part of a piece's name: what was measured with another one is measured again."""
AS_WELL = 0.02  # an untrained control that falls short by less than this scores as well
Map = npt.NDArray[np.float64]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(TRAINING), choices=list(TRAINING))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--series", type=int, default=30, help="at most so many test series of each set (default: 30)")
    parser.add_argument("--rank-on", type=int, help="series for the ranking (default: four a class)")
    parser.add_argument("--methods", nargs="+", metavar="METHOD", help="these alone (default: all)")
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces = Pieces(arguments.folder, arguments.minutes)
    available = {entry.reference for entry in catalogue.entries() if entry.available}
    rows: list[dict[str, Any]] = []
    for name in arguments.sets:
        if name not in available:
            print(f"{name} is not on this machine (TIMEMIL_DATA_DIR): left out.")
            continue
        found = []
        for seed in arguments.seeds:
            try:
                found.append(measure(pieces, name, seed, arguments.series, arguments.rank_on, arguments.methods))
            except OutOfTimeError:
                print(f"{name}, seed {seed}: the time is over; run again to go on.")
        rows += table(name, found) if found else []
    if rows:
        write_json(arguments.folder / "localisation.json", rows)
        shown = [{key: value for key, value in row.items() if key != "classes"} for row in rows]
        print_report(shown, what="scores against instance labels, mean over series and seeds (lowest seed)")


def measure(
    pieces: Pieces, name: str, seed: int, n_series: int, n_ranked: int | None, only: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return what one seed of one set gave: accuracy, what a page opens on, and scores by map, all as JSON values."""
    model = trained(pieces, name, seed, **TRAINING[name])
    whole = catalogue.load(name)
    series_set = whole.part("test")
    labelled = np.array([truth.any() and not truth.all() for truth in series_set.instance_labels or ()])
    scored = np.flatnonzero(labelled)
    chosen = series_set.subset(spread_over_classes(scored, series_set.labels[scored], n_series))
    key = {"model": model.fingerprint, "data": chosen.fingerprint}
    known = f"{name}-seed-{seed}"
    ranking = pieces.kept(
        f"rankings/{known}",
        {"model": model.fingerprint, "series": n_ranked, "format": FORMAT},
        lambda: rank_methods(model, whole, n_series=n_ranked).to_json(),
    )
    opening = Ranking.from_json(ranking).opening.method
    untrained = untrained_copy(model, seed)
    maps: dict[str, dict[str, Any]] = {}
    for label, method, settings in _maps(model):
        if only is not None and method not in only:
            continue
        asked = {**key, "method": method, "settings": settings}
        maps[label] = pieces.kept(
            f"scores/{known}-{label.replace(' ', '-')}",
            asked,
            partial(_with_and_without_training, model, untrained, chosen, method, settings),
        )
    maps["size of the signal"] = {
        "trained": scores(chosen, lambda index: signal_magnitude(prepared_series(model, chosen.series[index])))
    }
    generator = np.random.default_rng(seed)
    maps["random"] = {"trained": scores(chosen, lambda index: generator.random(chosen.lengths[index]))}
    if opening in maps:
        maps["opens on"] = maps[opening]
    return {
        "seed": seed,
        "accuracy": model.facts["scores"]["test_accuracy"],
        "n_series": len(chosen),
        "opens on": opening,
        "maps": maps,
    }


def _with_and_without_training(
    model: TrainedModel, untrained: TrainedModel, chosen: SeriesSet, method: str, settings: dict[str, Any]
) -> dict[str, dict[str, Any]]:
    return {
        "trained": scores(chosen, by_method(model, chosen, method, settings)),
        "untrained": scores(chosen, by_method(untrained, chosen, method, settings)),
    }


def by_method(model: TrainedModel, chosen: SeriesSet, method: str, settings: dict[str, Any]) -> Callable[[int], Map]:
    """Return a function from a series' index to its map, for its true class."""
    labels = labels_for(model, chosen)
    return lambda index: explain(model, chosen.series[index], method, int(labels[index]), **settings).values


def scores(chosen: SeriesSet, map_of: Callable[[int], Map]) -> dict[str, Any]:
    """Return the mean of each score over the series, and over those of each class."""
    found = []
    for index, truth in enumerate(chosen.instance_labels or ()):
        one = ground_truth_scores(map_of(index), truth)
        assert one is not None
        found.append([float(getattr(one, name)) for name in SCORES])
    rows = np.array(found)
    classes = {
        str(chosen.class_names[label]): _named(rows[chosen.labels == label]) for label in np.unique(chosen.labels)
    }
    return {**_named(rows), "classes": classes}


def table(name: str, found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row a map: means over seeds, the lowest seed's AUROC, and the untrained network's."""
    opened = " / ".join(dict.fromkeys(one["opens on"] for one in found))
    accuracy = float(np.mean([one["accuracy"] for one in found]))
    about = {"set": name, "seeds": len(found), "series": found[0]["n_series"], "accuracy": round(accuracy, 3)}
    rows = []
    for label in [label for label in found[0]["maps"] if all(label in one["maps"] for one in found)]:
        own = [one["maps"][label]["trained"] for one in found]
        row = {**about, "map": f"opens on: {opened}" if label == "opens on" else label}
        row |= {COLUMNS[score]: float(np.mean([one[score] for one in own])) for score in SCORES}
        row["lowest AUROC"] = min(one["auroc"] for one in own)
        row["lowest NDCG@n"] = min(one["ndcg"] for one in own)
        controls = [one["maps"][label].get("untrained") for one in found]
        row |= {f"{COLUMNS[score]} untrained": _mean(controls, score) for score in ("auroc", "ndcg")}
        row["note"] = _note(own, controls)
        row["classes"] = [one["classes"] for one in own]
        rows.append(row)
    return rows


def _maps(model: TrainedModel) -> list[tuple[str, str, dict[str, Any]]]:
    maps: list[tuple[str, str, dict[str, Any]]] = [
        (method.key, method.key, NAMED_SETTINGS.get(method.key, {})) for method in methods_for(model)
    ]
    if any(label == "attention" for label, _, _ in maps):
        maps.insert(0, ("attention layer 1", "attention", {"layer": 0}))
        maps = [one for one in maps if one[0] != "pooling"]  # the same as the last layer's attention
    return maps


def _named(rows: npt.NDArray[np.float64]) -> dict[str, float]:
    return dict(zip(SCORES, rows.mean(axis=0).tolist(), strict=True))


def _mean(controls: Sequence[dict[str, float] | None], score: str) -> float | str:
    known = [one[score] for one in controls if one is not None]
    return float(np.mean(known)) if known else "–"


def _note(own: Sequence[dict[str, float]], controls: Sequence[dict[str, float] | None]) -> str:
    untrained = _mean(controls, "auroc")
    if isinstance(untrained, str):
        return "control"
    trained_mean = float(np.mean([one["auroc"] for one in own]))
    return "untrained scores as well: explains the data" if untrained > trained_mean - AS_WELL else ""


if __name__ == "__main__":
    main()
