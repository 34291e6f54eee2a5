"""The arguments of ``explain`` and ``report``: which map of which series of which model."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from timemil_core.commands.predict import open_named_model
from timemil_core.commands.reading import DATA_HELP, add_reading, reference_of
from timemil_core.data import catalogue
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.edits import EditedSeries
from timemil_core.explain.evaluation.fillers import IN_PLACE
from timemil_core.explain.evaluation.ranking import opening_method
from timemil_core.explain.importance import METHODS
from timemil_core.models.trained import TrainedModel
from timemil_core.reports.findings import Asked, Findings, class_index, find


def add_asking(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--model", required=True, metavar="MODEL", help="a name of the list of models, or a folder")
    parser.add_argument("--data", required=True, metavar="NAME", help=DATA_HELP)
    add_reading(parser)
    parser.add_argument("--series", metavar="ID", help="id of the series (default: the first of the test part)")
    parser.add_argument("--method", choices=list(METHODS), help="default: what measures best for the model, if known")
    parser.add_argument("--class", dest="target", metavar="CLASS", help="what to explain (default: what is predicted)")
    parser.add_argument(
        "--filler", choices=list(IN_PLACE), help="in place of removed points (default: two that fit the model)"
    )
    parser.add_argument("--edits", type=Path, metavar="FILE.json", help="edit the series first, as What if saved it")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the method")


def ask(arguments: argparse.Namespace) -> tuple[TrainedModel, SeriesSet, Findings]:
    """Open, explain and test.

    Raises
    ------
    TimeMILError
        Where the model, the data, the series or a setting does not exist, model and data do not fit, or the edits are
        of other data.
    """
    model = open_named_model(arguments.model)
    reference = reference_of(arguments, arguments.data, to_train=False)
    series_set = catalogue.load(reference)
    test = series_set.indices("test")
    edited = None if arguments.edits is None else _edited(arguments.edits, series_set, arguments.series)
    first = series_set.series_ids[test[0] if len(test) else 0]
    series = edited.original_id if edited is not None else arguments.series or first
    if wrong := [word for word in arguments.set if "=" not in word]:
        raise SettingsError(f"{wrong[0]!r} is no setting.", remedy="Write --set NAME=VALUE.")
    texts = dict(word.split("=", 1) for word in arguments.set)
    settings = {name: _value(value) for name, value in texts.items()}
    if "against" in texts:  # a class by its name, as --class
        settings["against"] = class_index(model, texts["against"])
    asked = Asked(
        data=reference,
        model=arguments.model,
        series=series,
        method=arguments.method or opening_method(model, series_set),
        target=arguments.target,
        filler=arguments.filler,
        settings=settings,
        edits=() if edited is None else edited.edits,
    )
    return model, series_set, find(model, series_set, asked)


def _edited(file: Path, series_set: SeriesSet, series: str | None) -> EditedSeries:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"{file.name} could not be read as edits: {error}.", remedy="Give the JSON that the What if page saved."
        ) from error
    edited = EditedSeries.from_json(content, series_set)
    if series not in (None, edited.original_id):
        raise SettingsError(
            f"the edits in {file.name} are of series {edited.original_id!r}, not {series!r}.",
            remedy="Leave --series out.",
        )
    return edited


def _value(text: str) -> Any:
    # 5, 0.5, true and null mean what they look like; all else is text.
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text
