"""``compare``: the models that were trained on a data set, side by side; trains what is asked for first."""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path

import pandas as pd

from timemil_core.atomic import replacing_file
from timemil_core.commands.reading import DATA_HELP, add_reading, reference_of
from timemil_core.commands.stopping import StopOnSignal
from timemil_core.commands.table import print_table
from timemil_core.commands.train import PRESET_HELP
from timemil_core.compare.comparison import Comparison, compare
from timemil_core.compare.contenders import Contender, by_data_set, contenders
from timemil_core.compare.several import over_sets
from timemil_core.compare.tables import (
    CHOSEN_ON_TEST,
    exact_table,
    latex,
    published_protocols,
    published_table,
    shown_table,
)
from timemil_core.data import catalogue
from timemil_core.errors import ModelError, SettingsError, TimeMILError
from timemil_core.models.at_once import TRAINABLE
from timemil_core.models.shelf import open_model
from timemil_core.training.config import training_preset
from timemil_core.training.run import execute as execute_run
from timemil_core.training.run_folder import create_run

NAME = "compare"
SUMMARY = "compare the models that were trained on a data set; --train trains others first"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--data", required=True, nargs="+", metavar="NAME", help=f"{DATA_HELP}; several are also ranked"
    )
    parser.add_argument("--train", nargs="+", default=[], choices=TRAINABLE, metavar="NAME", help=PRESET_HELP)
    parser.add_argument("--seeds", nargs="+", type=int, default=[0], metavar="N", help="of what is trained")
    parser.add_argument("--models", nargs="+", metavar="MODEL", help="these alone (default: all of this data set)")
    parser.add_argument("--minutes", type=float, default=60.0, metavar="N", help="for each fit at most (default: 60)")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the table with exact numbers")
    parser.add_argument("--latex", type=Path, metavar="FILE", help="write it as LaTeX")
    add_reading(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Print the comparison.

    Raises
    ------
    TimeMILError
        Where the data or a model cannot be opened, or nothing was trained on the data.
    """
    several = [reference_of(arguments, name) for name in arguments.data]
    with StopOnSignal(quiet=False) as stop:
        for data, name, seed in product(several, arguments.train, arguments.seeds):
            if stop.requested():
                return stop.exit_code
            _train(data, name, seed, arguments.minutes, stop)
    found = {data: compare(catalogue.load(data), _chosen(data, arguments.models), open_model) for data in several}
    for data, one in found.items():
        if len(several) > 1:
            print(f"\n{data}")
        _print(one, data)
    if len(several) > 1:
        _print_over_sets(several)
    if arguments.csv is not None:
        tables = [exact_table(one).assign(data=data) for data, one in found.items()]
        with replacing_file(arguments.csv) as beside:
            pd.concat(tables).to_csv(beside, index=False)
    if arguments.latex is not None:
        with replacing_file(arguments.latex) as beside:
            beside.write_text("\n".join(latex(one) for one in found.values()), "utf-8")
    return 0


def _print_over_sets(several: list[str]) -> None:
    try:
        found = over_sets(several, by_data_set())
    except SettingsError as error:
        print(f"\n{error}")
        return
    print(f"\n{found.in_words()}")
    print(f"Average ranks nearer than {found.critical_difference:.2f} are not told apart (Nemenyi, .05).")
    rows = zip(found.networks, found.ranks, found.accuracies.mean(axis=0), strict=True)
    print_table(("network", "average rank", "mean accuracy"), [(a, f"{b:.2f}", f"{c:.3f}") for a, b, c in rows])


def _train(data: str, name: str, seed: int, minutes: float, stop: StopOnSignal) -> None:
    run = create_run(data, preset=name, training=training_preset(name, seed=seed, time_limit=minutes))
    print(f"{name}, seed {seed}: {run.folder}", flush=True)
    try:
        execute_run(run, should_stop=stop.requested)
    except TimeMILError as error:
        print(error)  # the others are compared all the same


def _chosen(data: str, models: list[str] | None) -> list[Contender]:
    found = contenders(data)
    if models is not None:
        known = {one.reference: one for one in found}
        if unknown := [name for name in models if name not in known]:
            raise ModelError(f"{unknown[0]!r} is no model of {data}.", remedy=f"Choose among {', '.join(known)}.")
        found = [known[name] for name in models]
    if not found:
        raise ModelError(f"no model was trained on {data}.", remedy="Give --train, such as --train minirocket default.")
    return found


def _print(found: Comparison, data: str) -> None:
    table = shown_table(found)
    print_table(list(table.columns), [tuple(str(cell) for cell in row) for row in table.itertuples(index=False)])
    if any(row.chosen_on_test for row in found.rows):
        print(f"* {CHOSEN_ON_TEST}: these scores are too good.")
    print(found.in_words())
    print(found.agreement_in_words())
    others = published_table(data)
    if len(others):
        print("\nPublished, by their own protocols:")
        print_table(list(others.columns), [tuple(row) for row in others.itertuples(index=False)])
        print("\n".join(published_protocols(data)))
