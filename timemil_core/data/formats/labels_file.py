"""A table among the files that says which class each of the others is of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from timemil_core.data.files.choices import Choosing
from timemil_core.data.files.contract import unheard
from timemil_core.data.files.source import Source
from timemil_core.data.files.tokens import MISSING_LABELS
from timemil_core.data.formats.tables.chunks import chunks_of
from timemil_core.data.formats.tables.looking import look_at
from timemil_core.data.formats.tables.names import Role, role_of_name
from timemil_core.data.formulas import unguarded
from timemil_core.errors import DataError

HINT = re.compile(r"label|target|class|reference|truth|meta|index|annot|manifest|participant|subject|overview", re.I)
SPLIT = re.compile(r"[,;|\t\r\n\"' ]+")
SNIFFED = 1 << 16
MOST_BYTES = 50_000_000
MOST_LOOKED_AT = 200
ENOUGH = 0.5  # of the files that it names


@dataclass(frozen=True, eq=False)
class LabelsFile:
    """The file, the column that names the others, and for each other column what it says of each file's key."""

    source: Source
    key_column: str
    columns: dict[str, dict[str, str]]

    def column_for(self, role: Role) -> str | None:
        """Return the column whose name says that it has a role."""
        return next((name for name in self.columns if role_of_name(name) == role), None)

    def label_guess(self) -> str | None:
        """Return the column of classes: by its name, else the first of few different texts."""
        if (named := self.column_for("label")) is not None:
            return named
        fitting = [name for name, texts in self.columns.items() if 1 < len(set(texts.values())) <= len(texts) / 2]
        return next(iter(fitting), next(iter(self.columns), None))

    def of(self, source: Source, column: str) -> str | None:
        """Return what a column says of a file, None where it says nothing."""
        texts = self.columns[column]
        text = next((texts[key] for key in keys_of(source) if key in texts), None)
        return None if text is None or text.strip() in MISSING_LABELS else text.strip()


def keys_of(source: Source) -> tuple[str, str, str]:
    """Return the ways in which a table may name a file: its path, its name, and that without its ending."""
    name = source.name.lower()
    return name, name.rpartition("/")[2], plain_key(name)


def plain_key(text: str) -> str:
    """Return a file's name without folders and endings, in lower case."""
    name = text.strip().lower().replace("\\", "/").rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return stem if dot and stem and len(ending) <= 5 and not ending.isdigit() else name


def find_labels_file(candidates: Sequence[Source], files: Sequence[Source]) -> LabelsFile | None:
    """Return the table that names most of the files, None where there is none."""
    hinted = [source for source in candidates if HINT.search(source.stem)]
    others = [source for source in candidates if source not in set(hinted)]
    for source in [*hinted, *others][:MOST_LOOKED_AT]:
        named = {plain_key(one.name) for one in files if one is not source}
        is_hinted = source in hinted
        if not is_hinted and all(key.isdigit() for key in named):
            continue  # numbers are everywhere
        if source.size <= MOST_BYTES and _mentions(source, named):
            found = _read(source, named)
            if found is not None:
                return found
    return None


def _mentions(source: Source, keys: set[str]) -> bool:
    words = SPLIT.split(source.head(SNIFFED).decode("utf-8", errors="ignore"))
    return len({plain_key(word) for word in words} & keys) >= min(2, len(keys))


def _read(source: Source, keys: set[str]) -> LabelsFile | None:
    try:
        written, columns, _ = look_at(source, Choosing({}, source.name))
        if written.has_header and {plain_key(name) for name in written.columns} & keys:
            # what looks like names of columns is the first row
            written, columns, _ = look_at(source, Choosing({"has_header": False}, source.name))
        texts: dict[str, list[str]] = {column.name: [] for column in columns}
        for chunk in chunks_of(written, set(), unheard):
            for position, name in enumerate(written.columns):
                texts[name].extend(unguarded(text) for text in chunk.texts(position))
    except DataError:
        return None
    coverage = {name: len({plain_key(text) for text in cells} & keys) for name, cells in texts.items()}
    key_column = max(coverage, key=lambda name: coverage[name])
    cells = [plain_key(text) for text in texts[key_column]]
    n_named = sum(text in keys for text in cells)
    if coverage[key_column] < ENOUGH * len(keys) or n_named < ENOUGH * len(cells) or len(texts) < 2:
        return None
    rows = [(text.strip().lower(), plain_key(text)) for text in texts.pop(key_column)]
    return LabelsFile(source, key_column, {name: _by_key(rows, cells) for name, cells in texts.items()})


def _by_key(rows: Sequence[tuple[str, str]], cells: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for (full, plain), text in zip(rows, cells, strict=True):
        found.setdefault(full, text)
        found.setdefault(plain, text)
    return found
