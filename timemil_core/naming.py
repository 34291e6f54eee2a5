"""What people call a run: a name beside its files that can be changed at any time, by anybody who may write there."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from pathlib import Path

from timemil_core.atomic import read_json, write_json
from timemil_core.errors import SettingsError

NAME_FILE = "name.json"
LONGEST_NAME = 80


def checked_name(text: str) -> str:
    """Return a name without what cannot be seen, spaces at its ends and more than one between words.

    Raises
    ------
    SettingsError
        Where nothing is left, or it is longer than 80 characters.
    """
    seen = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in text)
    name = " ".join(seen.split())
    if not name or len(name) > LONGEST_NAME:
        why = f"{len(name)} characters are too many" if name else "it is empty"
        raise SettingsError(f"This cannot be a name: {why}.", remedy=f"Give 1 to {LONGEST_NAME} characters.")
    return name


def given_name(folder: Path) -> str | None:
    """Return the name that somebody gave to what lies in a folder; None where nobody has, or it cannot be read."""
    try:
        content = read_json(folder / NAME_FILE)
    except (OSError, ValueError):
        return None
    try:
        return checked_name(content["name"]) if isinstance(content, dict) else None
    except (KeyError, TypeError, SettingsError):
        return None


def give_name(folder: Path, text: str) -> None:
    """Name what lies in a folder.

    Raises
    ------
    SettingsError
        Where the text cannot be a name.
    StorageError
        Where there is no room, or the folder may not be written to.
    """
    write_json(folder / NAME_FILE, {"name": checked_name(text)})


def when_told(created: str) -> str:
    """Return ``29 Nov, 07:12`` in this machine's time zone, for a time in ISO 8601; "" where it is none."""
    try:
        return datetime.fromisoformat(created).astimezone().strftime("%-d %b, %H:%M")
    except (ValueError, TypeError):
        return ""
