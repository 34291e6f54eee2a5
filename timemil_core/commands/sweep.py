"""``sweep``: train data sets × settings × seeds, or go on with a sweep that was cut off."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from timemil_core.commands.reading import add_reading, reference_of
from timemil_core.commands.settings import read_settings
from timemil_core.commands.stopping import StopOnSignal
from timemil_core.commands.table import print_table
from timemil_core.commands.train import PRESET_HELP
from timemil_core.errors import SettingsError
from timemil_core.models.at_once import TRAINABLE
from timemil_core.models.sweep_notes import note_sweep
from timemil_core.sweep.folder import SweepFolder, open_sweep
from timemil_core.sweep.running import run_sweep
from timemil_core.sweep.spec import SweepSpec, read_toml
from timemil_core.sweep.table import OUT_OF, PREFIX, cell_table, result_table
from timemil_core.sweep.workers import Workers, local, on_dask, on_slurm

NAME = "sweep"
SUMMARY = "train data sets × settings × seeds, here or on a cluster; the same again goes on where it stopped"
SOME_MISSING = 1
SHOWN = ("validation_accuracy", "test_accuracy", "test_macro_f1")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("spec", nargs="?", type=Path, metavar="SWEEP.toml", help="data, seeds, presets and [settings]")
    parser.add_argument("--data", nargs="+", metavar="NAME", help="names of the list of data sets, or files")
    parser.add_argument("--preset", nargs="+", choices=TRAINABLE, metavar="NAME", help=PRESET_HELP)
    parser.add_argument(
        "--set", action="append", metavar="KEY=VALUE,…", help="values of a setting of the model or the training"
    )
    parser.add_argument("--seeds", nargs="+", type=int, metavar="N", help="(default: 0)")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="of the sweep; new, or to go on with")
    parser.add_argument("--jobs", type=int, metavar="N", help="cells at once, here (default: 1) or on SLURM")
    add_reading(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler, such as tcp://10.0.0.1:8786")
    where.add_argument(
        "--slurm",
        nargs="*",
        metavar="KEY=VALUE",
        help="jobs of submitit, with its parameters: timeout_min=600 gpus_per_node=1; cluster=local to try",
    )


def execute(arguments: argparse.Namespace) -> int:
    """Train, and return 0; 1 where a cell failed or has not finished; 128 + the signal's number where one ended it.

    Raises
    ------
    TimeMILError
        Where the sweep cannot be begun, or its workers cannot be reached.
    """
    workers = _workers(arguments)
    sweep = open_sweep(arguments.out, _asked(arguments))
    note_sweep(sweep.folder)
    print(f"sweep: {sweep.folder}", flush=True)

    with StopOnSignal(sweep.stop_file.touch) as stop:
        outcomes = run_sweep(sweep, workers, lambda line: print(line, flush=True))
    _print_results(sweep, result_table(cell_table(sweep, outcomes)))
    for found in outcomes:
        if found.state == "failed":
            print(f"failed: {found.cell.title}: {found.error}  ({sweep.cell_folder(found.cell)})")
    missing = any(found.state != "finished" for found in outcomes)
    return stop.exit_code or (SOME_MISSING if missing else 0)


def _asked(arguments: argparse.Namespace) -> SweepSpec | None:
    given = {"--preset": arguments.preset, "--set": arguments.set, "--seeds": arguments.seeds}
    if arguments.data is None:
        if others := [name for name, value in given.items() if value is not None]:
            raise SettingsError(f"{', '.join(others)} without --data.", remedy="Give both, or all of it in the file.")
        return None if arguments.spec is None else _with_references(arguments, read_toml(arguments.spec))
    if arguments.spec is not None:
        raise SettingsError("both a file and --data are given.", remedy="Give one of them.")
    return _with_references(
        arguments,
        SweepSpec(
            data=tuple(arguments.data),
            settings=_settings(arguments.set or [], arguments.preset or ["default"]),
            seeds=tuple(arguments.seeds or [0]),
            presets=tuple(arguments.preset or ["default"]),
        ),
    )


def _with_references(arguments: argparse.Namespace, spec: SweepSpec) -> SweepSpec:
    # a file without a split is split once, for all seeds
    data = tuple(reference_of(arguments, str(name)) for name in spec.data)
    return SweepSpec(data, spec.settings, spec.seeds, spec.presets)


def _settings(texts: Sequence[str], presets: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    settings: dict[str, tuple[Any, ...]] = {}
    for text in texts:
        key, equals, values = text.partition("=")
        if key in settings:
            raise SettingsError(f"{key} is set twice.", remedy=f"Write --set {key}=VALUE,VALUE.")
        read = [read_settings([f"{key}{equals}{value}"], presets) for value in values.split(",")]
        settings[key] = tuple(value for model, training in read for value in (model | training).values())
    return settings


def _workers(arguments: argparse.Namespace) -> Workers:
    if arguments.dask is not None:
        if arguments.jobs is not None:
            raise SettingsError("a Dask cluster has as many workers as it has.", remedy="Leave --jobs out.")
        return on_dask(arguments.dask)
    if arguments.slurm is not None:
        parameters = dict(_parameter(text) for text in arguments.slurm)
        cluster = parameters.pop("cluster", None)
        return on_slurm(arguments.jobs, parameters, cluster)
    if arguments.jobs == 0:
        raise SettingsError("--jobs 0 trains nothing.", remedy="Give 1 or more, or -1 for one a processor.")
    return local(arguments.jobs or 1)


def _parameter(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals:
        raise SettingsError(f"--slurm {text!r} has no '='.", remedy="Write --slurm KEY=VALUE.")
    return key, int(value) if value.isdigit() else value


def _print_results(sweep: SweepFolder, results: pd.DataFrame) -> None:
    swept = [f"{PREFIX}{key}" for key in sweep.spec().swept]
    scores = [score for score in SHOWN if f"{score} mean" in results]
    titles = ["data", "preset", *(key.removeprefix(PREFIX) for key in swept), *OUT_OF, *(_said(one) for one in scores)]
    rows = [
        [
            *(str(row[column]) for column in ("data", "preset", *swept, *OUT_OF)),
            *(_mean_and_deviation(row, score) for score in scores),
        ]
        for _, row in results.iterrows()
    ]
    print_table(titles, rows)
    print(f"mean ± standard deviation over seeds; all scores: {sweep.folder / 'results.csv'}")


def _said(score: str) -> str:
    return score.replace("_", " ")


def _mean_and_deviation(row: pd.Series[Any], score: str) -> str:
    mean, deviation = row[f"{score} mean"], row[f"{score} deviation"]
    if pd.isna(mean):
        return ""
    return f"{mean:.3f}" if pd.isna(deviation) else f"{mean:.3f} ± {deviation:.3f}"
