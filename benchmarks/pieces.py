"""A long benchmark in pieces: each piece's outcome is kept in a folder, so that a rerun goes on where one ended."""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from timemil_core.atomic import read_json, write_json

DEFAULT_FOLDER = Path("workspace/benchmarks")


class OutOfTimeError(Exception):
    """The time that was given is spent; what is finished is kept."""


class Pieces:
    """The kept outcomes of a benchmark, and the time that it may take."""

    def __init__(self, folder: Path, minutes: float) -> None:
        self.folder = folder
        self._end = time.monotonic() + 60 * minutes

    def is_spent(self) -> bool:
        """Tell whether the time is over."""
        return time.monotonic() > self._end

    def kept(self, name: str, asked: dict[str, Any], compute: Callable[[], Any]) -> Any:
        """Return what ``compute`` returns (JSON values), from the folder where the same was asked before.

        Raises
        ------
        OutOfTimeError
            Where it would have to be computed and the time is over.
        """
        digest = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:12]
        path = self.folder / f"{name}-{digest}.json"
        if path.is_file():
            return read_json(path)["found"]
        if self.is_spent():
            raise OutOfTimeError
        found = compute()
        write_json(path, {"asked": asked, "found": found})
        return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where pieces are kept and how long to work."""
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER, help=f"for pieces (default: {DEFAULT_FOLDER})")
    parser.add_argument("--minutes", type=float, default=1e6, help="stop after so long; run again to go on")
