"""The fixed part of an EDF or BDF file, checked before a C library sees it.

Format: https://www.edfplus.info/specs/edf.html, fields in ASCII of fixed widths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from timemil_core.data.files.source import Source
from timemil_core.data.limits import refuse_beyond
from timemil_core.errors import DataError

FIXED = 256  # bytes, and again for each signal
MOST_SIGNALS = 4096
ANNOTATIONS = ("EDF Annotations", "BDF Annotations")
WIDTHS = {"label": 16, "transducer": 80, "unit": 8, "physical": 16, "digital": 16, "filter": 80}


@dataclass(frozen=True)
class EdfHeader:
    """What the header says: seconds, and each signal's name (made unique) with its rate in Hz, annotations left out."""

    duration: float
    rates: dict[str, float]
    positions: dict[str, int]


def read_header(source: Source) -> EdfHeader:
    """Read and check the header.

    Raises
    ------
    DataError
        Where a field is no number, the file is shorter than announced, or it is discontinuous.
    """
    head = source.head(FIXED * (MOST_SIGNALS + 1))
    n_signals = _whole(head[252:256], "number of signals", source)
    n_records = _whole(head[236:244], "number of data records", source)
    seconds = _number(head[244:252], "duration of a data record", source)
    if not 1 <= n_signals <= MOST_SIGNALS or len(head) < FIXED * (n_signals + 1):
        raise _damaged(source, f"{n_signals} signals are announced")
    if head[192:236].strip().endswith(b"+D"):
        raise DataError(
            "The recording has gaps (EDF+D), which are not read.",
            where=source.name,
            remedy="Convert it to a continuous EDF+C file.",
        )
    labels, samples = _signals(head, n_signals, source)
    width = 3 if head.startswith(b"\xff") else 2
    announced = FIXED * (n_signals + 1) + n_records * sum(samples) * width
    if n_records < 1 or announced > source.size:
        raise _damaged(source, f"{n_records:,} data records are announced, which do not fit into the file")
    refuse_beyond("values", n_records * sum(samples), source.name, of="The recording")
    rates, positions = {}, {}
    names = [label for label in labels if label not in ANNOTATIONS]
    counts = [count for label, count in zip(labels, samples, strict=True) if label not in ANNOTATIONS]
    if names and not seconds > 0:
        raise _damaged(source, f"a data record lasts {seconds:g} s")
    for position, (name, count) in enumerate(zip(_unique(names), counts, strict=True)):
        rates[name], positions[name] = count / seconds, position
    return EdfHeader(n_records * seconds, rates, positions)


def _signals(head: bytes, n_signals: int, source: Source) -> tuple[list[str], list[int]]:
    labels = [
        head[FIXED + 16 * index : FIXED + 16 * (index + 1)].decode("latin-1").strip() for index in range(n_signals)
    ]
    start = FIXED + sum(WIDTHS.values()) * n_signals
    samples = [
        _whole(head[start + 8 * index : start + 8 * (index + 1)], f"samples of signal {index + 1}", source)
        for index in range(n_signals)
    ]
    if min(samples) < 1:
        raise _damaged(source, "a signal has no samples")
    return labels, samples


def _unique(names: list[str]) -> list[str]:
    made: list[str] = []
    for position, name in enumerate(names):
        candidate, number = name or f"signal {position + 1}", 2
        while candidate in made:
            candidate, number = f"{name} ({number})", number + 1
        made.append(candidate)
    return made


def _whole(field: bytes, what: str, source: Source) -> int:
    text = field.decode("latin-1").strip()
    if not (text.isascii() and text.lstrip("-").isdigit() and len(text) <= 8):
        raise _damaged(source, f"the {what} is {text!r}")
    return int(text)


def _number(field: bytes, what: str, source: Source) -> float:
    try:
        number = float(field.decode("latin-1"))
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise _damaged(source, f"the {what} is {field.decode('latin-1').strip()!r}")
    return number


def _damaged(source: Source, why: str) -> DataError:
    return DataError(f"The EDF header is damaged: {why}.", where=source.name, remedy="Export the recording again.")
