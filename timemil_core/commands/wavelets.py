"""``wavelets``: the kernels of a model in the data's terms, how they moved, and what removing them changes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from timemil_core.atomic import write_bytes
from timemil_core.commands.predict import open_named_model
from timemil_core.commands.reading import add_reading, set_of
from timemil_core.data.time_axis import axis_rate, axis_unit
from timemil_core.errors import ModelError, SettingsError
from timemil_core.explain.wavelets import (
    LearnedWavelets,
    RemovalEffects,
    bands_of,
    every_kernel,
    every_part,
    kernel_table,
    kernels_sentence,
    learned_wavelets,
    movement_of,
    part_sentence,
    removal_effects,
    series_to_measure,
    to_csv,
)
from timemil_core.models.trained import TrainedModel

NAME = "wavelets"
SUMMARY = "the wavelet kernels of a model: frequencies they pass, how they moved, and what removing them changes"
N_CONTROLS = {"parts": 20, "kernels": 1}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--model", required=True, metavar="MODEL", help="a name of the list of models, or a folder")
    parser.add_argument(
        "--remove",
        choices=tuple(N_CONTROLS),
        help="what to remove, one at a time: layers and wavelets, or every single kernel (minutes)",
    )
    parser.add_argument("--data", metavar="NAME", help="on whose series removals are measured (default: the model's)")
    add_reading(parser)
    parser.add_argument("--part", choices=("test", "validation"), default="test", help="of which part (default: test)")
    parser.add_argument("--series", type=int, metavar="N", help="of how many series (default: what is affordable)")
    parser.add_argument("--seed", type=int, default=0, help="of the random wavelets removals are compared with")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write a row a kernel as .csv, or all as .json")


def execute(arguments: argparse.Namespace) -> int:
    """Print what was found; write it where asked for.

    Raises
    ------
    TimeMILError
        Where the model or the data do not exist or do not fit, or the model has no wavelets.
    """
    out: Path | None = arguments.out
    if out is not None and out.suffix not in (".csv", ".json"):
        raise SettingsError(f"{out.name} is neither .csv nor .json.", remedy="Give --out such a name.")
    if out is not None and out.suffix == ".csv" and arguments.remove == "parts":
        raise SettingsError("a table of kernels has no rows for parts.", remedy="Give --out a name that ends in .json.")
    if arguments.series is not None and arguments.series < 1:
        raise SettingsError(f"--series is {arguments.series}.", remedy="Give a number of at least 1.")
    model = open_named_model(arguments.model)
    layers = learned_wavelets(model)
    if not layers:
        raise ModelError("this model has no wavelets.", where=arguments.model, remedy="Choose one that has.")
    print(_bands_told(layers, model.sampling_rate))
    print(*_movement_told(model, layers), sep="\n")
    effects = _removed(arguments, model, layers) if arguments.remove else []
    if out is not None:
        rows = kernel_table(layers, model.sampling_rate, effects if arguments.remove == "kernels" else [])
        content = to_csv(rows) if out.suffix == ".csv" else _json(rows, model, layers, effects, arguments.remove)
        write_bytes(out, content.encode())
        print(out)
    return 0


def _bands_told(layers: LearnedWavelets, rate: float | None) -> str:
    unit, per_unit = axis_unit(rate), axis_rate(rate)
    lines = []
    for layer in layers:
        bands = bands_of(layer.kernels, layer.positions, layer.scales)
        low, peak, high = (
            np.quantile(one, [0.05, 0.5, 0.95]) * per_unit for one in (bands.low, bands.peak, bands.high)
        )
        extent = np.quantile(bands.extent, [0.05, 0.5, 0.95]) / (per_unit if rate else 1)
        unlike = 0.0 if bands.unlike_hat is None else float(bands.unlike_hat.mean())
        lines.append(
            f"layer {layer.layer + 1}: {bands.peak.size} kernels pass most at {peak[1]:.3g} {unit.frequency} (median; "
            f"nine in ten {peak[0]:.3g} to {peak[2]:.3g}), from {low[1]:.3g} to {high[1]:.3g} (medians at half power); "
            f"they look at {extent[1]:.3g} {unit.length} (median; nine in ten {extent[0]:.3g} to {extent[2]:.3g}); "
            f"{unlike:.0%} are sampled too coarsely or cut off too early to be the Mexican hat they are named after"
        )
    return "\n".join(lines)


def _movement_told(model: TrainedModel, layers: LearnedWavelets) -> list[str]:
    told = []
    for layer in layers:
        movement = movement_of(model, layer.layer)
        if movement is None:
            return ["How these wavelets began is not known: an imported checkpoint does not hold it."]
        way = "" if movement.recorded else " (start and end; the way between was not recorded)"
        told.append(f"layer {layer.layer + 1}: {movement.sentence}{way}")
    return told


def _removed(arguments: argparse.Namespace, model: TrainedModel, layers: LearnedWavelets) -> list[RemovalEffects]:
    series_set = set_of(arguments, arguments.data or str(model.facts.get("data", "")))
    model.check_fits(series_set)
    chosen, part = series_to_measure(model, series_set, arguments.part, arguments.series)
    print(f"measured on {len(chosen)} {part} series")
    what = [every_part(layers)] if arguments.remove == "parts" else [every_kernel(layers, one.layer) for one in layers]
    n_controls = N_CONTROLS[arguments.remove]
    found = []
    for removals in what:
        effects = removal_effects(
            model, chosen, removals, n_controls=n_controls, seed=arguments.seed, progress=_tell_progress
        )
        found.append(effects)
        if arguments.remove == "parts":
            print(*(part_sentence(effects, place) for place in range(len(removals))), sep="\n")
        else:
            print(f"layer {len(found)}: {kernels_sentence(effects)}")
    return found


def _tell_progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {of} passes", end="\n" if done == of else "", file=sys.stderr, flush=True)


def _json(
    rows: Sequence[dict[str, Any]],
    model: TrainedModel,
    layers: LearnedWavelets,
    effects: Sequence[RemovalEffects],
    removed: str | None,
) -> str:
    content: dict[str, Any] = {
        "model": model.fingerprint,
        "sampling_rate": model.sampling_rate,
        "kernels": rows,
        "movement": [_movement(model, layer.layer) for layer in layers],
    }
    if removed:
        content["removals"] = [_removal(one, place) for one in effects for place in range(len(one.removals))]
    return json.dumps(content, indent=1, allow_nan=False, ensure_ascii=False) + "\n"


def _movement(model: TrainedModel, layer: int) -> dict[str, Any] | None:
    movement = movement_of(model, layer)
    if movement is None:
        return None
    return {
        "layer": layer + 1,
        "recorded": movement.recorded,
        "epochs": movement.epochs.tolist(),
        "epoch of the model": int(movement.epochs[movement.kept]),
        "median factor of scale": np.median(movement.factors, axis=(1, 2)).tolist(),
        "median distance of shift (time points)": np.median(movement.distances, axis=(1, 2)).tolist(),
        "scales": movement.scales.tolist(),
        "shifts": movement.shifts.tolist(),
    }


def _removal(effects: RemovalEffects, place: int) -> dict[str, Any]:
    return {
        "removed": effects.removals[place].title,
        "n_series": effects.n_series,
        "mean absolute change of the logit": float(effects.size[place]),
        "mean change of the logit": float(effects.logit_changes[place, 0].mean()),
        "mean change of the probability": float(effects.probability_changes[place, 0].mean()),
        "share of series of another class": float(effects.changed[place, 0]),
        "accuracy": None if effects.accuracy is None else float(effects.accuracy[place, 0]),
        "accuracy of the whole model": effects.whole_accuracy,
        "random ones of equal size: mean absolute change of the logit": effects.control_sizes[place].tolist(),
        "share of the encoding's energy": float(effects.energy[place]),
    }
