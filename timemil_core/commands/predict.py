"""``predict``: classify a data set by a model."""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

import numpy as np

from timemil_core.commands.reading import DATA_HELP, add_reading, set_of
from timemil_core.data.series_set import UNKNOWN_LABEL, SeriesSet
from timemil_core.errors import DataError
from timemil_core.explain.labels import labels_for
from timemil_core.models.shelf import open_model
from timemil_core.models.storage import DESCRIPTION, load_model
from timemil_core.models.trained import Prediction, TrainedModel

NAME = "predict"
SUMMARY = "classify a data set by a model, and score it where the classes are known"
SOME_UNCLASSIFIED = 1
PARTS = ("test", "train", "all")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--model", required=True, metavar="MODEL", help="a name of the list of models, or a folder")
    parser.add_argument("--data", required=True, metavar="NAME", help=DATA_HELP)
    add_reading(parser)
    parser.add_argument("--part", choices=PARTS, help="which series (default: test; all of what has no test part)")
    parser.add_argument("--csv", action="store_true", help="print a row a series instead: id, classes, probabilities")


def execute(arguments: argparse.Namespace) -> int:
    """Print the accuracy, or a row a series; return 1 where a series could not be classified, which is told.

    Raises
    ------
    TimeMILError
        Where the model or the data cannot be opened, or do not fit each other.
    """
    model = open_named_model(arguments.model)
    series_set = _part(set_of(arguments, arguments.data), arguments.part)
    model.check_fits(series_set)
    prediction = model.predict_each(series_set.series, series_set.series_ids)
    if arguments.csv:
        _print_rows(model, series_set, prediction)
    else:
        print(_summary(model, series_set, prediction))
    for problem in prediction.problems.values():
        print(f"not classified: {problem}", file=sys.stderr)
    return SOME_UNCLASSIFIED if prediction.problems else 0


def open_named_model(name: str) -> TrainedModel:
    """Open a model by its folder, a run's folder, or its reference.

    Raises
    ------
    TimeMILError
        Where there is no such model.
    """
    for folder in (Path(name), Path(name) / "model"):
        if (folder / DESCRIPTION).is_file():
            return load_model(folder)
    return open_model(name)


def _part(series_set: SeriesSet, asked: str | None) -> SeriesSet:
    part = asked or ("test" if len(series_set.indices("test")) else "all")
    if part == "all":
        return series_set
    indices = np.flatnonzero(series_set.split == part)
    if not len(indices):
        raise DataError(f"there are no series in the {part} part.", where=series_set.name, remedy="Give --part all.")
    return series_set.subset(indices)


def _summary(model: TrainedModel, series_set: SeriesSet, prediction: Prediction) -> str:
    labels = labels_for(model, series_set)
    known = (labels != UNKNOWN_LABEL) & (prediction.labels != UNKNOWN_LABEL)
    n_known = int(known.sum())
    n_classified = len(series_set) - len(prediction.problems)
    if not n_known:
        return f"{n_classified} series classified; none has a class that the model knows."
    n_right = int((prediction.labels == labels)[known].sum())
    rest = n_classified - n_known
    told = f"; {rest} more have no class that the model knows" if rest else ""
    return f"accuracy {n_right / n_known:.4f} ({n_right} of {n_known} series{told})"


def _print_rows(model: TrainedModel, series_set: SeriesSet, prediction: Prediction) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(
        ["id", "part", "class", "predicted", *(f"probability of {name}" for name in model.class_names), "problem"]
    )
    for index, series_id in enumerate(series_set.series_ids):
        problem = prediction.problems.get(index)
        predicted = "" if problem else model.class_names[prediction.labels[index]]
        shares = ("" if problem else f"{share:.6f}" for share in prediction.probabilities[index])
        known = series_set.label_name(index) or ""
        told = problem.problem if problem else ""
        writer.writerow([series_id, series_set.split[index], known, predicted, *shares, told])
