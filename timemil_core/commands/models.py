"""``models``: list the models that can be opened."""

from __future__ import annotations

import argparse

from timemil_core.commands.table import print_table
from timemil_core.models.shelf import shelf, unreadable
from timemil_core.training.run_folder import UnreadableRun, seen_runs

NAME = "models"
SUMMARY = "list the models that can be opened, and the models and runs that cannot, with why"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments: none."""


def execute(arguments: argparse.Namespace) -> int:
    """Print a table."""
    rows = [
        (entry.reference, entry.kind, entry.data, _accuracy(entry.facts), str(entry.facts.get("state", "")))
        for entry in shelf()
    ]
    print_table(("reference", "kind", "data", "test accuracy", "state"), rows)
    for reference, why in unreadable().items():
        print(f"unreadable model {reference}: {why}")
    for run in seen_runs():
        if isinstance(run, UnreadableRun):
            print(f"unreadable run {run.reference}: {run.why}")
    return 0


def _accuracy(facts: dict[str, object]) -> str:
    scores = facts.get("scores")
    accuracy = scores.get("test_accuracy") if isinstance(scores, dict) else None
    chosen_on_test = facts.get("selection") == "test"
    return "" if accuracy is None else f"{accuracy:.3f}{' (epoch chosen on the test set)' if chosen_on_test else ''}"
