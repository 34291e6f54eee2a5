"""A set as ``.ts`` files of the UEA and UCR archives.

aeon's own writer refuses a part of one class, and takes no header of all classes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from timemil_core.data.export.names import file_stem
from timemil_core.data.series_set import UNKNOWN_LABEL, FloatArray, Part, SeriesSet, default_channel_names
from timemil_core.errors import DataError

SEPARATES = re.compile(r"[\s:,?@#()]+")  # what the format itself uses


def write_ts(series_set: SeriesSet) -> dict[str, bytes]:
    """Return file names and contents, ``NAME_TRAIN.ts`` and ``NAME_TEST.ts``; a part without series has no file.

    The format holds values and classes alone: ``lost_in_ts`` tells what it cannot hold.

    Raises
    ------
    DataError
        Where a series has no class, which the format requires.
    """
    if unknown := int((series_set.labels == UNKNOWN_LABEL).sum()):
        raise DataError(
            f"A .ts file holds a class for each series; {unknown:,} series have none.",
            where=series_set.name,
            remedy="Take the CSV or the .npz file.",
        )
    name = file_stem(series_set.name)
    classes = ts_class_names(series_set.class_names)
    parts: tuple[Part, ...] = ("train", "test")
    return {
        f"{name}_{part.upper()}.ts": _write_part(series_set.part(part), classes, name)
        for part in parts
        if len(series_set.indices(part))
    }


def _write_part(part: SeriesSet, classes: Sequence[str], name: str) -> bytes:
    lengths = np.unique(part.lengths)
    header = {
        "problemName": name,
        "timestamps": "false",
        "missing": str(any(np.isnan(values).any() for values in part.series)).lower(),
        "univariate": str(part.n_channels == 1).lower(),
        "dimensions": str(part.n_channels),
        "equalLength": str(len(lengths) == 1).lower(),
        **({"seriesLength": str(lengths[0])} if len(lengths) == 1 else {}),
        "classLabel": " ".join(("true", *classes)),
    }
    lines = [*(f"@{tag} {value}" for tag, value in header.items()), "@data"]
    lines += [
        ":".join([*(",".join(_numbers(channel)) for channel in values), classes[label]])
        for values, label in zip(part.series, part.labels, strict=True)
    ]
    return ("\n".join(lines) + "\n").encode("utf-8")


def _numbers(channel: FloatArray) -> Iterator[str]:
    """Yield numbers in as few digits as bring the same float32 back."""
    return ("NaN" if number == "nan" else number for number in channel.astype(np.str_).tolist())


def ts_class_names(class_names: Sequence[str]) -> tuple[str, ...]:
    """Return class names as the format can hold them: without blanks and separators, and different in lower case."""
    made: list[str] = []
    for name in class_names:
        plain = SEPARATES.sub("_", name.strip()) or "_"
        number = 2
        candidate = plain
        while candidate.casefold() in {one.casefold() for one in made}:
            candidate, number = f"{plain}_{number}", number + 1
        made.append(candidate)
    return tuple(made)


def lost_in_ts(series_set: SeriesSet) -> Iterator[str]:
    """Say, a sentence each, what ``.ts`` files of this set do not hold."""
    kept = {
        "ids of series": False,
        "names of channels": series_set.channel_names == default_channel_names(series_set.n_channels),
        "the sampling rate": series_set.sampling_rate is None,
        "times of time points": series_set.timestamps is None,
        "groups": series_set.groups is None,
        "instance labels": series_set.instance_labels is None,
    }
    yield f"A .ts file does not hold {', '.join(what for what, is_kept in kept.items() if not is_kept)}."
    classes = ts_class_names(series_set.class_names)
    if changed := [
        f"{old!r} as {new!r}" for old, new in zip(series_set.class_names, classes, strict=True) if old != new
    ]:
        yield f"It writes classes without blanks and separators: {', '.join(changed[:5])}."
