"""``train``: train a model from the shell, or go on with a run."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any, get_args

from timemil_core.atomic import replacing_folder
from timemil_core.commands.rank import rank_after_training
from timemil_core.commands.reading import DATA_HELP, add_reading, reference_of, to_standard_error
from timemil_core.commands.settings import read_settings
from timemil_core.commands.stopping import StopOnSignal
from timemil_core.errors import RunError, SettingsError, TimeMILError
from timemil_core.models.at_once import TRAINABLE
from timemil_core.models.storage import DESCRIPTION
from timemil_core.training.config import PrecisionName, SelectionName, training_preset
from timemil_core.training.run import execute as execute_run
from timemil_core.training.run_folder import RunFolder, create_run, open_run

NAME = "train"
SUMMARY = "train a model, or go on with a run that was stopped or killed"
PRESET_HELP = f"a preset of TimeMIL, or another network: {', '.join(TRAINABLE)} (default: default)"
FLAGS = ("n_epochs", "seed", "batch_size", "learning_rate", "device", "devices", "precision", "selection")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--data", metavar="NAME", help=DATA_HELP)
    source.add_argument(
        "--resume", nargs="+", metavar="RUN", help="a run's folder or name; several are trained one after the other"
    )
    parser.add_argument("--out", type=Path, metavar="RUN", help="a new folder for the run (default: in the workspace)")
    parser.add_argument("--model-out", type=Path, metavar="FOLDER", help="write the finished model here too")
    parser.add_argument("--title", help="what to call the model")
    parser.add_argument("--preset", choices=TRAINABLE, default="default", metavar="NAME", help=PRESET_HELP)
    parser.add_argument("--epochs", type=int, dest="n_epochs", metavar="N")
    parser.add_argument("--seed", type=int, metavar="N")
    parser.add_argument("--batch-size", type=int, metavar="N")
    parser.add_argument("--learning-rate", type=float, metavar="RATE")
    parser.add_argument("--device", help="auto, cpu, cuda, cuda:1, mps")
    parser.add_argument("--devices", type=int, metavar="N", help="so many GPUs of this machine share each batch")
    parser.add_argument("--precision", choices=get_args(PrecisionName), help="(default: auto)")
    parser.add_argument("--selection", choices=get_args(SelectionName), help="how the epoch is chosen")
    parser.add_argument("--no-supervised", action="store_true", help="do not train the fully supervised counterpart")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="any setting of the model or the training"
    )
    add_reading(parser)
    parser.add_argument("--rank", action="store_true", help="then measure which methods' maps are evidence for it")
    parser.add_argument("--quiet", action="store_true", help="say nothing; the run's log.txt has every line")


def execute(arguments: argparse.Namespace) -> int:
    """Train, and return 0, or 128 + the signal's number where one ended it (130 for Ctrl-C); the run can be resumed.

    Raises
    ------
    TimeMILError
        Where the data, the settings or the folder do not allow it.
    """
    runs = _resumed(arguments) if arguments.resume else [_created(arguments)]
    say = _silent if arguments.quiet else _say
    failed: TimeMILError | None = None
    with StopOnSignal(quiet=arguments.quiet) as stop:
        for run in runs:
            if stop.requested():
                break
            say(f"run: {run.folder}")
            try:
                execute_run(run, report=say, should_stop=stop.requested)
            except TimeMILError as error:
                failed = error  # the run's status tells it; the others are no worse for it
                if len(runs) > 1:
                    say(str(error))
                continue
            if arguments.rank and run.status().state == "finished":
                rank_after_training(run, stop.requested)
    if failed is not None:
        raise failed
    if runs[-1].status().state != "finished":
        return stop.exit_code
    if arguments.model_out is not None:
        _copy_model(runs[-1], arguments.model_out)
        say(f"model: {arguments.model_out}")
    return 0


def _created(arguments: argparse.Namespace) -> RunFolder:
    model_settings, training = read_settings(arguments.set, [arguments.preset])
    given = {name: value for name in FLAGS if (value := getattr(arguments, name)) is not None}
    training.update(given)
    if arguments.no_supervised:
        training["with_supervised"] = False
    settings = training_preset(arguments.preset, **training)
    warnings: list[str] = []

    def warn(line: str) -> None:
        to_standard_error(line)
        warnings.append(line)

    run = create_run(
        reference_of(arguments, arguments.data, settings.seed, warn=warn),
        preset=arguments.preset,
        model_settings=model_settings,
        training=settings,
        title=arguments.title,
        folder=arguments.out,
    )
    for line in warnings:
        run.log(line)
    return run


def _resumed(arguments: argparse.Namespace) -> list[RunFolder]:
    given = [name for name in (*FLAGS, "out", "title") if getattr(arguments, name) is not None]
    if given or arguments.set or arguments.no_supervised:
        raise SettingsError("--resume goes on with the run's own settings.", remedy="Give no others.")
    if len(arguments.resume) > 1 and arguments.model_out is not None:
        raise SettingsError("--model-out takes the model of one run.", remedy="Resume one run, or leave it out.")
    return [open_run(Path(name) if Path(name).is_dir() else name) for name in arguments.resume]


def _copy_model(run: RunFolder, target: Path) -> None:
    if target.exists() and any(target.iterdir()) and not (target / DESCRIPTION).is_file():
        raise RunError("this exists and holds no model.", where=str(target), remedy="Give a new or empty folder.")
    with replacing_folder(target) as beside:
        shutil.copytree(run.model_folder, beside, dirs_exist_ok=True)


def _say(line: str) -> None:
    print(line, flush=True)


def _silent(line: Any) -> None:
    """Say nothing."""
