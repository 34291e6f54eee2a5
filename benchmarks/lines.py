"""A benchmark's finished trainings, a line each in a CSV file that is committed: any machine goes on from it."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from filelock import FileLock

from timemil_core.atomic import replacing_file

RESULTS = Path(__file__).parent / "results"
Line = dict[str, str]


class Lines:
    """What a training was asked for, and what was found: columns of text, and numbers where there is one.

    A line whose column ``seed`` lists several holds their mean, and stands for each. Several processes may write to the
    same file.
    """

    def __init__(self, path: Path, asked: Sequence[str], found: Sequence[str]) -> None:
        self.path = path
        self._asked, self._found = tuple(asked), tuple(found)
        self._lines = self._read()

    def get(self, asked: Mapping[str, Any]) -> dict[str, float] | None:
        """Return what was found where the same was asked: the columns that have a number; None where none was."""
        several = (line for line in self._lines.values() if str(asked["seed"]) in line["seed"].split())
        for line in (self._lines.get(self._key(asked)), *several):
            if line is not None and self._key(line | {"seed": asked["seed"]}) == self._key(asked):
                return {name: float(line[name]) for name in self._found if line[name]}
        return None

    def kept(
        self, asked: Mapping[str, Any], compute: Callable[[], Mapping[str, Any] | None]
    ) -> dict[str, float] | None:
        """Return what was found where the same was asked, else what ``compute`` finds: None stands for nothing."""
        if (known := self.get(asked)) is not None:
            return known
        if (found := compute()) is None:
            return None
        words = {name: "" if (value := found.get(name)) is None else f"{value:.6g}" for name in self._found}
        self._add({name: str(asked[name]) for name in self._asked} | words)
        return self.get(asked)

    def _key(self, asked: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(str(asked[name]) for name in self._asked)

    def _read(self) -> dict[tuple[str, ...], Line]:
        if not self.path.is_file():
            return {}
        with self.path.open(newline="", encoding="utf-8") as file:
            return {self._key(line): line for line in csv.DictReader(file)}

    def _add(self, line: Line) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self.path.with_suffix(".lock")):
            self._lines = self._read() | {self._key(line): line}
            with replacing_file(self.path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, [*self._asked, *self._found], lineterminator="\n")
                writer.writeheader()
                writer.writerows(line for _, line in sorted(self._lines.items()))


def digest(told: Any) -> str:
    """Return a few letters for settings (JSON values), others for other settings."""
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:8]
