"""Sets in the ``.ts`` format of the UEA and UCR archives.

Read here rather than by aeon, whose loader lowers every line, so that classes ``A`` and ``a`` become one, takes the
last value for the class where no ``@classLabel`` is given, refuses comments among the data, and never compares the
header with the lines.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from timemil_core.data.class_names import label_indices, sorted_class_names
from timemil_core.data.files.source import Source, from_path
from timemil_core.data.files.text import scan
from timemil_core.data.files.tokens import MISSING, MISSING_LABELS, is_number
from timemil_core.data.known_sets import KNOWN, named_labels
from timemil_core.data.report_line import ReportLine, note, repair, warning
from timemil_core.data.series_set import BoolArray, FloatArray, SeriesSet, default_channel_names
from timemil_core.data.signatures import metadata_file, read_signatures
from timemil_core.data.wording import counted, listed, shown
from timemil_core.errors import DataError

LOOKED_AT = 200  # lines of data, by which it is told whether they end in a class
TAG_REMEDY = "Write '@classLabel true' with the classes into the header, or '@classLabel false' where there are none."


@dataclass(frozen=True)
class TsHeader:
    """What a ``.ts`` file says of itself; None and () where it does not say.

    ``ends_in_class`` is what the first lines of data show, whatever ``is_labelled`` says.
    """

    n_channels: int | None = None
    length: int | None = None
    class_names: tuple[str, ...] = ()
    is_labelled: bool | None = None
    is_regression: bool = False
    has_timestamps: bool = False
    is_equal_length: bool = False
    first_line: int = 0
    ends_in_class: bool = False


@dataclass(frozen=True)
class TsPart:
    """One ``.ts`` file's series, labels as text (None: unknown), instance labels, and what was found on the way."""

    series: tuple[FloatArray, ...]
    labels: tuple[str | None, ...]
    truth: tuple[BoolArray, ...] | None
    lines: tuple[ReportLine, ...]


def peek_header(source: Source, encoding: str = "utf-8") -> TsHeader:
    """Read the header and the first lines of data, and no more of a file that may be large.

    Raises
    ------
    DataError
        Where the file cannot be opened.
    """
    tags: dict[str, list[str]] = {}
    first_line = 0
    rows: list[list[str]] = []
    for number, line in _lines(source, encoding):
        if first_line:
            rows.append(line.split(":"))
            if len(rows) == LOOKED_AT:
                break
        elif line.startswith("@"):
            words = line.split()
            tags.setdefault(words[0].lower(), words[1:])
            first_line = number if words[0].lower() == "@data" else 0
    flag = _flags(tags)
    classes = tags.get("@classlabel", [])
    n_channels = _whole(tags, "@dimensions", "@dimension") or (1 if flag.get("@univariate") else None)
    return TsHeader(
        n_channels=n_channels,
        length=_whole(tags, "@serieslength"),
        class_names=tuple(classes[1:]) if flag.get("@classlabel") else (),
        is_labelled=flag.get("@classlabel"),
        is_regression=flag.get("@targetlabel", False),
        has_timestamps=flag.get("@timestamps", False) or any(row[0].startswith("(") for row in rows),
        is_equal_length=flag.get("@equallength", False),
        first_line=first_line,
        ends_in_class=_ends_in_class(rows, n_channels, flag.get("@classlabel")),
    )


def _flags(tags: dict[str, list[str]]) -> dict[str, bool]:
    return {tag: words[0].lower() == "true" for tag, words in tags.items() if words}


def _whole(tags: dict[str, list[str]], *names: str) -> int | None:
    texts = [tags[name][0] for name in names if tags.get(name)]
    return int(texts[0]) if texts and texts[0].isascii() and texts[0].isdigit() and len(texts[0]) < 10 else None


def _ends_in_class(rows: Sequence[Sequence[str]], n_channels: int | None, is_labelled: bool | None) -> bool:
    """Tell whether lines end in a class: as the header says, else where one cell stands behind the channels.

    Without a header's word, one cell that is no number is a class, and so is one behind channels of several values.
    """
    if is_labelled or not rows:
        return bool(is_labelled)
    if any(len(row) < 2 or "," in row[-1] for row in rows):
        return False
    is_beyond = n_channels is not None and all(len(row) == n_channels + 1 for row in rows)
    is_word = any(not is_number(row[-1]) and row[-1].strip() not in MISSING for row in rows)
    return is_word or (any("," in row[0] for row in rows) and (is_beyond or n_channels is None))


def _lines(source: Source, encoding: str) -> Iterator[tuple[int, str]]:
    """Yield each line that is neither blank nor a comment, stripped, with its number."""
    with source.open() as file, io.TextIOWrapper(file, encoding=encoding, errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            text = line.strip().removeprefix("\ufeff")
            if text and not text.startswith("#"):
                yield number, text


def read_ts(path_train: Path, path_test: Path | None = None, name: str | None = None) -> SeriesSet:
    """Read a training file and, where given, its test file; the split is the files'.

    ``name`` is by default the training file's without ``_TRAIN``; facts of a known set (sampling rate, names of
    channels and classes) are taken from ``known_sets``. Classes are those that occur, numbers in numeric order.

    Raises
    ------
    DataError
        Where a file cannot be read, holds a regression target, or the two files do not fit together.
    """
    name = name or path_train.stem.removesuffix("_TRAIN")
    paths = [path for path in (path_train, path_test) if path is not None]
    parts = [read_part(from_path(path), metadata_beside(path)) for path in paths]
    channels = {part.series[0].shape[0] for part in parts}
    if len(channels) > 1:
        raise DataError(f"The training and the test file differ in channels: {sorted(channels)}.", where=name)
    labels = named_labels(name, [label for part in parts for label in part.labels])
    class_names = sorted_class_names(label for label in labels if label is not None)
    split = [part_name for part_name, part in zip(("train", "test"), parts, strict=False) for _ in part.series]
    known = KNOWN.get(name)
    n_channels = channels.pop()
    named = known is not None and len(known.channel_names) == n_channels
    return SeriesSet(
        name=name,
        series=tuple(values for part in parts for values in part.series),
        labels=label_indices(labels, class_names),
        class_names=class_names,
        series_ids=_numbered(split),
        channel_names=known.channel_names if known and named else default_channel_names(n_channels),
        split=np.array(split),
        sampling_rate=known.sampling_rate if known else None,
        instance_labels=_joined_truth([part.truth for part in parts]),
        provenance=tuple(_provenance(name, parts, paths)),
    )


def metadata_beside(path: Path) -> Source | None:
    """Return the file of pattern locations beside a ``.ts`` file on disk, None where there is none."""
    beside = metadata_file(path)
    return from_path(beside) if beside.is_file() else None


def _numbered(split: Sequence[str]) -> tuple[str, ...]:
    n_train = split.count("train")
    return tuple(f"{part} {index + 1 - (n_train if part == 'test' else 0)}" for index, part in enumerate(split))


def _joined_truth(truths: Sequence[tuple[BoolArray, ...] | None]) -> tuple[BoolArray, ...] | None:
    known = [truth for truth in truths if truth is not None]
    if len(known) < len(truths):
        return None
    return tuple(marked for truth in known for marked in truth)


def read_part(source: Source, metadata: Source | None = None) -> TsPart:
    """Read one file, and the pattern locations beside it.

    Raises
    ------
    DataError
        Where a line cannot be read (it is named), there is none, or the file holds time stamps or a number to predict.
    """
    encoding = scan(source).encoding  # all of it is that, so that nothing is replaced in what follows
    header = peek_header(source, encoding)
    if header.is_regression:
        raise DataError(
            "The file holds a number to predict, not classes.",
            where=source.name,
            remedy="Give a .ts file with '@classLabel true' and its classes.",
        )
    if header.has_timestamps:
        raise DataError(
            "The file holds a time stamp with each value, which is not read.",
            where=source.name,
            remedy="Write the values alone with '@timestamps false', or a long CSV table with a time column.",
        )
    series: list[FloatArray] = []
    labels: list[str | None] = []
    lengths: list[int] = []
    for number, line in _lines(source, encoding):
        if number <= header.first_line or not header.first_line:
            continue
        where = f"{source.name}, line {number}"
        fields = line.split(":")
        labels.append(_label(fields, header, where))
        values = _values(fields, where)
        if series and len(values) != len(series[0]):
            told = f"The line holds {counted(len(values), 'channel')}, those before it {len(series[0])}"
            raise DataError(f"{told}.", where=where, remedy="" if header.is_labelled is not None else TAG_REMEDY)
        lengths.append(values.shape[1])
        series.append(_trimmed(values))
    if not series:
        raise DataError(
            "The file holds no series.", where=source.name, remedy="Write them beneath '@data', one a line."
        )
    truth = None if metadata is None else read_signatures(metadata, [one.shape[1] for one in series])
    spelled, told_of_classes = _as_in_header(labels, header)
    n_trimmed = sum(one.shape[1] < length for one, length in zip(series, lengths, strict=True))
    lines = [*told_of_classes, *_disagreements(header, len(series[0]), lengths)]
    if n_trimmed:
        lines.append(repair(f"Missing values that padded the end of {n_trimmed:,} series were cut off."))
    return TsPart(tuple(series), tuple(spelled), truth, tuple(lines))


def _label(fields: list[str], header: TsHeader, where: str) -> str | None:
    """Take the class off the end of a line's fields."""
    if not header.ends_in_class:
        return None
    label = fields.pop().strip()
    if not fields or ("," in label and label not in header.class_names):
        raise DataError("The line ends in values, where its class was expected.", where=where, remedy=TAG_REMEDY)
    return None if label in MISSING_LABELS and label not in header.class_names else label


def _values(fields: Sequence[str], where: str) -> FloatArray:
    """Return a line's channels, ``(n_channels, n_timepoints)``, infinity as NaN."""
    rows = [_numbers(field, f"{where}, channel {place}") for place, field in enumerate(fields, start=1)]
    if len({len(row) for row in rows}) > 1:
        told = ", ".join(str(len(row)) for row in rows[:5]) + (" …" if len(rows) > 5 else "")
        raise DataError(
            f"Channels of one series differ in their number of values: {told}.", where=where, remedy=TAG_REMEDY
        )
    with np.errstate(over="ignore"):
        values = np.array(rows, dtype=np.float64).astype(np.float32)
    values[np.isinf(values)] = np.nan
    return values


def _numbers(field: str, where: str) -> list[float]:
    cells = field.replace("?", "nan").split(",")
    try:
        return list(map(float, cells))
    except ValueError:
        return [_number(cell.strip(), where) for cell in cells]


def _number(cell: str, where: str) -> float:
    if cell in MISSING:
        return np.nan
    if not is_number(cell):
        raise DataError(f"{shown(cell)!r} is not a number.", where=where, remedy="Missing values are written as '?'.")
    return float(cell)


def _trimmed(values: FloatArray) -> FloatArray:
    """Cut the time points at the end where every channel is NaN: padding, by the archive's convention."""
    observed = np.flatnonzero(~np.isnan(values).all(axis=0))
    return values[:, : int(observed[-1]) + 1] if observed.size else values


def _as_in_header(labels: Sequence[str | None], header: TsHeader) -> tuple[list[str | None], list[ReportLine]]:
    """Return labels in the header's spelling where that is clear, and what to tell of them."""
    names = header.class_names
    by_case = Counter(name.casefold() for name in names)
    lowered = {name.casefold(): name for name in names if by_case[name.casefold()] == 1}
    numbers = {float(name): name for name in names if is_number(name)}
    spelled: dict[str, str] = {}
    for label in sorted({label for label in labels if label is not None} - set(names)):
        meant = lowered.get(label.casefold()) or (numbers.get(float(label)) if is_number(label) else None)
        if meant is not None:
            spelled[label] = meant
    lines = []
    if spelled:
        pairs = [f"{label!r} as {name!r}" for label, name in list(spelled.items())[:5]]
        lines.append(repair(f"Classes are spelled as in the header: {', '.join(pairs)}."))
    made = [None if label is None else spelled.get(label, label) for label in labels]
    found = {label for label in made if label is not None}
    if names and (strange := sorted(found - set(names))):
        lines.append(
            warning(f"Lines hold classes that the header does not name: {listed(strange)}.", remedy="Check them.")
        )
    if absent := [name for name in names if name not in found]:
        lines.append(note(f"No line is of the class {listed(absent)}, which the header names."))
    return made, lines


def _disagreements(header: TsHeader, n_channels: int, lengths: Sequence[int]) -> Iterator[ReportLine]:
    """Tell where the header and the lines differ; the lines hold."""
    if header.n_channels not in (None, n_channels):
        told = counted(header.n_channels or 0, "channel")
        yield warning(f"The header tells of {told}, the lines hold {n_channels}.", remedy="Check that none was lost.")
    shortest, longest = min(lengths), max(lengths)
    if header.length is not None and (header.length != longest or (header.is_equal_length and shortest != longest)):
        held = f"{longest:,}" if shortest == longest else f"{shortest:,} to {longest:,}"
        yield warning(
            f"The header tells of {header.length:,} time points, the lines hold {held}.", remedy="Check them."
        )
    elif header.is_equal_length and shortest != longest:
        yield warning(
            f"The header tells of equal lengths, the lines hold {shortest:,} to {longest:,} time points.",
            remedy="Check that none was lost.",
        )


def _provenance(name: str, parts: Sequence[TsPart], paths: Sequence[Path]) -> Iterator[str]:
    yield f"Read from {' and '.join(path.name for path in paths)}; the split is the files'."
    if known := KNOWN.get(name):
        yield known.summary
    yield from dict.fromkeys(str(line) for part in parts for line in part.lines if line.kind != "note")
    if all(part.truth is not None for part in parts):
        yield "Instance labels are from the metadata files; a series without a pattern has none."
    if sum(part.truth is not None for part in parts) == 1 < len(parts):
        yield "Only one of the two files has pattern locations beside it, so they are left out."
