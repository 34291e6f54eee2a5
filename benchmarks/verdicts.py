"""What a verdict says of true maps, of every method's, and of maps that mean nothing; beside the former rule.

``python -m benchmarks.verdicts [MODEL …]`` measures shipped models on the series that a ranking is measured on. Each
map is held against itself at other places and against the other series' maps. "former" is the rule before: the share of
series on which the map beats 19 of 20 places by deletion with both fillers. "single" is the share of series with
p ≤ .05 alone. "strong" and "mixed" are shares of draws: eight of the series (all, where there are no more), of random
maps another each time, of which each draw is judged as a method is. ``--seeds`` measures several times, with other
places, noise and assignments.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks import pieces as pieces_module
from benchmarks.pieces import OutOfTimeError, Pieces
from benchmarks.report import print_report
from timemil_core.atomic import write_json
from timemil_core.commands.predict import open_named_model
from timemil_core.data import catalogue
from timemil_core.explain.evaluation.controls import CONTROLS
from timemil_core.explain.evaluation.measuring import GREEDY, N_PLACES, Measurement, series_to_rank_on
from timemil_core.explain.evaluation.ranking import FORMAT
from timemil_core.explain.evaluation.standing import LEVELS, Outcome, standing_of
from timemil_core.explain.evaluation.verdict import SIGNIFICANT, STRONG, SeriesVerdict
from timemil_core.explain.importance import methods_for

MODELS = ["synthetic-pulse", "synthetic-distractor", "gunpoint", "basicmotions", "japanesevowels", "italypowerdemand"]
TRUTH = "truth"
VARIANTS = {"random smooth": 4, "random spikes": 4}  # maps a series; the others are one
OF_A_DRAW, N_DRAWS = 8, 200
FORMER_PLACES = 20


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=MODELS, metavar="MODEL")
    parser.add_argument("--series", type=int, help="at most so many of each model (default: as a ranking takes)")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0], help="of the test itself (default: 0)")
    parser.add_argument("--maps", nargs="+", metavar="MAP", help="these alone: truth, a method, or a control")
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces = Pieces(arguments.folder, arguments.minutes)
    rows: list[dict[str, Any]] = []
    try:
        for name in arguments.models:
            for seed in arguments.seeds:
                rows += measure(pieces, name, arguments.series, seed, arguments.maps)
    except OutOfTimeError:
        print("The time is over; run again to go on.")
    if rows:
        write_json(arguments.folder / "verdicts.json", rows)
        print_report(rows, what="verdicts: shares of series (former, single) and of draws (strong, mixed)")


def measure(
    pieces: Pieces, name: str, n_series: int | None, seed: int, only: Sequence[str] | None
) -> list[dict[str, Any]]:
    """Return a row a map of one model, by one seed of the test."""
    model = open_named_model(name)
    series_set = catalogue.load(str(model.facts["data"]))
    indices, _ = series_to_rank_on(model, series_set, n_series)
    predicted = model.predict([series_set.series[index] for index in indices]).labels
    methods = [
        method for method in methods_for(model) if method.key != "pooling" and (only is None or method.key in only)
    ]
    work = Measurement(model, series_set, indices, predicted, methods, None, seed)
    key = {"model": model.fingerprint, "data": series_set.fingerprint, "series": indices.tolist(), "seed": seed,
           "format": FORMAT, "methods": [method.key for method in methods]}  # fmt: skip
    slug = f"{name.replace('/', '-')}-{seed}"
    found = [
        pieces.kept(f"verdicts/{slug}-maps-{place}", {**key, "place": place}, partial(_maps, work, place))
        for place in range(len(indices))
    ]
    rows, attainable = [], [0.0] * len(indices)
    wanted = [GREEDY, *(one for one in found[0] if one != GREEDY)]
    for label in wanted:
        if only is not None and label not in (*only, GREEDY) and label.partition(" #")[0] not in only:
            continue
        measured = pieces.kept(
            f"verdicts/{slug}-{label.replace(' ', '-')}", {**key, "map": label},
            partial(_measured, work, [one.get(label) for one in found], attainable),
        )  # fmt: skip
        if label == GREEDY:
            attainable = [one["outcome"]["excess"] for one in measured]
        rows.append((label, [one for one in measured if one is not None]))
    return [{"model": name, "seed": seed, **row} for row in _summed(rows, seed)]


def _maps(work: Measurement, place: int) -> dict[str, Any]:
    index = int(work.indices[place])
    maps = dict(work.maps(place, lambda done, of: None)["maps"])
    labels = work.series_set.instance_labels
    n_timepoints = int(work.series_set.lengths[index])
    if labels is not None and labels[index].any() and not labels[index].all():
        maps[TRUTH] = labels[index].astype(float).tolist()
    for kind, (name, control) in enumerate(CONTROLS.items()):
        for variant in range(VARIANTS.get(name, 1)):
            generator = np.random.default_rng([kind, variant, index])
            maps[f"{name} #{variant}" if name in VARIANTS else name] = control(n_timepoints, generator).tolist()
    return maps


def _measured(work: Measurement, maps: list[Any], attainable: list[float]) -> list[Any]:
    have = [place for place, one in enumerate(maps) if one is not None]
    # Series without this map (no known truth) count for nothing: the others' maps alone are swapped.
    given = [np.array(maps[place]) for place in have]
    some = Measurement(work.model, work.series_set, work.indices[have], work.predicted[have], work.methods,
                       work.fillers, work.seed)  # fmt: skip
    found: list[Any] = []
    for place in range(len(have)):
        removals = some.removals_at(place, 1 + N_PLACES + len(have))
        outcome, verdict = some.outcome(place, removals, given, attainable[have[place]])
        found.append({"outcome": asdict(outcome), "chance": verdict.chance, "former": former(verdict)})
    return found


def former(verdict: SeriesVerdict) -> bool:
    """Tell whether the former rule called a map evidence: by deletion with both fillers it beats 19 of 20 places."""
    curves = verdict.curves
    return all(
        float((row[0] > row[1 : 1 + FORMER_PLACES]).mean()) >= STRONG and row[0] > 0
        for cell, row in zip(curves.cells, curves.changes, strict=True)
        if cell.direction == "deletion"
    )


def _summed(rows: list[tuple[str, list[Any]]], seed: int) -> list[dict[str, Any]]:
    # Variants of one control become one row, from which each draw takes one.
    labels = list(dict.fromkeys(label.partition(" #")[0] for label, _ in rows))
    summed = []
    for label in labels:
        variants = [found for name, found in rows if name.partition(" #")[0] == label and found]
        if not variants:
            continue
        series = [one for found in variants for one in found]
        outcomes = [[Outcome(**one["outcome"]) for one in found] for found in variants]
        whole = standing_of(outcomes[0], None, seed)
        levels = drawn_levels(outcomes, seed)
        row: dict[str, Any] = {
            "map": label,
            "series": len(variants[0]),
            "former": float(np.mean([one["former"] for one in series])),
            "single": float(np.mean([one["chance"] <= SIGNIFICANT for one in series])),
            "mean rank": whole.mean_rank,
            "p": whole.chance,
            "p swapped": whole.swap_chance,
            "of logit": whole.of_logit,
            "of attainable": whole.of_attainable,
            "level": whole.level,
        }
        summed.append(row | {level: float(np.mean([one == level for one in levels])) for level in LEVELS[:2]})
    return summed


def drawn_levels(variants: Sequence[Sequence[Outcome]], seed: int) -> list[str]:
    """Return the level of each of 200 draws of eight series, each by one of the variants of a map."""
    generator = np.random.default_rng(seed)
    n_series = len(variants[0])
    levels: list[str] = []
    for draw in range(N_DRAWS):
        outcomes = variants[int(generator.integers(len(variants)))]
        rows = np.sort(generator.permutation(n_series)[:OF_A_DRAW])
        levels.append(standing_of([_among(outcomes[row], rows) for row in rows.tolist()], None, seed + draw).level)
    return levels


def _among(outcome: Outcome, rows: npt.NDArray[np.intp]) -> Outcome:
    return Outcome(**{**asdict(outcome), "swapped": tuple(np.array(outcome.swapped)[rows].tolist())})


if __name__ == "__main__":
    main()
