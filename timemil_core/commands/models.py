"""``models``: list the models that can be opened."""

from __future__ import annotations

import argparse

from timemil_core.commands.table import print_table
from timemil_core.models.shelf import shelf

NAME = "models"
SUMMARY = "list the models that can be opened"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments: none."""


def execute(arguments: argparse.Namespace) -> int:
    """Print a table."""
    rows = [
        (entry.reference, entry.kind, entry.data, _accuracy(entry.facts), str(entry.facts.get("state", "")))
        for entry in shelf()
    ]
    print_table(("reference", "kind", "data", "test accuracy", "state"), rows)
    return 0


def _accuracy(facts: dict[str, object]) -> str:
    scores = facts.get("scores")
    accuracy = scores.get("test_accuracy") if isinstance(scores, dict) else None
    chosen_on_test = facts.get("selection") == "test"
    return "" if accuracy is None else f"{accuracy:.3f}{' (epoch chosen on the test set)' if chosen_on_test else ''}"
