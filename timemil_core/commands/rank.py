"""``rank``: measure which importance methods are evidence for a model, and keep it with the model."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from timemil_core.commands.predict import open_named_model
from timemil_core.commands.reading import DATA_HELP, add_reading, set_of
from timemil_core.commands.stopping import StopOnSignal
from timemil_core.commands.table import print_table
from timemil_core.data import catalogue
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import ModelError
from timemil_core.explain.answer import Answer
from timemil_core.explain.evaluation.kept import rank_and_keep
from timemil_core.explain.evaluation.ranking import Ranking
from timemil_core.explain.evaluation.wording import CHIP, opening_sentence, place_sentence
from timemil_core.explain.kept_answer import answer_and_keep
from timemil_core.models.storage import DESCRIPTION, load_model
from timemil_core.models.trained import TrainedModel
from timemil_core.training.run_folder import RunFolder

NAME = "rank"
SUMMARY = "measure which methods' maps are evidence for a model and what tells its classes; goes on if stopped"
POLITENESS = 10
"""How far a measurement after a training steps back behind whatever else the machine does."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--model", required=True, metavar="MODEL", help="a name of the list of models, or a folder")
    parser.add_argument("--data", metavar="NAME", help=f"{DATA_HELP} (default: what it was trained on)")
    add_reading(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Print the ranking, or return 130 where it was stopped.

    Raises
    ------
    TimeMILError
        Where the model or its data cannot be opened.
    """
    model = open_named_model(arguments.model)
    data = arguments.data or model.facts.get("data")
    if not data:
        raise ModelError("the model does not say which data it was trained on.", remedy="Give --data.")
    series_set = set_of(arguments, str(data))
    model.check_fits(series_set)
    with StopOnSignal(quiet=False) as stop:
        try:
            ranking, found = _rank_and_answer(model, series_set, _own_folder(arguments.model), _until(stop.requested))
        except StoppedError:
            return stop.exit_code
    _print(ranking)
    print("\nWhat tells each class:")
    for told in found.classes:
        print(f"  {told.sentence}")
    return 0


def rank_after_training(run: RunFolder, should_stop: Callable[[], bool]) -> None:
    """Rank the methods of a run's model and tell its classes, as the last thing its process does, behind all others."""
    os.nice(POLITENESS)
    model, series_set = load_model(run.model_folder), catalogue.load(run.data)
    try:
        _rank_and_answer(model, series_set, run.model_folder, _until(lambda: should_stop() or run.stop_requested()))
    except StoppedError:
        run.log("Asked to stop: the ranking of the methods goes on when a page asks for it.")


def _rank_and_answer(
    model: TrainedModel, series_set: SeriesSet, folder: Path | None, until: Callable[[int, int], None]
) -> tuple[Ranking, Answer]:
    ranking = rank_and_keep(model, series_set, folder, until)
    if folder is not None:
        model = load_model(folder)  # with its ranking, by which the answer goes
    return ranking, answer_and_keep(model, series_set, folder, until)


def _print(ranking: Ranking) -> None:
    print(opening_sentence(ranking))
    print(place_sentence(ranking.places))
    print_table(
        ("method", "level", "mean rank", "of what can be found"),
        [
            (one.title, CHIP[one.standing.level], f"{one.standing.mean_rank:.2f}", f"{one.standing.of_attainable:+.0%}")
            for one in ranking.methods
        ],
    )


class StoppedError(Exception):
    """Somebody asked to stop."""


def _until(should_stop: Callable[[], bool]) -> Callable[[int, int], None]:
    def tell(done: int, of: int) -> None:
        if should_stop():
            raise StoppedError

    return tell


def _own_folder(name: str) -> Path | None:
    # A folder that is given by its path is the user's own; one of the list of models stays as it is shipped.
    return next((folder for folder in (Path(name), Path(name) / "model") if (folder / DESCRIPTION).is_file()), None)
