"""Sets in the ``.ts`` format of the UEA and UCR archives, read by aeon."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from timemil_core.data.class_names import label_indices, sorted_class_names
from timemil_core.data.known_sets import KNOWN
from timemil_core.data.series_set import BoolArray, FloatArray, SeriesSet, default_channel_names
from timemil_core.data.signatures import metadata_file, read_signatures
from timemil_core.errors import DataError

HEADER_LINES = 2000
ENCODINGS = ("utf-8", "latin-1")
LONGEST_REASON = 200  # characters
CANNOT = (
    OSError,
    ValueError,
    IndexError,
    KeyError,
    TypeError,
    AttributeError,
    NameError,
    OverflowError,
    MemoryError,
    RecursionError,
)


@dataclass(frozen=True)
class TsHeader:
    """What a ``.ts`` file says of itself; None and () where it does not say."""

    n_channels: int | None
    length: int | None
    class_names: tuple[str, ...]
    is_regression: bool
    has_timestamps: bool = False


def peek_header(path: Path) -> TsHeader:
    """Read the header alone.

    Raises
    ------
    DataError
        Where the file cannot be opened.
    """
    tags = dict(_header_tags(path))
    n_channels = 1 if _first(tags, "@univariate") == "true" else _whole(_first(tags, "@dimensions"))
    classes = tags.get("@classlabel", [])
    return TsHeader(
        n_channels=n_channels,
        length=_whole(_first(tags, "@serieslength")),
        class_names=tuple(classes[1:]) if classes[:1] in (["true"], ["True"], ["TRUE"]) else (),
        is_regression=_first(tags, "@targetlabel") == "true",
        has_timestamps=_first(tags, "@timestamps") == "true",
    )


def _header_tags(path: Path) -> Iterator[tuple[str, list[str]]]:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in islice(file, HEADER_LINES):
                words = line.split()
                if words and words[0].startswith("@"):
                    if words[0].lower() == "@data":
                        return
                    yield words[0].lower(), words[1:]
    except OSError as error:
        raise DataError(f"The file cannot be opened ({error.strerror}).", where=path.name) from error


def _first(tags: dict[str, list[str]], tag: str) -> str:
    return (tags.get(tag) or [""])[0].lower()


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else None


@dataclass(frozen=True)
class TsPart:
    """One ``.ts`` file's series, labels as text (None: unknown), instance labels, and how many lost their padding."""

    series: tuple[FloatArray, ...]
    labels: tuple[str | None, ...]
    truth: tuple[BoolArray, ...] | None
    n_trimmed: int


def read_ts(path_train: Path, path_test: Path | None = None, name: str | None = None) -> SeriesSet:
    """Read a training file and, where given, its test file; the split is the files'.

    ``name`` is by default the training file's without ``_TRAIN``; facts of a known set (sampling rate, channel
    names) are taken from ``known_sets``. Classes are those that occur, numbers in numeric order.

    Raises
    ------
    DataError
        Where a file cannot be read, holds a regression target, or the two files do not fit together.
    """
    name = name or path_train.stem.removesuffix("_TRAIN")
    parts = [read_part(path) for path in (path_train, path_test) if path is not None]
    channels = {part.series[0].shape[0] for part in parts}
    if len(channels) > 1:
        raise DataError(f"The training and the test file differ in channels: {sorted(channels)}.", where=name)
    labels = [label for part in parts for label in part.labels]
    class_names = sorted_class_names(label for label in labels if label is not None)
    split = [part_name for part_name, part in zip(("train", "test"), parts, strict=False) for _ in part.series]
    truths = [part.truth for part in parts]
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
        instance_labels=_joined_truth(truths),
        provenance=tuple(_provenance(name, parts, [path_train, path_test])),
    )


def _numbered(split: Sequence[str]) -> tuple[str, ...]:
    n_train = split.count("train")
    return tuple(f"{part} {index + 1 - (n_train if part == 'test' else 0)}" for index, part in enumerate(split))


def _joined_truth(truths: Sequence[tuple[BoolArray, ...] | None]) -> tuple[BoolArray, ...] | None:
    known = [truth for truth in truths if truth is not None]
    if len(known) < len(truths):
        return None
    return tuple(marked for truth in known for marked in truth)


def read_part(path: Path, shown: str = "") -> TsPart:
    """Read one file, called ``shown`` in messages.

    Raises
    ------
    DataError
        Where it cannot be read, or holds time stamps or a number to predict.
    """
    shown = shown or path.name
    header = peek_header(path)
    if header.is_regression:
        raise DataError(
            "The file holds a number to predict, not classes.",
            where=shown,
            remedy="Give a .ts file with '@classLabel true' and its classes.",
        )
    if header.has_timestamps:
        raise DataError(
            "The file holds a time stamp with each value; aeon's loader would lose the signs of the values.",
            where=shown,
            remedy="Write the values alone with '@timestamps false', or a long CSV table with a time column.",
        )
    values, labels, metadata = _load_by_aeon(path, shown)
    series, n_trimmed = _trimmed(values)
    if not series:
        raise DataError("The file holds no series.", where=shown)
    signatures = metadata_file(path)
    truth = None
    if signatures.is_file():
        truth = read_signatures(signatures, [one.shape[1] for one in series])
    known_labels = _as_written(labels, header) if metadata["classlabel"] else [None] * len(series)
    return TsPart(series, tuple(known_labels), truth, n_trimmed)


def _load_by_aeon(path: Path, shown: str) -> tuple[Any, Any, dict[str, Any]]:
    # importing aeon's data sets takes seconds, so only where a file is read
    from aeon.datasets import load_from_ts_file

    for encoding in ENCODINGS:
        try:
            return load_from_ts_file(str(path), return_meta_data=True, encoding=encoding)
        except UnicodeDecodeError:
            continue
        except CANNOT as error:
            raise DataError(
                f"The file is not a .ts file that aeon can read ({_shortened(error)}).",
                where=shown,
                remedy="Compare it with the format at https://www.aeon-toolkit.org (data formats, ts).",
            ) from error
    raise DataError("The file's text encoding is unknown.", where=shown, remedy="Save it as UTF-8.")


def _shortened(error: Exception) -> str:
    """Return an error's text without the file object that aeon puts into it, and without whole rows."""
    text = re.sub(r"<_io\.TextIOWrapper[^>]*>", "the file", str(error))
    return text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]} …"


def _trimmed(values: Sequence[np.ndarray[Any, Any]]) -> tuple[tuple[FloatArray, ...], int]:
    """Cut the time points at the end where every channel is NaN: padding, by the archive's convention."""
    series, n_trimmed = [], 0
    for one in values:
        observed = np.flatnonzero(~np.isnan(one).all(axis=0))
        end = int(observed[-1]) + 1 if observed.size else one.shape[1]
        n_trimmed += end < one.shape[1]
        with np.errstate(over="ignore"):
            series.append(np.asarray(one[:, :end], dtype=np.float32))
    return tuple(series), n_trimmed


def _as_written(labels: Sequence[Any], header: TsHeader) -> list[str | None]:
    """Return labels in the header's spelling: aeon reads them in lower case."""
    written = {_as_aeon_reads(name): name for name in header.class_names}
    return [written.get(str(label).strip(), str(label).strip()) for label in labels]


def _as_aeon_reads(label: str) -> str:
    return label.lower().replace("nan", "NaN").replace("?", "NaN")


def _provenance(name: str, parts: Sequence[TsPart], paths: Sequence[Path | None]) -> Iterator[str]:
    files = " and ".join(path.name for path in paths if path is not None)
    yield f"Read from {files}; the split is the files'."
    if known := KNOWN.get(name):
        yield known.summary
    if n_trimmed := sum(part.n_trimmed for part in parts):
        yield f"Missing values that padded the end of {n_trimmed:,} series were cut off."
    if all(part.truth is not None for part in parts):
        yield "Instance labels are from the metadata files; a series without a pattern has none."
    if sum(part.truth is not None for part in parts) == 1 < len(parts):
        yield "Only one of the two files has pattern locations beside it, so they are left out."
