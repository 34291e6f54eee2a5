"""``--data`` of every command: a name of the catalogue, or a file or folder that is read as the app would read it.

What decides whether a result can be believed is told on standard error before anything is computed; ``--strict``
makes it an error.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from timemil_core.data.catalogue import load
from timemil_core.data.files.choices import Value
from timemil_core.data.files.source import from_paths
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.formats.reporting import reading_report
from timemil_core.data.report_line import ReportLine
from timemil_core.data.series_set import UNKNOWN_LABEL, SeriesSet
from timemil_core.data.shaping import shape
from timemil_core.data.splitting import with_split
from timemil_core.data.store import keep
from timemil_core.data.wording import counted
from timemil_core.errors import DataError, SettingsError

ENDINGS = (
    *("csv", "tsv", "txt", "xlsx", "xls", "ods", "parquet", "feather", "arrow", "json", "jsonl"),
    *("npz", "npy", "mat", "h5", "hdf5", "ts", "arff", "edf", "bdf", "hea"),
    *("zip", "tar", "gz", "tgz", "bz2", "xz"),
)
SUFFIXES = frozenset(f".{ending}" for ending in ENDINGS)
TEST_SHARE = 0.3
DATA_HELP = "a name of the list of data sets, a file, or a folder/"


def add_choices(parser: argparse.ArgumentParser) -> None:
    """Declare ``--choose``, a guess about a file corrected, and ``--prepare``, what its set is made into."""
    parser.add_argument(
        "--choose",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="correct a guess about the file, such as label_column=kind; 'inspect' lists them",
    )
    parser.add_argument(
        "--prepare",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="prepare the set, such as rate=50 or split='in order'; 'inspect' lists what there is",
    )


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Declare how ``--data`` is read."""
    add_choices(parser)
    parser.add_argument(
        "--test-share",
        type=float,
        default=TEST_SHARE,
        metavar="SHARE",
        help=f"of a file without a split (default: {TEST_SHARE}; 0 for none)",
    )
    parser.add_argument(
        "--split-seed", type=int, metavar="N", help="of that split (default: train's --seed, elsewhere 0)"
    )
    parser.add_argument("--strict", action="store_true", help="end with an error where reading warns")


def chosen(words: list[str]) -> dict[str, Value]:
    """Return the choices that were given; several values of one choice are separated by commas.

    Raises
    ------
    SettingsError
        Where a word has no ``=``.
    """
    if wrong := [word for word in words if "=" not in word]:
        raise SettingsError(f"{wrong[0]!r} is no choice.", remedy="Write --choose NAME=VALUE.")
    pairs = (word.split("=", 1) for word in words)
    return {name.strip(): value for name, value in pairs}


def to_standard_error(line: str) -> None:
    """Tell what reading warns of where it does not mix with what a command prints."""
    print(line, file=sys.stderr)


def reference_of(
    arguments: argparse.Namespace,
    name: str,
    seed: int = 0,
    *,
    to_train: bool = True,
    warn: Callable[[str], None] = to_standard_error,
) -> str:
    """Return the reference of what ``--data`` names, read as the arguments of ``add_reading`` say.

    ``warn`` is told each thing that reading warns of.

    Raises
    ------
    DataError
        As ``data_reference`` does; with ``--strict`` also where reading warns.
    """
    return data_reference(
        name,
        arguments.test_share,
        seed if arguments.split_seed is None else arguments.split_seed,
        chosen(arguments.choose),
        chosen(arguments.prepare),
        strict=arguments.strict,
        to_train=to_train,
        warn=warn,
    )


def set_of(arguments: argparse.Namespace, name: str) -> SeriesSet:
    """Return what ``--data`` names, read and split as ``train`` does, but kept nowhere. Raises as `reference_of`."""
    path = _path(name)
    choices, prepare = chosen(arguments.choose), chosen(arguments.prepare)
    if path is None:
        return _catalogued(name, choices, prepare)
    return _read(
        path, arguments.test_share, arguments.split_seed or 0, choices, prepare, strict=arguments.strict, to_train=False
    )


def data_reference(
    name: str,
    test_share: float,
    seed: int,
    choices: Mapping[str, Value] | None = None,
    prepare: Mapping[str, Value] | None = None,
    *,
    strict: bool = False,
    to_train: bool = True,
    warn: Callable[[str], None] = to_standard_error,
) -> str:
    """Return the reference of a data set.

    A file of any format, or a folder of files (written with a ``/``), is read as it suggests itself and as was
    chosen, prepared, split into training and test series where nothing is said of them (a share of 0: all for
    training), and kept in the workspace. A set of the catalogue that is prepared is kept as one of its own. What is
    not ``to_train`` on and too small to be split is taken whole.

    Raises
    ------
    DataError
        Where a file cannot be read as a data set, a choice cannot be followed, choices are given for a set that
        is no file, or ``strict`` and reading warns.
    """
    path = _path(name)
    if path is not None:
        return keep(_read(path, test_share, seed, choices, prepare, strict=strict, to_train=to_train, warn=warn))
    series_set = _catalogued(name, choices, prepare) if choices or prepare else None
    return name if series_set is None else keep(series_set)


def _path(name: str) -> Path | None:
    path = Path(name)
    if path.is_file() or (path.is_dir() and "/" in name):
        return path
    if path.suffix.lower() in SUFFIXES:
        raise DataError("there is no such file.", where=name)
    return None


def _catalogued(name: str, choices: Mapping[str, Value] | None, prepare: Mapping[str, Value] | None) -> SeriesSet:
    if choices:
        raise DataError("choices are for files; this is none.", where=name, remedy="Leave --choose out.")
    return shape(load(name), prepare).series_set if prepare else load(name)


def _read(
    path: Path,
    test_share: float,
    seed: int,
    choices: Mapping[str, Value] | None,
    prepare: Mapping[str, Value] | None,
    *,
    strict: bool,
    to_train: bool,
    warn: Callable[[str], None] = to_standard_error,
) -> SeriesSet:
    inspection = inspect_files(from_paths([path]), choices)
    reading = read_files(inspection)
    series_set = shape(reading.series_set, prepare).series_set
    is_split = len(set(series_set.split.tolist())) > 1
    if not is_split and test_share != 0 and (series_set.labels != UNKNOWN_LABEL).any():
        with nullcontext() if to_train else suppress(DataError):  # too few to split are used whole
            series_set = with_split(series_set, test_share, seed)
    report = reading_report(inspection, replace(reading, series_set=series_set))
    _tell(path.name, [line for line in (*report.found, *report.checks) if line.kind == "warning"], strict, warn)
    return series_set


def _tell(name: str, warnings: list[ReportLine], strict: bool, warn: Callable[[str], None]) -> None:
    for line in warnings:
        warn(f"{name}: {line}")
    if strict and warnings:
        raise DataError(
            f"reading warns of {counted(len(warnings), 'thing')}, and --strict makes that an error.",
            where=name,
            remedy="Mend what is told above, or leave --strict out.",
        )
