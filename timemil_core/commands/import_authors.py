"""``import-authors``: a checkpoint of the authors' public code becomes a model that the app and the library open."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np

from timemil_core.commands.imported import facts_of_import
from timemil_core.data import catalogue
from timemil_core.data.class_order import declared_classes
from timemil_core.data.preparation import Normalisation, Preparation
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.models.authors.config import LOADER_LENGTHS, Scaling
from timemil_core.models.authors.importing import as_model, import_network
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.authors.telling import PROTOCOL
from timemil_core.models.storage import save_model
from timemil_core.models.trained import TrainedModel

NAME = "import-authors"
SUMMARY = "make a model of a checkpoint of the authors' public code (best_model.pth)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("checkpoint", type=Path, help="best_model.pth, the state dict that their main.py writes")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="the model's folder")
    parser.add_argument("--data", metavar="NAME", help="the data set it was trained on: scored, and opened in the app")
    parser.add_argument(
        "--class-names",
        nargs="+",
        default=[],
        metavar="NAME",
        help="in the order of the logits (default: as the header of the data's .ts file has them)",
    )
    parser.add_argument("--channel-names", nargs="+", default=[], metavar="NAME", help="default: those of the data")
    parser.add_argument(
        "--normalisation",
        choices=get_args(Normalisation),
        default="none",
        help="what was done to the series before training; their code does nothing (default: none)",
    )
    parser.add_argument(
        "--front-padded-to",
        type=int,
        metavar="N",
        help="zeros were put before series shorter than this; 0 for none (default: as their loader of the data does)",
    )
    parser.add_argument(
        "--scaling",
        choices=get_args(Scaling),
        default="series",
        help="of the pseudo-inverse: over each series, as their code does for one alone, or over the batch, where a "
        "prediction depends on its batch mates (default: series)",
    )
    parser.add_argument("--title", help="what to call the model")


def execute(arguments: argparse.Namespace) -> int:
    """Read the checkpoint, score it where its data are known, and write the model.

    Raises
    ------
    TimeMILError
        Where the file is no checkpoint of theirs, the data do not fit it, or the folder is taken.
    """
    network = import_network(
        arguments.checkpoint, scaling=arguments.scaling, front_padded_to=_front_padded_to(arguments)
    )
    series_set = catalogue.load(arguments.data) if arguments.data else None
    model = as_model(
        network,
        class_names=_class_names(arguments, network, series_set),
        channel_names=arguments.channel_names or (series_set.channel_names if series_set else ()),
        preparation=_preparation(arguments.normalisation, network.config.n_channels, series_set),
        sampling_rate=series_set.sampling_rate if series_set else None,
    )
    if series_set is not None:
        model.check_fits(series_set)
    model = replace(model, facts=facts_of_import(arguments, model, network, series_set))
    save_model(model, arguments.out)
    _tell(model, network, arguments.out)
    return 0


def _front_padded_to(arguments: argparse.Namespace) -> int | None:
    if arguments.front_padded_to is None:
        return LOADER_LENGTHS.get(arguments.data or "")
    return arguments.front_padded_to or None


def _class_names(arguments: argparse.Namespace, network: AuthorsTimeMIL, series_set: SeriesSet | None) -> Sequence[str]:
    if series_set is None:
        return arguments.class_names
    names = arguments.class_names or declared_classes(arguments.data)
    if len(names) != network.config.n_classes and not arguments.class_names:
        raise SettingsError(
            f"the checkpoint has {network.config.n_classes} logits, and the order of the classes of {series_set.name} "
            f"is {'not known' if not names else ', '.join(names)}.",
            remedy="Give --class-names in the order of the labels that it was trained with.",
        )
    if absent := [name for name in series_set.class_names if name not in names]:
        raise SettingsError(
            f"{series_set.name} has the class {absent[0]!r}, which is not among {', '.join(names)}.",
            remedy="Name the classes as the data do.",
        )
    return names


def _preparation(kind: Normalisation, n_channels: int, series_set: SeriesSet | None) -> Preparation:
    if series_set is not None:
        training = series_set.indices("train")
        part = series_set.subset(training) if len(training) else series_set
        return Preparation.fit(part.series, kind)
    if kind == "per-channel":
        raise SettingsError("--normalisation per-channel needs the training series.", remedy="Give --data.")
    return Preparation(kind, np.zeros(n_channels), np.ones(n_channels))


def _tell(model: TrainedModel, network: AuthorsTimeMIL, folder: Path) -> None:
    config = network.config
    print(f"network: {config.n_channels} channels, {config.n_classes} classes, embedding {config.embedding_width}")
    print(f"classes, in the order of the logits: {', '.join(model.class_names)}")
    accuracy = model.facts["scores"].get("test_accuracy")
    if accuracy is not None:
        n_test = model.facts["n_test"]
        print(f"test accuracy: {accuracy:.4f} ({n_test} series, each alone). {PROTOCOL}")
    for note in model.facts["notes"]:
        print(f"note: {note}")
    print(f"model: {folder}")
