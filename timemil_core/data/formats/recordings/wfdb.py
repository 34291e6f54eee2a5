"""WFDB records (PhysioNet): a header, its signal files and annotation files, read by wfdb from a folder of copies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from timemil_core.data.files.choices import Choosing
from timemil_core.data.files.contract import Progress, Understood
from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import Source, on_disk
from timemil_core.data.formats.recordings.cutting import Annotation, choose_cut, spans_of
from timemil_core.data.formats.recordings.extras import required
from timemil_core.data.limits import refuse_beyond
from timemil_core.data.report_line import note
from timemil_core.data.wording import listed
from timemil_core.errors import DataError

RECORD_LINE = re.compile(r"[\w-]{1,100}(?:/\d{1,6})?[ \t]+\d{1,4}(?:[ \t].{0,200})?")
PLAIN_NAME = re.compile(r"~|[\w-][\w.-]{0,100}")
ANNOTATORS = ("atr", "qrs", "ari", "st", "ecg", "ann", "apn", "event", "hea_ann", "sta", "stb", "stc", "pwave", "man")
LONGEST_HEADER = 1 << 20
LONGEST_LINE = 1_000
CANNOT = (
    OSError,
    ValueError,
    TypeError,
    IndexError,
    KeyError,
    AttributeError,
    AssertionError,
    MemoryError,
    OverflowError,
    ZeroDivisionError,
    NotImplementedError,
    UnboundLocalError,
)


def is_wfdb_header(source: Source, head: bytes) -> bool:
    """Tell whether a file is the header of a WFDB record: by its ending, and its first line."""
    if source.suffix != ".hea":
        return False
    return RECORD_LINE.fullmatch(_first_line(head)) is not None


def _first_line(head: bytes) -> str:
    for line in head.decode("latin-1").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            return line.strip()[:LONGEST_LINE]
    return ""


def wfdb_bundles(own: Sequence[Source], others: Sequence[Source]) -> list[list[Source]]:
    """Put each header together with the files beside it that it names, and those of annotations."""
    return [[header, *_beside(header, [*others, *own])] for header in own]


def _beside(header: Source, others: Sequence[Source]) -> list[Source]:
    folder, stem = header.folders, header.stem.lower()
    named = {name.lower() for name in _signal_files(header)}
    return [
        other
        for other in others
        if other is not header
        and other.folders == folder
        and (
            PurePosixPath(other.name).name.lower() in named
            or (other.stem.lower() == stem and other.suffix[1:] in ANNOTATORS)
        )
    ]


def _signal_files(header: Source) -> list[str]:
    """Return the names of the signal files that a header lists.

    Raises
    ------
    DataError
        Where one is more than a plain name: it could lead out of the folder.
    """
    lines = header.head(LONGEST_HEADER).decode("latin-1").splitlines()
    rows = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if any(len(row) > LONGEST_LINE for row in rows):
        raise DataError("A line of the header is too long.", where=header.name)
    names = list(dict.fromkeys(row.split()[0] for row in rows[1:]))
    if strange := [name for name in names if PLAIN_NAME.fullmatch(name) is None or ".." in name]:
        raise DataError(
            f"The header names {strange[0][:80]!r}, which is no plain file name.",
            where=header.name,
            remedy="Do not trust this record.",
        )
    return names


def understand_wfdb(sources: Sequence[Source], choose: Choosing) -> Understood:
    """Look at a record's header and annotations.

    Raises
    ------
    DataError
        Where a signal file is missing, the header is damaged, or wfdb is not installed.
    """
    header, *beside = sources
    if "/" in _first_line(header.head(LONGEST_LINE)).split()[0]:
        raise DataError(
            "The record consists of several segments, which are not read.",
            where=header.name,
            remedy="Give the header of each segment instead.",
        )
    present = {PurePosixPath(one.name).name for one in beside}
    if missing := [name for name in _signal_files(header) if name not in present]:
        raise DataError(
            f"The signals of the record are missing: {listed(missing)}.",
            where=header.name,
            remedy="Upload the header together with its signal files, or all as one zip.",
        )
    with _folder(sources) as (wfdb, record):
        facts = wfdb.rdheader(str(record))
        _check(facts, header)
        annotators = [one.suffix[1:] for one in beside if one.suffix[1:] in ANNOTATORS]
        rate, duration = float(facts.fs), float(facts.sig_len / facts.fs)
        found = {name: _annotations(wfdb, record, name, rate, duration) for name in annotators}
    options = {name: f"{name} ({unit})" for name, unit in zip(_names(facts), facts.units, strict=True)}
    channels = choose.some("channels", "Channels", options, tuple(options))
    annotations: list[Annotation] = []
    if found:
        guess = next((name for name in ANNOTATORS if found.get(name)), next(iter(found)))
        annotator = choose.one_or_none("annotator", "Annotations from", list(found), guess, reshapes=True)
        annotations = [] if annotator is None else found[annotator]
    cut, moment, lines = choose_cut(choose, annotations, duration)
    lines.insert(
        0,
        note(
            f"{len(options)} channels over {duration:g} s at {facts.fs:g} Hz; read: {listed(channels)}.",
            choice="channels",
        ),
    )
    return Understood(
        title="a WFDB record",
        load=lambda progress: _load(sources, channels, annotations, moment, progress),
        lines=lines,
        cut=cut,
        has_labels=bool(annotations),
    )


def _check(facts: Any, header: Source) -> None:
    is_sound = (
        facts.n_sig
        and facts.sig_len
        and facts.fs
        and np.isfinite(facts.fs)
        and facts.fs > 0
        and facts.sig_name is not None
        and len(facts.sig_name) == facts.n_sig
    )
    if not is_sound:
        raise DataError(
            "The header does not say how many signals, how long and at which rate.",
            where=header.name,
            remedy="Give a complete header.",
        )
    refuse_beyond("values", int(facts.n_sig) * int(facts.sig_len), header.name, of="The record")


def _names(facts: Any) -> list[str]:
    made: list[str] = []
    for position, name in enumerate(facts.sig_name):
        candidate, number = name or f"signal {position + 1}", 2
        while candidate in made:
            candidate, number = f"{name} ({number})", number + 1
        made.append(candidate)
    return made


def _annotations(wfdb: Any, record: Path, annotator: str, rate: float, duration: float) -> list[Annotation]:
    """Return rhythms, each until the next, where there are notes of them; else every beat or event as a moment."""
    found = wfdb.rdann(str(record), annotator)
    notes = [text.strip("\0 ") for text in found.aux_note or []]
    rhythms = [(sample / rate, text) for sample, text in zip(found.sample, notes, strict=False) if text.startswith("(")]
    if rhythms:
        ends = [*(begin for begin, _ in rhythms[1:]), duration]
        return [
            Annotation(float(begin), float(end - begin), text.lstrip("("))
            for (begin, text), end in zip(rhythms, ends, strict=True)
            if end > begin
        ]
    rows = zip(found.sample.tolist(), found.symbol, strict=True)
    return [Annotation(sample / rate, None, symbol) for sample, symbol in rows if symbol.strip()]


@contextmanager
def _folder(sources: Sequence[Source]) -> Iterator[tuple[Any, Path]]:
    """Yield wfdb and the record's path in a folder of copies; what wfdb cannot read is told as ours."""
    header = sources[0]
    wfdb = required("wfdb", "wfdb", "WFDB records", header.name)
    names: Mapping[str, Source] = {
        (
            f"record{one.suffix}"
            if one.stem == header.stem and one.suffix[1:] in (*ANNOTATORS, "hea")
            else PurePosixPath(one.name).name
        ): one
        for one in sources
    }
    with on_disk(dict(names)) as folder:
        try:
            yield wfdb, folder / "record"
        except DataError:
            raise
        except CANNOT as error:
            reason = str(error).replace(str(folder), "").strip()
            raise DataError(
                f"wfdb cannot read the record ({reason or type(error).__name__}).",
                where=header.name,
                remedy="Check that header, signal and annotation files belong together.",
            ) from error


def _load(
    sources: Sequence[Source],
    channels: Sequence[str],
    annotations: Sequence[Annotation],
    moment: float | None,
    progress: Progress,
) -> Parts:
    header = sources[0]
    if not channels:
        raise DataError("No channel was chosen.", where=header.name, remedy="Choose one at least.")
    progress(0.1, "reading the signals")
    with _folder(sources) as (wfdb, record):
        read = wfdb.rdrecord(str(record))
        names = _names(read)
        values = np.ascontiguousarray(read.p_signal.T[[names.index(name) for name in channels]], dtype=np.float32)
    values[~np.isfinite(values)] = np.nan
    rate = float(read.fs)
    n_timepoints = values.shape[1]
    return Parts(
        series=[values],
        ids=[header.stem],
        channel_names=tuple(channels),
        labels=[None],
        sampling_rate=rate,
        spans=[spans_of(annotations, moment, rate, n_timepoints)] if annotations else None,
    )
