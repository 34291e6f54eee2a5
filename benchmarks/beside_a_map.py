"""How long the numbers beside a map take: the prediction with its attention, each map, and how far it can be trusted.

``python -m benchmarks.beside_a_map`` asks the functions that the Attention page asks, with their default settings, for
one series of a default network with random weights (the time does not depend on what they are). "to judge a map" is
the sum of all that the page computes of a map once it is drawn, in the order in which it arrives; the controls against
a known truth, where there is one, take one more map of the same method, by the untrained network.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import timemil_core  # noqa: F401  before torch: it settles how threads wait
from benchmarks.report import print_report
from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import FloatArray, default_channel_names
from timemil_core.explain.evaluation.truth import flatness
from timemil_core.explain.evaluation.verdict import N_PLACES, series_verdict
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import explain, methods_for
from timemil_core.explain.padding import mass_on_padding
from timemil_core.models.config import preset
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel

CLASS_NAMES = ("a", "b", "c", "d")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--channels", type=int, default=6)
    parser.add_argument("--timepoints", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--methods", nargs="*", help="maps that are timed as well (default: all that apply)")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    by_length = [
        measure(*made(arguments.channels, n), repeats=arguments.repeats, methods=arguments.methods)
        for n in arguments.timepoints
    ]
    rows = [
        {"what": what} | {f"T = {n}": found[what] for n, found in zip(arguments.timepoints, by_length, strict=True)}
        for what in by_length[0]
    ]
    print_report(rows, what="seconds, medians", channels=arguments.channels, repeats=arguments.repeats)


def made(n_channels: int, n_timepoints: int) -> tuple[TrainedModel, FloatArray]:
    """Return a default network of random weights, and a random walk ``(n_channels, n_timepoints)``."""
    torch.manual_seed(0)
    walk = np.random.default_rng(0).normal(size=(n_channels, n_timepoints)).cumsum(axis=1).astype(np.float32)
    network = TimeMIL(preset("default", n_channels=n_channels, n_classes=len(CLASS_NAMES))).eval()
    names = default_channel_names(n_channels)
    return TrainedModel(network, Preparation.fit((walk,)), CLASS_NAMES, names, None, {}), walk


def measure(
    model: TrainedModel, series: FloatArray, *, repeats: int, methods: list[str] | None = None
) -> dict[str, float]:
    """Return the median seconds of each number beside a map of one series, and of each map."""
    examination = examine(model, series)
    target = examination.predicted
    values = explain(model, series, "attention", target, examination=examination).values
    numbers: dict[str, Callable[[], Any]] = {
        "flatness": lambda: flatness(values),
        "mass on padding": lambda: mass_on_padding(model, series),
        "removal and restoring against 19 other places": lambda: series_verdict(
            model, series, values, target, n_places=19
        ),
        f"the same against {N_PLACES}": lambda: series_verdict(model, series, values, target),
    }
    found = {"prediction with its attention": median_seconds(lambda: examine(model, series), repeats)}
    found |= {what: median_seconds(number, repeats) for what, number in numbers.items()}
    found["to judge a map"] = sum(found[what] for what in numbers)
    for method in methods_for(model):
        if methods is None or method.key in methods:
            found[f"map: {method.title}"] = median_seconds(
                lambda key=method.key: explain(model, series, key, target, examination=examination),  # type: ignore[misc]
                repeats,
            )
    return found


def median_seconds(call: Callable[[], Any], repeats: int) -> float:
    """Return the median wall time of a call, after one that does not count."""
    call()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()
