"""What the card of an imported model tells."""

from __future__ import annotations

import argparse
import shlex
from datetime import UTC, datetime
from typing import Any

import numpy as np
import torch

from timemil_core import __version__
from timemil_core.data.series_set import UNKNOWN_LABEL, SeriesSet
from timemil_core.explain.labels import labels_for
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.authors.telling import PROTOCOL, notes
from timemil_core.models.shelf import AUTHORS
from timemil_core.models.trained import TrainedModel
from timemil_core.training.scores import scores

REPEATED = ("data", "class_names", "channel_names", "normalisation", "front_padded_to", "scaling", "title")


def facts_of_import(
    arguments: argparse.Namespace, model: TrainedModel, network: AuthorsTimeMIL, series_set: SeriesSet | None
) -> dict[str, Any]:
    """Return the facts of a model that ``import-authors`` makes, with its scores where the data are known."""
    data_name = series_set.name if series_set else "unknown data"
    n_test, found = _scores(model, series_set) if series_set else (0, {})
    return {
        "title": arguments.title or f"{data_name}, authors' code",
        "origin": AUTHORS,
        "data": arguments.data or "",
        "data_name": data_name,
        "fingerprint": series_set.fingerprint if series_set else "",
        "selection": "test",
        "protocol": PROTOCOL,
        "n_test": n_test,
        "scores": found,
        "notes": list(notes(network)),
        "versions": {"torch": torch.__version__, "timemil_core": __version__},
        "command": _command(arguments),
        "created": datetime.now(UTC).isoformat(),
    }


def _scores(model: TrainedModel, series_set: SeriesSet) -> tuple[int, dict[str, Any]]:
    test = series_set.indices("test")
    part = series_set.subset(test) if len(test) else series_set
    labels = labels_for(model, part)
    known = np.flatnonzero(labels != UNKNOWN_LABEL)
    if not len(known):
        return 0, {}
    logits = model.predict(part.subset(known).series).logits
    return len(known), {f"test_{name}": value for name, value in scores(labels[known], logits).items()}


def _command(arguments: argparse.Namespace) -> str:
    words = ["python", "-m", "timemil_core", "import-authors", arguments.checkpoint.name, "--out", "FOLDER"]
    for name in REPEATED:
        value = getattr(arguments, name)
        if value not in (None, []):
            words += [f"--{name.replace('_', '-')}", *(value if isinstance(value, list) else [str(value)])]
    return shlex.join(words)
