"""``Cell``: one training of a sweep, and the name that its settings give it."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from timemil_core.setting_checks import setting_text

DIGITS = 12  # of the fingerprint: 48 bits, a clash among a million cells is one in five hundred
LONGEST_DATA_NAME = 60


@dataclass(frozen=True)
class Cell:
    """One training of a sweep.

    Attributes
    ----------
    data
        A data set's reference.
    preset
        Where the settings start from.
    settings
        Single settings of the model or the training, changed.
    seed
        Of everything random.
    """

    data: str
    preset: str
    settings: dict[str, Any]
    seed: int

    @property
    def fingerprint(self) -> str:
        """Hexadecimal digits that change with anything that was asked for."""
        asked = [self.data, self.preset, self.settings, self.seed]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:DIGITS]

    @property
    def name(self) -> str:
        """Its folder's name: data, seed and fingerprint."""
        readable = re.sub(r"[^A-Za-z0-9_-]", "_", self.data)[:LONGEST_DATA_NAME]
        return f"{readable}-seed{self.seed}-{self.fingerprint}"

    @property
    def title(self) -> str:
        """What it is, for people."""
        changed = [f"{key}={setting_text(value)}" for key, value in self.settings.items()]
        return " ".join([self.data, self.preset, *changed, f"seed {self.seed}"])

    @property
    def words(self) -> list[str]:
        """The arguments of the ``train`` command that asks for it."""
        changed = [f"--set={key}={setting_text(value)}" for key, value in self.settings.items()]
        return ["--data", self.data, "--preset", self.preset, "--seed", str(self.seed), *changed]
