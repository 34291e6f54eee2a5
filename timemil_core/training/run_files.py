"""The small files of a run folder: each is read whole, held against what is written to it, and told where damaged."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

from timemil_core.atomic import read_json
from timemil_core.data.preparation import Preparation
from timemil_core.errors import RunError
from timemil_core.kinds import NUMBER, TEXT, check_kinds, list_of, one_of, whole
from timemil_core.training.liveness import MARK
from timemil_core.training.metrics import JudgedOn
from timemil_core.training.status import check_status

CONFIG, DATA, STATUS, LAUNCHED = "config.json", "data.json", "status.json", "launched.json"
RESUME = "Resume the run: it needs its checkpoint and config.json alone."


def read_file(folder: Path, name: str) -> dict[str, Any] | None:
    """Return what ``data.json``, ``status.json`` or ``launched.json`` says, None where there is no such file.

    Raises
    ------
    RunError
        Where it is damaged.
    """
    path = folder / name
    if not os.path.lexists(path):
        return None
    try:
        content: dict[str, Any] = read_json(path)
        _CHECKS[name](content)
    except OSError as error:
        raise RunError(f"{name} cannot be read: {error.strerror}.", where=str(folder), remedy=RESUME) from error
    except ValueError as error:  # of JSON, of UTF-8, of a preparation
        raise RunError(f"{name} is damaged: {str(error).rstrip('.')}.", where=str(folder), remedy=RESUME) from error
    return content


def _check_launched(content: Any) -> None:
    check_kinds(content, {"at": NUMBER})
    if not MARK.fits(content):
        raise ValueError(f"it is not {MARK.words}")


_SPLIT = {
    **dict.fromkeys(("fit", "validation", "test"), list_of(whole())),
    "notes": list_of(TEXT),
    "judged_on": one_of(get_args(JudgedOn)),
}


def _check_data(content: Any) -> None:
    check_kinds(content, _SPLIT)
    Preparation.from_json(content.get("preparation"))


_CHECKS: dict[str, Callable[[Any], None]] = {DATA: _check_data, LAUNCHED: _check_launched, STATUS: check_status}
