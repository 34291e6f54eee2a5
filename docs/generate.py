"""Writes ``docs/reference/{commands,settings,formats,methods}.md`` from the code: ``python docs/generate.py``."""

from __future__ import annotations

import argparse
import dataclasses
import re
from collections.abc import Callable, Iterator
from inspect import getdoc
from pathlib import Path

from timemil_core.commands.registry import NAMES, load_command
from timemil_core.data.formats.registry import READERS, UNREADABLE
from timemil_core.explain.importance import METHODS
from timemil_core.models.config import PRESET_NAMES, ModelConfig, preset
from timemil_core.setting_checks import setting_text
from timemil_core.training.config import TrainingConfig, training_preset

FOLDER = Path(__file__).parent / "reference"
NOTE = "Written by `python docs/generate.py` from the code; a test holds it to be current.\n"


def commands() -> str:
    """Return every command with its arguments."""
    return "\n".join(["# Commands", NOTE, *(line for name in NAMES for line in _command(name))])


def _command(name: str) -> Iterator[str]:
    command = load_command(name)
    parser = argparse.ArgumentParser(prog=f"python -m timemil_core {name}", add_help=False)
    command.add_arguments(parser)
    yield f"## `python -m timemil_core {name}`"
    yield f"{command.SUMMARY}\n"
    arguments = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    if not arguments:
        return
    yield "| argument | what it is |\n|---|---|"
    for action in arguments:
        names = ", ".join(f"`{one}`" for one in action.option_strings) or f"`{action.metavar or action.dest}`"
        value = action.metavar if action.option_strings and action.nargs != 0 else None
        told = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
        listed = ", ".join(map(str, action.choices or ()))
        choices = (
            f"{'.' if told and not told.endswith('.') else ''} One of {listed}."
            if listed and listed not in told
            else ""
        )
        shown = f" {' '.join(value) if isinstance(value, tuple) else value}" if value else ""
        yield f"| {names}{shown} | {_cell(f'{told}{choices}')} |"
    yield ""


def settings() -> str:
    """Return every setting of a network and of its training, with its default and what other presets say."""
    names = PRESET_NAMES
    networks = {name: preset(name, n_channels=1, n_classes=2) for name in names}
    trainings = {name: training_preset(name) for name in names}
    lines = ["# Settings", NOTE, "`--set NAME=VALUE` changes one; a preset is chosen by `--preset`.\n"]
    lines += ["## Of the network", *_settings(ModelConfig, networks)]
    lines += ["", "## Of the training", *_settings(TrainingConfig, trainings)]
    return "\n".join([*lines, ""])


def _settings(of: type, presets: dict[str, object]) -> Iterator[str]:
    told = _attributes(of)
    yield f"| setting | {' | '.join(presets)} | what it is |"
    yield "|---" * (len(presets) + 2) + "|"
    for one in dataclasses.fields(of):
        values = " | ".join(setting_text(getattr(config, one.name)) for config in presets.values())
        yield f"| `{one.name}` | {values} | {_cell(told.get(one.name, ''))} |"


def _attributes(of: type) -> dict[str, str]:
    """Return what the docstring says of each attribute; of several together, each the same."""
    lines = (getdoc(of) or "").partition("Attributes\n----------\n")[2].splitlines()
    told: dict[str, str] = {}
    names: list[str] = []
    for line in lines:
        if line and not line.startswith(" "):
            names = line.split(", ")
        for name in names if line.startswith(" ") else []:
            told[name] = f"{told.get(name, '')} {line.strip()}".strip()
    return told


def formats() -> str:
    """Return what is read, and what is named and refused."""
    lines = ["# Formats", NOTE, "Found out from the content, not from the name; in this order, in archives too.\n"]
    lines += [f"- {reader.name}" for reader in READERS]
    lines += ["\n## Named, and not read\n| begins with | what it is | what to do |\n|---|---|---|"]
    lines += [f"| `{mark!r}` | {_cell(what)} | {_cell(remedy)} |" for mark, what, remedy in UNREADABLE]
    return "\n".join([*lines, ""])


def methods() -> str:
    """Return every importance method."""
    lines = ["# Importance methods", NOTE, "| key | title | for one class | by channel |\n|---|---|---|---|"]
    lines += [
        f"| `{key}` | {_cell(one.title)} | {_yes(one.class_specific)} | {_yes(one.per_channel)} |"
        for key, one in METHODS.items()
    ]
    return "\n".join([*lines, ""])


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("``", "`").replace("|", "\\|").strip()


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands,
    "settings.md": settings,
    "formats.md": formats,
    "methods.md": methods,
}

if __name__ == "__main__":
    for name, write in PAGES.items():
        (FOLDER / name).write_text(write(), encoding="utf-8")
