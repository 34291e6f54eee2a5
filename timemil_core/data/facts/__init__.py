"""Facts of public sets, in tables that are read once: sizes and domains, published accuracies and their sources."""

from __future__ import annotations

import csv
import tomllib
from importlib.resources import files
from typing import Any


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of ``facts/NAME.csv``."""
    lines = (files(__name__) / f"{name}.csv").read_text("utf-8").splitlines()
    return list(csv.DictReader(lines))


def sections(name: str) -> dict[str, dict[str, Any]]:
    """Return the sections of ``facts/NAME.toml``."""
    return tomllib.loads((files(__name__) / f"{name}.toml").read_text("utf-8"))
