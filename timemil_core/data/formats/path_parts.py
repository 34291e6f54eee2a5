"""What names of files and folders can tell of a series: its class, its subject."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from timemil_core.data.files.naming import PARTS
from timemil_core.data.files.source import Source

MARKS = re.compile(r"[_\-. ,()\[\]]+")
WORDS = re.compile(r"[^\W\d_]+|\d+")
SUBJECT = re.compile(r"(s|sub|subj|subject|p|pat|patient|participant|user|person|pid|id)\d+", re.IGNORECASE)
SHOWN = 4
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
MOST_CLASSES = 60


def path_parts(sources: Sequence[Source]) -> dict[str, list[str]]:
    """Return the parts of names that differ between files, each with its text for every file.

    Keys are ``folder:1`` (the outermost) … and ``name:1`` …
    """
    depth = min(len(source.folders) for source in sources)
    columns = {f"folder:{level + 1}": [source.folders[level] for source in sources] for level in range(depth)}
    pieces = [_pieces(source.stem) for source in sources]
    if len({len(one) for one in pieces}) == 1:
        columns |= {f"name:{place + 1}": [one[place] for one in pieces] for place in range(len(pieces[0]))}
    else:
        columns |= {"name:first": [one[0] for one in pieces], "name:last": [one[-1] for one in pieces]}
    return {key: texts for key, texts in columns.items() if len(set(texts)) > 1}


def _pieces(stem: str) -> list[str]:
    by_marks = [piece for piece in MARKS.split(stem) if piece]
    return by_marks if len(by_marks) > 1 else WORDS.findall(stem) or [stem]


def title_of(key: str, paths: Mapping[str, Sequence[str]]) -> str:
    """Return a part in words, with some of what it says: ``folder: 'run', 'walk'``, ``second part of the name: …``."""
    shown = list(dict.fromkeys(paths[key]))
    where, place = key.split(":")
    folders = [other for other in paths if other.startswith("folder:")]
    if where == "name":
        what = f"{_ordinal(int(place)) if place.isdigit() else place} part of the name"
    elif len(folders) <= 2:
        what = "folder" if len(folders) == 1 else ("outer folder", "inner folder")[folders.index(key)]
    else:
        what = f"{_ordinal(int(place))} folder from outside"
    return f"{what}: {', '.join(map(repr, shown[:SHOWN]))}{' …' if len(shown) > SHOWN else ''}"


def _ordinal(number: int) -> str:
    """Return 1 as ``first``; from the eleventh on, ``11th``."""
    return ORDINALS[number - 1] if number <= len(ORDINALS) else f"{number}th"


def class_guess(parts: dict[str, list[str]]) -> str | None:
    """Return the part that could be classes: the innermost folder that sorts files, else the first such word."""
    fitting = [key for key, texts in parts.items() if _could_be_classes(texts)]
    folders = [key for key in fitting if key.startswith("folder")]
    folders = [key for key in folders if not all(SUBJECT.fullmatch(text) for text in parts[key])] or folders
    words = [key for key in fitting if key.startswith("name") and not any(text.isdigit() for text in parts[key])]
    words = [key for key in words if not all(SUBJECT.fullmatch(text) for text in parts[key])]
    return folders[-1] if folders else next(iter(words), None)


def group_guess(parts: dict[str, list[str]]) -> str | None:
    """Return the part that is named as subjects are: s01, patient12."""
    return next((key for key, texts in parts.items() if all(SUBJECT.fullmatch(text) for text in texts)), None)


def _could_be_classes(texts: Sequence[str]) -> bool:
    distinct = set(texts)
    if {text.lower() for text in distinct} <= set(PARTS):
        return False
    return 2 <= len(distinct) <= min(MOST_CLASSES, max(2, len(texts) // 2))
