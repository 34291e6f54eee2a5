"""What the box above a picture says, how often, by method; and how often it calls a map evidence that means nothing.

``python -m benchmarks.verdicts [MODEL …]`` draws every method's map of test series of the shipped models of
BasicMotions, JapaneseVowels and GunPoint (or any others), for the predicted class, and asks ``removal_verdict``, as the
pages, the report and the command line do, with its default fillers. "random" is the control: ten random smooth maps a
series. A map that means nothing beats 19 of 20 places in 9.5 % of cases by either filler alone, so "strong", which
takes both, has to stay below that for it.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks import pieces as pieces_module
from benchmarks.faithfulness import AGAINST, MODELS, maps_for, maps_of_series, opened, settings_of
from benchmarks.pieces import OutOfTimeError, Pieces
from benchmarks.report import print_report
from timemil_core.atomic import write_json
from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.evaluation.fillers import DEFAULT_FILLER, second_filler
from timemil_core.explain.removal_verdict import removal_verdict
from timemil_core.models.trained import TrainedModel

LEVELS = ("strong", "weak", "none")
RULE = "one strong test of two is weak evidence, one weak test none"
"""Part of a piece's name: what was judged by another rule is judged again."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=MODELS, metavar="MODEL")
    parser.add_argument("--series", type=int, default=30, help="at most so many test series of each (default: 30)")
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces = Pieces(arguments.folder, arguments.minutes)
    rows: list[dict[str, Any]] = []
    try:
        for name in arguments.models:
            rows += measure(pieces, name, arguments.series)
    except OutOfTimeError:
        print("The time is over; run again to go on.")
    if rows:
        write_json(arguments.folder / "verdicts.json", rows)
        print_report(rows, what="share of maps by what is said above them")


def measure(pieces: Pieces, name: str, n_series: int) -> list[dict[str, Any]]:
    """Return a row a method."""
    model, chosen = opened(name, n_series)
    fillers = [DEFAULT_FILLER, second_filler(model, DEFAULT_FILLER)]
    key = {"model": model.fingerprint, "data": chosen.fingerprint, "against": AGAINST, "fillers": fillers, "rule": RULE}
    rows = []
    for method in maps_for(model):
        found = pieces.kept(
            f"verdicts/{name.replace('/', '-')}-{method}",
            {**key, "method": method, **settings_of(method)},
            partial(shares_for, model, chosen, method),
        )
        rows.append({"model": name, "series": len(chosen), "map": method, **found})
    return rows


def shares_for(model: TrainedModel, chosen: SeriesSet, method: str) -> dict[str, float]:
    """Return the share of maps of each level, and of those that each filler alone would call strong."""
    predicted = model.predict(chosen.series).labels
    found = [
        removal_verdict(model, series, values, int(target))
        for series, target, maps in zip(
            chosen.series, predicted, maps_of_series(model, chosen, method, predicted), strict=True
        )
        for values in maps
    ]
    shares = {level: float(np.mean([one.level == level for one in found])) for level in LEVELS}
    for place in ("test", "second"):
        tests = [getattr(one, place) for one in found]
        shares[f"strong by {tests[0].filler} alone"] = float(np.mean([one.level == "strong" for one in tests]))
    return shares


if __name__ == "__main__":
    main()
