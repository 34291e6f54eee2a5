"""What a set is called, by the names of its files; and which of them are for testing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from timemil_core.data.files.source import Source

FALLBACK = "uploaded series"
MARKS = " _-.,()[]"
PART = re.compile(r"(?:^|(?<=[^A-Za-z]))(train|training|test|testing)(?=$|[^A-Za-z])", re.IGNORECASE)
PARTS = {"train": "train", "training": "train", "test": "test", "testing": "test"}


def set_name(sources: Sequence[Source]) -> str:
    """Return the name of the one file, the beginning that several have in common, or their folder's."""
    stems = [without_part(source.stem) for source in sources]
    if len(set(stems)) == 1 and stems[0]:
        return stems[0]
    common = common_beginning(stems)
    if any(stem[len(common) : len(common) + 1].isdigit() for stem in stems):
        common = common.rstrip("0123456789")  # of subject101 and subject102, "subject10" is no name
    common = common.strip(MARKS)
    if len(common) >= 3:
        return common
    folders = {source.folders[0] for source in sources if source.folders}
    return folders.pop() if len(folders) == 1 else FALLBACK


def without_part(stem: str) -> str:
    """Return a name without ``TRAIN`` or ``TEST`` and the mark beside it."""
    match = PART.search(stem)
    if match is None or len(stem) == len(match[0]):
        return stem
    return (stem[: match.start()].rstrip(MARKS) + stem[match.end() :]).strip(MARKS)


def part_of(source: Source) -> str | None:
    """Return ``train`` or ``test`` where the file's name, else its innermost folder that does, says so."""
    for text in (source.stem, *reversed(source.folders)):
        if found := PART.search(text):
            return PARTS[found[1].lower()]
    return None


def common_beginning(texts: Sequence[str]) -> str:
    """Return what all texts begin with."""
    shortest, longest = min(texts), max(texts)
    n = next((place for place, letter in enumerate(shortest) if longest[place] != letter), len(shortest))
    return shortest[:n]
