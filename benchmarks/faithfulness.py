"""Do importance maps point at what the model uses? Deletion and insertion against random places, by method.

``python -m benchmarks.faithfulness [MODEL …]`` measures the shipped models of BasicMotions, JapaneseVowels and
GunPoint, or any models of the shelf or folders, on test series of the sets that they were trained on (``--data`` for
another set): mean area over that of the same map at random places in the model's logits, the share of series on which
a map beats at least 95 % of them (chance: about 10 % with 20 places), comprehensiveness, sufficiency, AOPCR. The
predicted class is explained. "random" is a random smooth map: it has to score about 0 and 10 %. The JSON holds
each class as well.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks import pieces as pieces_module
from benchmarks.localisation import NAMED_SETTINGS
from benchmarks.pieces import OutOfTimeError, Pieces
from benchmarks.report import print_report
from timemil_core.atomic import write_json
from timemil_core.commands.predict import open_named_model
from timemil_core.data import catalogue
from timemil_core.data.series_set import FloatArray, SeriesSet
from timemil_core.explain.evaluation.fillers import FILLERS, FillerName
from timemil_core.explain.evaluation.held_out import spread_over_classes
from timemil_core.explain.faithfulness import deletion_test, insertion_test
from timemil_core.explain.importance import explain, methods_for
from timemil_core.explain.verdicts import STRONG
from timemil_core.explain.windows import smoothed, smoothing_width
from timemil_core.models.trained import TrainedModel

MODELS = ["basicmotions", "japanesevowels", "gunpoint"]
AGAINST = "the same map at random places"
"""Part of a piece's name: what was measured against other rivals is measured again."""
N_RANDOM_MAPS = 10
"""Of the control, on each series: a share of a dozen series tells little."""
Map = npt.NDArray[np.float64]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=MODELS, metavar="MODEL")
    parser.add_argument("--data", help="measure on this set instead of those that the models were trained on")
    parser.add_argument("--series", type=int, default=30, help="at most so many test series of each (default: 30)")
    parser.add_argument("--fillers", nargs="+", default=["noise", "masked out"], choices=list(FILLERS))
    pieces_module.add_arguments(parser)
    arguments = parser.parse_args()
    pieces = Pieces(arguments.folder, arguments.minutes)
    rows: list[dict[str, Any]] = []
    try:
        for name in arguments.models:
            rows += measure(pieces, name, arguments.data, arguments.series, arguments.fillers)
    except OutOfTimeError:
        print("The time is over; run again to go on.")
    if rows:
        write_json(arguments.folder / "faithfulness.json", rows)
        shown = [{key: value for key, value in row.items() if key != "classes"} for row in rows]
        print_report(shown, what="logits over the mean of 20 random places; shares of series; probabilities")


def measure(
    pieces: Pieces, name: str, data: str | None, n_series: int, fillers: list[FillerName]
) -> list[dict[str, Any]]:
    """Return a row a method and a filler."""
    model, chosen = opened(name, n_series, data)
    key = {"model": model.fingerprint, "data": chosen.fingerprint}
    rows = []
    for method in maps_for(model):
        for filler in fillers:
            found = pieces.kept(
                f"faithfulness/{name.replace('/', '-')}-{method}-{filler.replace(' ', '-')}",
                {**key, "against": AGAINST, "method": method, "filler": filler, **settings_of(method)},
                partial(found_for, model, chosen, method, filler),
            )
            rows.append({"model": name, "map": method, "filler": filler, **found["all"], "classes": found["classes"]})
    return rows


def opened(name: str, n_series: int, data: str | None = None) -> tuple[TrainedModel, SeriesSet]:
    """Return a shipped model and at most so many test series, evenly over the classes, of its own set or another."""
    model = open_named_model(name)
    series_set = catalogue.load(data or str(model.facts["data"]))
    model.check_fits(series_set)
    test = series_set.part("test") if len(series_set.indices("test")) else series_set
    return model, test.subset(spread_over_classes(np.arange(len(test)), test.labels, n_series))


def maps_for(model: TrainedModel) -> list[str]:
    """Return the methods that apply to a model, and "random"."""
    # the pooling's weights are the last layer's attention
    return [*(method.key for method in methods_for(model) if method.key != "pooling"), "random"]


def found_for(model: TrainedModel, chosen: SeriesSet, method: str, filler: FillerName) -> dict[str, Any]:
    """Return the means over all series, and over those of each predicted class."""
    predicted = model.predict(chosen.series).labels
    found = [
        _means([_numbers(model, series, values, int(target), filler) for values in maps])
        for series, target, maps in zip(
            chosen.series, predicted, maps_of_series(model, chosen, method, predicted), strict=True
        )
    ]
    classes = {
        model.class_names[label]: _all([one for one, target in zip(found, predicted, strict=True) if target == label])
        for label in np.unique(predicted)
    }
    return {"all": _all(found), "classes": classes}


def _numbers(model: TrainedModel, series: FloatArray, values: Map, target: int, filler: FillerName) -> dict[str, float]:
    deletion = deletion_test(model, series, values, target, filler=filler)
    insertion = insertion_test(model, series, values, target, filler=filler)
    return {
        "deletion": deletion.area_over_random,
        "deletion beats": float(deletion.rank >= STRONG),
        "insertion": insertion.area_over_random,
        "insertion beats": float(insertion.rank >= STRONG),
        "comprehensiveness": deletion.comprehensiveness,
        "sufficiency": deletion.sufficiency,
        "AOPCR": deletion.aopcr,
    }


def maps_of_series(
    model: TrainedModel, chosen: SeriesSet, method: str, targets: npt.NDArray[np.integer]
) -> Iterator[list[Map]]:
    """Yield of each series its map by a method, or the random ones of the control."""
    for index, (series, target) in enumerate(zip(chosen.series, targets, strict=True)):
        if method == "random":
            yield [_random(index, repeat, series.shape[1]) for repeat in range(N_RANDOM_MAPS)]
        else:
            yield [explain(model, series, method, int(target)).values]


def _random(index: int, repeat: int, n_timepoints: int) -> Map:
    drawn = np.random.default_rng([7, index, repeat]).standard_normal((n_timepoints,))
    return smoothed(drawn, smoothing_width(None, n_timepoints))


def settings_of(method: str) -> dict[str, Any]:
    """Return what besides its key names the maps of a method."""
    return {"maps": N_RANDOM_MAPS} if method == "random" else NAMED_SETTINGS.get(method, {})


def _all(found: list[dict[str, float]]) -> dict[str, Any]:
    return {"series": len(found)} | _means(found)


def _means(found: list[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([one[name] for one in found])) for name in found[0]}


if __name__ == "__main__":
    main()
