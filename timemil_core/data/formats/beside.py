"""Files beside one another that are one set only together: labels in a table of their own, by the series' ids or by the
order of rows, and a file a channel (as the UCI HAR folder has them), each perhaps for training and for testing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from timemil_core.data.files.choices import Choosing, Value
from timemil_core.data.files.contract import Progress, Reader, Understood, unheard
from timemil_core.data.files.joining import joined
from timemil_core.data.files.naming import part_of, without_part
from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import Source
from timemil_core.data.formats.labels_file import HINT
from timemil_core.data.formats.many import understand_many
from timemil_core.data.formats.tables.chunks import chunks_of
from timemil_core.data.formats.tables.columns import Column
from timemil_core.data.formats.tables.layout import Written
from timemil_core.data.formats.tables.looking import look_at
from timemil_core.data.formats.tables.names import role_of_name
from timemil_core.data.formats.tables.reader import understand_table
from timemil_core.data.formulas import unguarded
from timemil_core.data.report_line import note, warning
from timemil_core.data.series_set import FloatArray
from timemil_core.data.wording import counted, listed
from timemil_core.errors import DataError

MOST_FILES = 60
FEWEST_COLUMNS = 4  # of a file whose rows are series
ROWS_WRITTEN: dict[str, Value] = {"has_header": False, "layout": "wide", "label_column": None, "id_column": None}


@dataclass(frozen=True, eq=False)
class Looked:
    """A table that was looked at: how it is written, and its columns' first cells."""

    source: Source
    written: Written
    columns: Sequence[Column]

    @property
    def part(self) -> str:
        """``train``, ``test``, or "" where its name says neither."""
        return part_of(self.source) or ""

    @property
    def role(self) -> str | None:
        """What its name says of what it holds: ``y_train.txt`` labels, ``subject_train.txt`` groups."""
        return role_of_name(without_part(self.source.stem))

    def texts(self, position: int) -> list[str]:
        """Return a column's cells, all of them."""
        chunks = chunks_of(self.written, set(), unheard)
        return [unguarded(text).strip() for chunk in chunks for text in chunk.texts(position)]


def understand_beside(
    reader: Reader, sources: Sequence[Source], choose: Choosing
) -> tuple[Understood, set[Source]] | None:
    """Look at tables that may be one set together; None where they are not. Returns the files that were used, too.

    Raises
    ------
    DataError
        Where a choice cannot be.
    """
    if not 2 <= len(sources) <= MOST_FILES:
        return None
    looked = [one for source in sources if (one := _looked_at(source)) is not None]
    return _by_rows(looked, choose) or _by_ids(reader, looked, choose)


def _looked_at(source: Source, **given: Value) -> Looked | None:
    try:
        written, columns, _ = look_at(source, Choosing(given, source.name))
        if not given and written.has_header and all(_is_whole(name) for name in written.columns):
            return _looked_at(source, has_header=False)
    except DataError:
        return None
    return Looked(source, written, columns)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _by_rows(looked: Sequence[Looked], choose: Choosing) -> tuple[Understood, set[Source]] | None:
    """Rows of several files belong together: a file a channel or one of values, and one column of labels."""
    singles = [one for one in looked if len(one.columns) == 1 and one.role in ("label", "group")]
    wide = [one for one in looked if _holds_rows_of_numbers(one)]
    labels = {one.part: one for one in singles if one.role == "label"}
    groups = {one.part: one for one in singles if one.role == "group"}
    widths = Counter(len(one.columns) for one in wide)
    if not labels or not wide:
        return None
    width = max(widths, key=lambda n: widths[n])
    used = [one for one in wide if len(one.columns) == width]
    parts = sorted({one.part for one in used}, key=lambda part: part == "test")
    channels = {part: {without_part(one.source.stem): one for one in used if one.part == part} for part in parts}
    names = list(channels[parts[0]])
    if any(list(channels[part]) != names for part in parts) or sum(map(len, channels.values())) != len(used):
        return None
    tables = [one for one in looked if len(one.columns) == 2 and HINT.search(one.source.stem)]
    lines = [
        note(
            f"A row is a series of {width} time points and {counted(len(names), 'channel')}, a file a channel: "
            f"{listed(names)}."
        ),
        *(note(f"{one.source.name!r} tells the class of each row.") for one in labels.values()),
        *(note(f"{one.source.name!r} tells the subject of each row.") for one in groups.values()),
    ]
    if left := [one.source.name for one in wide if one not in used]:
        text = f"Left out, for their rows are of another length: {listed(left)}."
        lines.append(warning(text, remedy="Please check."))

    def load(progress: Progress) -> Parts:
        made = []
        for position, part in enumerate(parts):
            progress(position / len(parts), f"reading the {part or 'only'} part")
            one = _stacked(channels[part], names)
            one.labels = _aligned(labels.get(part), one, tables) or [None] * len(one.series)
            subjects = _aligned(groups.get(part), one, [])
            one.groups = None if subjects is None else [text or "unknown" for text in subjects]
            one.split = [part] * len(one.series) if part else None
            made.append((part, one))
        return joined(made) if len(made) > 1 else made[0][1]

    choose.made.clear()
    understood = Understood(f"{counted(len(used), 'file')}, each a channel whose rows are series", load, lines)
    return understood, {one.source for one in (*used, *labels.values(), *groups.values(), *tables)}


def _holds_rows_of_numbers(one: Looked) -> bool:
    return len(one.columns) >= FEWEST_COLUMNS and all(column.numbers is not None for column in one.columns)


def _stacked(files: Mapping[str, Looked], names: Sequence[str]) -> Parts:
    """Return the series of files of one channel each, ``(n_channels, n_timepoints)``."""
    read: dict[str, Parts] = {}
    for name, one in files.items():
        read[name] = understand_table([one.source], Choosing(_all_columns(one), one.source.name)).load(unheard)
    counts = {name: len(parts.series) for name, parts in read.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{files[name].source.name!r} {count}" for name, count in counts.items())
        raise DataError(f"The files differ in their number of rows: {told}.", remedy="Give files of the same series.")
    series: list[FloatArray] = []
    for rows in zip(*(read[name].series for name in names), strict=True):
        longest = max(row.shape[1] for row in rows)
        whole = np.full((len(rows), longest), np.nan, dtype=np.float32)
        for place, row in enumerate(rows):
            whole[place, : row.shape[1]] = row[0]
        series.append(whole)
    return Parts(series, [str(place + 1) for place in range(len(series))], tuple(names), [None] * len(series))


def _all_columns(one: Looked) -> dict[str, Value]:
    columns = tuple(one.written.columns)
    return {**ROWS_WRITTEN, "has_header": one.written.has_header, "channel_columns": columns}


def _aligned(table: Looked | None, parts: Parts, names: Sequence[Looked]) -> list[str | None] | None:
    """Return the one column's texts, a series each; by the names that a table of two columns gives them."""
    if table is None:
        return None
    texts = table.texts(0)
    if len(texts) != len(parts.series):
        raise DataError(
            f"There are {counted(len(texts), 'label')} for {len(parts.series):,} series.",
            where=table.source.name,
            remedy="Give a row a series, in the same order.",
        )
    for one in names:
        called = dict(zip(one.texts(0), one.texts(1), strict=False))
        if set(texts) <= set(called):
            return [called[text] for text in texts]
    return list(texts)


def _by_ids(reader: Reader, looked: Sequence[Looked], choose: Choosing) -> tuple[Understood, set[Source]] | None:
    """One table has a row a series, with its id and its class; the others hold the series under these ids."""
    for table in sorted(looked, key=lambda one: not HINT.search(one.source.stem) and one.role != "label"):
        others = [one for one in looked if one is not table and not _is_alike(one, table)]
        for key in table.columns:
            if not key.is_named or key.repeats or role_of_name(key.name) not in ("id", "group"):
                continue
            values = [one for one in others if _column(one, key.name) is not None and len(one.columns) > 2]
            told = [column for column in table.columns if column is not key and column.is_named]
            if values and told and not any(_tells_classes(one) for one in values):
                tables = [one for one in looked if one not in values and _is_alike(one, table, exactly=True)]
                return _understood_by_ids(reader, key.name, values, [table, *tables], told, choose)
    return None


def _tells_classes(one: Looked) -> bool:
    return any(role_of_name(column.name) == "label" and column.could_be_label for column in one.columns)


def _column(one: Looked, name: str) -> Column | None:
    return next((column for column in one.columns if column.name.strip().lower() == name.strip().lower()), None)


def _is_alike(one: Looked, other: Looked, *, exactly: bool = False) -> bool:
    same = one.written.columns == other.written.columns
    return same and (one is not other) and (not exactly or bool(HINT.search(one.source.stem)) or one.role == "label")


def _understood_by_ids(
    reader: Reader,
    key: str,
    values: Sequence[Looked],
    tables: Sequence[Looked],
    told: Sequence[Column],
    choose: Choosing,
) -> tuple[Understood, set[Source]]:
    table = tables[0]
    name = next(column.name for column in values[0].columns if column.name.strip().lower() == key.strip().lower())
    inner = Choosing({"id_column": name, "label_from": None, **choose.given}, choose.where)
    bundles = [[one.source] for one in values]
    is_one = len(bundles) == 1
    first = reader.understand(bundles[0], inner) if is_one else understand_many(reader, bundles, [], inner)[0]
    choose.made.update({one: choice for one, choice in inner.made.items() if one != "label_from"})
    fitting = [column for column in told if column.could_be_label and role_of_name(column.name) != "group"]
    guess = next((c for c in told if role_of_name(c.name) == "label"), None) or next(
        iter(sorted(fitting, key=lambda column: not column.is_text)), None
    )
    titles = {column.name: f"{table.source.name}: {column.name}" for column in told}
    column = choose.one_or_none("labels_by_id", "Class of each series", titles, guess.name if guess else None)
    group = next((c.name for c in told if role_of_name(c.name) == "group" and c.name != column), None)

    def load(progress: Progress) -> Parts:
        parts = first.load(progress)
        split = parts.split or [""] * len(parts.series)
        if column is not None:
            parts.labels = _looked_up(tables, key, column, parts.ids, split)
        if group is not None and (found := _looked_up(tables, key, group, parts.ids, split)) and None not in found:
            parts.groups = [str(one) for one in found]
        if silent := sum(label is None for label in parts.labels):
            text = (
                f"{table.source.name!r} says nothing of {silent:,} of {len(parts.series):,} series: no class is known."
            )
            parts.lines.append(warning(text, choice="labels_by_id"))
        return parts

    answered = ("label_column", "label_from")
    lines = [line for line in first.lines if line.kind != "warning" or line.choice not in answered]
    lines.insert(0, note(f"{table.source.name!r} tells the class of each series, by {key!r}.", choice="labels_by_id"))
    understood = Understood(first.title, load, lines, first.head, first.cut)
    return understood, {one.source for one in (*values, *tables)}


def _looked_up(
    tables: Sequence[Looked], key: str, column: str, ids: Sequence[str], split: Sequence[str]
) -> list[str | None]:
    """Return what the tables say of each series; a table for one part says nothing of the other's."""
    found: dict[str, dict[str, str]] = {}
    for one in tables:
        keys, texts = ((named := _column(one, name)) and one.texts(named.position) for name in (key, column))
        found.setdefault(one.part, {}).update(zip(keys or [], texts or [], strict=False))
    answers: list[str | None] = []
    for name, part in zip(ids, split, strict=True):
        plain = name.removeprefix("train ").removeprefix("test ")
        asked = [found.get(part, {}), found.get("", {})] if part else list(found.values())
        answers.append(next((said[one] for said in asked for one in (name, plain) if one in said), None))
    return answers
