"""Several files of one format as one set: each a series, a recording, or a part of the set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat

from timemil_core.data.files.choices import Choosing, Value
from timemil_core.data.files.contract import Progress, Reader, Understood, unheard
from timemil_core.data.files.joining import joined
from timemil_core.data.files.naming import PARTS, part_of
from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import Source
from timemil_core.data.formats.labels_file import LabelsFile, find_labels_file
from timemil_core.data.formats.path_parts import class_guess, group_guess, path_parts, title_of
from timemil_core.data.report_line import ReportLine, note, repair, warning
from timemil_core.data.wording import counted, listed
from timemil_core.errors import DataError

Alike = Callable[[Source], Callable[[Progress], Parts] | None]
Together = Callable[[Sequence[Source]], list[Parts] | None]
INSIDE = "inside"
SMALL = 1 << 18  # bytes of files that are read at once, so many at most: a mistake has them read one by one
AT_ONCE = 100
# how a file is written may differ from file to file; what its columns are may not
OWN_TO_EACH = frozenset({"encoding", "separator", "decimal", "thousands", "sheet", "time_unit"})
ROW_DOUBTFUL = warning(
    "The class is one a file, but each row of a file was taken for a series of its own.",
    remedy="If a file is one recording, choose the long layout: a row is a time point.",
    choice="layout",
)
BAD_FILES = {"refuse": "refuse them all", "leave out": "leave it out"}
TABLE_NAMES = ("text table", "spreadsheet", "Parquet or Arrow table")


@dataclass(frozen=True, eq=False)
class Told:
    """Where the class, the group and the part of each file's series come from; None or ``inside``: from the file."""

    label: str | None
    group: str | None
    split: str | None
    paths: dict[str, list[str]]
    table: LabelsFile | None

    def of(self, key: str | None, source: Source, position: int) -> str | None:
        """Return what is said of a file at its position among all."""
        if key is None or key == INSIDE:
            return None
        if key.startswith("column:") and self.table is not None:
            return self.table.of(source, key.removeprefix("column:"))
        return self.paths[key][position]


def understand_many(
    reader: Reader, bundles: list[list[Source]], tables: Sequence[Source], choose: Choosing
) -> tuple[Understood, set[Source]]:
    """Look at the first of several files, and at what names and a table among them say of each.

    Returns what was understood, and the tables that were used for it.

    Raises
    ------
    DataError
        Where the first file cannot be read, or a choice cannot be.
    """
    # training before testing, as the archives have it
    bundles = sorted(bundles, key=lambda bundle: part_of(bundle[0]) == "test")
    own = [bundle[0] for bundle in bundles]
    table = find_labels_file(tables or (own if reader.name in TABLE_NAMES else []), own)
    if table is not None:
        bundles = [bundle for bundle in bundles if bundle[0] is not table.source]
    files = [bundle[0] for bundle in bundles]
    first = reader.understand(bundles[0], choose)
    if table is None and len(files) == 1:
        return first, set()
    told = _choose(choose, files, table, first.has_labels)
    given = {name: choice.value for name, choice in choose.made.items() if name not in OWN_TO_EACH}
    given |= {name: value for name, value in choose.given.items() if name in OWN_TO_EACH}
    is_strict = choose.one("bad_files", "A file that cannot be read", BAD_FILES, "refuse") == "refuse"
    alike, together = (None, None) if set(choose.given) & OWN_TO_EACH else (first.alike, first.together)
    lines = [
        note(f"{counted(len(files), 'file')} are read alike, as the first one, {files[0].name!r}."),
        *_said(told, files),
        *([ROW_DOUBTFUL] if first.is_row_doubtful and told.label not in (None, INSIDE) else []),
        *(line for line in first.lines if not _is_answered(line, told)),
    ]
    understood = Understood(
        title=f"{counted(len(files), 'file')}, each {first.title}",
        load=lambda progress: _load(reader, bundles, given, told, is_strict, alike, together, progress),
        lines=lines,
        head=first.head,
        cut=first.cut,
    )
    return understood, set() if table is None else {table.source}


def _choose(choose: Choosing, files: Sequence[Source], table: LabelsFile | None, has_labels: bool) -> Told:
    paths = path_parts(files) if len(files) > 1 else {}
    table_name = "" if table is None else table.source.name.rpartition("/")[2]
    columns = {} if table is None else {f"column:{name}": f"{table_name}: {name}" for name in table.columns}
    options = {INSIDE: "in the files"} | columns | {key: title_of(key, paths) for key in paths}
    guess = INSIDE if has_labels else class_guess(paths)
    group = group_guess(paths)
    parts = Counter(part_of(source) for source in files)
    split = INSIDE
    if table is not None:
        guess = None if (name := table.label_guess()) is None else f"column:{name}"
        group = f"column:{name}" if (name := table.column_for("group")) else group
        split = f"column:{name}" if (name := table.column_for("split")) else split
    by_name = {"names": "names of files and folders"} if parts["train"] and parts["test"] else {}
    return Told(
        label=choose.one_or_none("label_from", "Class of each file", options, guess),
        group=choose.one_or_none(
            "group_from",
            "Subject or recording of each file",
            options,
            group or INSIDE,
            help="Series of one subject or recording stay on one side of a split.",
        ),
        split=choose.one_or_none(
            "split_from",
            "Part of each file",
            {INSIDE: "in the files", **by_name, **columns},
            next(iter(by_name), split),
        ),
        paths=paths | ({"names": [part_of(source) or "train" for source in files]} if by_name else {}),
        table=table,
    )


def _said(told: Told, files: Sequence[Source]) -> Iterator[ReportLine]:
    if told.table is not None:
        text = f"{told.table.source.name!r} tells of each file, which its column {told.table.key_column!r} names"
        _, is_told, column = (told.label or "").partition("column:")
        what = f"; the class is in {column!r}" if is_told else ""
        yield note(f"{text}{what}.", choice="label_from")
        column = next(iter(told.table.columns))
        if silent := [source.name for source in files if told.table.of(source, column) is None]:
            yield warning(
                f"It says nothing of {counted(len(silent), 'file')}: {listed(silent, 3)}. Their class is not known.",
                where=told.table.source.name,
                choice="label_from",
            )
    elif told.label is not None and told.label != INSIDE:
        paths = {key: texts for key, texts in told.paths.items() if key != "names"}
        yield warning(
            f"The class is taken from the {title_of(told.label, paths)}.", remedy="Please check.", choice="label_from"
        )
    if told.split == "names":
        yield note("Names of files or folders say which are for training and which for testing.", choice="split_from")
    if told.group is not None and told.group != INSIDE:
        yield note("The subject or recording is taken from names or the table.", choice="group_from")


def _is_answered(line: ReportLine, told: Told) -> bool:
    """Tell whether a warning of the first file no longer holds: each file is a series, its class is told elsewhere."""
    is_about_class = line.choice in ("label_column", "labels", "cut") and told.label not in (None, INSIDE)
    return line.kind == "warning" and (line.choice == "id_column" or is_about_class)


def _load(
    reader: Reader,
    bundles: list[list[Source]],
    given: Mapping[str, Value],
    told: Told,
    is_strict: bool,
    alike: Alike | None,
    together: Together | None,
    progress: Progress,
) -> Parts:
    names = _names([bundle[0] for bundle in bundles], told)
    made: list[tuple[str, Parts]] = []
    refused: list[tuple[str, DataError]] = []
    for position, (bundle, ready) in enumerate(zip(bundles, _ready(bundles, together), strict=True)):
        progress(position / len(bundles), f"file {position + 1:,} of {len(bundles):,}")
        try:
            parts = _read(reader, bundle, given, alike) if ready is None else ready
        except DataError as error:
            if is_strict:
                raise _with_way_out(_explained(reader, bundles[0], bundle, error)) from error
            refused.append((bundle[0].name, error))
            continue
        made.append((names[position], _with_told(parts, names[position], told, bundle[0], position)))
    if not made:
        raise refused[0][1]
    parts = joined(made)
    parts.lines.extend(
        repair(f"The file is left out: {error.problem}", where=error.where or name, choice="bad_files")
        for name, error in refused[:5]
    )
    if len(refused) > 5:
        parts.lines.append(repair(f"{len(refused) - 5:,} more files are left out.", choice="bad_files"))
    return parts


def _ready(bundles: Sequence[Sequence[Source]], together: Together | None) -> Iterator[Parts | None]:
    """Yield what each file holds where small files beside it could be read with it at once, else None."""
    waiting: list[Source] = []
    for position, bundle in enumerate(bundles):
        is_small = together is not None and len(bundle) == 1 and bundle[0].size <= SMALL
        if is_small:
            waiting.append(bundle[0])
        if not is_small or len(waiting) == AT_ONCE or position == len(bundles) - 1:
            made = together(waiting) if together is not None and len(waiting) > 1 else None
            yield from repeat(None, len(waiting)) if made is None else made
            waiting = []
        if not is_small:
            yield None


def _read(reader: Reader, bundle: list[Source], given: Mapping[str, Value], alike: Alike | None) -> Parts:
    """Read a file as the first was read where it begins alike, else as it suggests itself under the same choices."""
    try:
        load = None if alike is None or len(bundle) > 1 else alike(bundle[0])
        if load is not None:
            return load(unheard)
    except DataError:
        load = None  # it is written otherwise behind its header, or damaged: looking at it tells
    choose = Choosing(given, bundle[0].name)
    return reader.understand(bundle, choose).load(lambda _share, _doing: None)


def _explained(reader: Reader, first: list[Source], other: list[Source], error: DataError) -> DataError:
    """Say where files differ in their columns, which is why choices made for the first do not fit the other."""
    try:
        heads = [reader.understand(one, Choosing({}, one[0].name)).head for one in (first, other)]
    except DataError:
        return error
    names = [None if head is None else list(map(str, head.columns)) for head in heads]
    if names[0] is None or names[1] is None or names[0] == names[1]:
        return error
    return DataError(
        f"{first[0].name!r} has the columns {listed(names[0], 6)}, {other[0].name!r} has {listed(names[1], 6)}: "
        "they cannot be read alike.",
        where=other[0].name,
        remedy="Is one of them a table of labels? It needs a column that names the files or holds the series' ids.",
    )


def _with_way_out(error: DataError) -> DataError:
    remedy = f"{error.remedy} Or choose to leave out files that cannot be read.".strip()
    return DataError(error.problem, where=error.where, remedy=remedy)


def _names(files: Sequence[Source], told: Told) -> list[str]:
    """Return a name a file: its part where there is one file of each, else its own, with folders where needed."""
    parts = told.paths.get("names") if told.split == "names" else None
    if parts is not None and sorted(parts) == ["test", "train"]:
        return parts
    stems = [source.stem for source in files]
    return stems if len(set(stems)) == len(stems) else [source.name for source in files]


def _with_told(parts: Parts, name: str, told: Told, source: Source, position: int) -> Parts:
    n_series = len(parts.series)
    if n_series == 1 and name not in PARTS:
        parts.ids = [name]
    if told.label != INSIDE:
        parts.labels = [told.of(told.label, source, position)] * n_series
    if told.group != INSIDE:
        group = told.of(told.group, source, position)
        parts.groups = None if group is None else [group] * n_series
    if told.split != INSIDE:
        word = (told.of(told.split, source, position) or "train").strip().lower()
        parts.split = ["test" if word in ("test", "testing", "te", "eval", "holdout") else "train"] * n_series
    return parts
