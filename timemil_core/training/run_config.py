"""``config.json`` of a run folder: what was asked for."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from timemil_core import __version__
from timemil_core.atomic import read_json
from timemil_core.data import catalogue
from timemil_core.errors import DataError, RunError
from timemil_core.kinds import OBJECT, TEXT, check_kinds, or_none, whole
from timemil_core.models.at_once import asked_for, read_asked, sizes_of
from timemil_core.models.config import check_changes
from timemil_core.training.config import TrainingConfig

FORMAT = 1
_KINDS = {"format": whole(1), "data": TEXT, "data_name": TEXT, "model": OBJECT, "training": OBJECT, "created": TEXT}
_MAY_MISS = {"title": or_none(TEXT), "fingerprint": TEXT, "preset": TEXT, "version": TEXT}


def describe_run(
    data: str, preset_name: str, model_settings: dict[str, Any], training: TrainingConfig, title: str | None
) -> dict[str, Any]:
    """Return the content of ``config.json``; loads the data. Raises as ``create_run`` does."""
    series_set = catalogue.load(data)
    if series_set.n_classes < 2:
        raise DataError(
            f"{series_set.n_classes} class; a classifier needs two.",
            where=series_set.name,
            remedy="Choose data with a class for each series, of two or more kinds.",
        )
    model = asked_for(preset_name, **check_changes(model_settings), **sizes_of(series_set))
    return {
        "format": FORMAT,
        "title": title,
        "data": data,
        "data_name": series_set.name,
        "fingerprint": series_set.fingerprint,
        "preset": preset_name,
        "model": model.to_json(),
        "training": training.to_json(),
        "created": datetime.now(UTC).isoformat(),
        "version": __version__,
    }


def read_config(folder: Path) -> dict[str, Any]:
    """Read ``config.json``.

    Raises
    ------
    RunError
        Where it is absent, damaged, or of a newer format.
    """
    try:
        content = read_json(folder / "config.json")
    except FileNotFoundError as error:
        raise RunError(
            "there is no training run here.", where=str(folder), remedy="Choose one from the list."
        ) from error
    except (OSError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise RunError(f"config.json cannot be read: {error}.", where=str(folder)) from error
    if isinstance(content, dict) and whole(FORMAT + 1).fits(content.get("format")):
        raise RunError("written by a newer version.", where=str(folder), remedy="Update the program.")
    try:
        check_kinds(content, _KINDS, may_miss=_MAY_MISS)
        read_asked(content["model"])
        TrainingConfig.from_json(content["training"])
    except (ValueError, OverflowError) as error:
        raise RunError(
            f"config.json does not describe a training run: {str(error).rstrip('.')}.", where=str(folder)
        ) from error
    return {"title": None, "fingerprint": "", "preset": "default", **content}
