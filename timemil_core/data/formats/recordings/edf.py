"""EDF and EDF+ recordings (BDF, too), read by pyedflib after their header was found sound."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from timemil_core.data.files.choices import Choosing
from timemil_core.data.files.contract import Progress, Understood
from timemil_core.data.files.naming import common_beginning
from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import Source, on_disk
from timemil_core.data.formats.recordings.cutting import Annotation, choose_cut, spans_of
from timemil_core.data.formats.recordings.edf_header import EdfHeader, read_header
from timemil_core.data.formats.recordings.extras import required
from timemil_core.data.limits import refuse_beyond
from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.wording import listed
from timemil_core.errors import DataError

BEGINNINGS = (b"0       ", b"\xffBIOSEMI")
OWN_NAME = "recording.edf"
FEWEST_ALIKE = 4  # letters
_one_at_a_time = Lock()  # the C library keeps its open files in one table


def is_edf(source: Source, head: bytes) -> bool:
    """Tell whether a file begins as EDF or BDF does."""
    return head.startswith(BEGINNINGS) and head[184:192].strip().isdigit()


def understand_edf(sources: Sequence[Source], choose: Choosing) -> Understood:
    """Look at a recording's header and annotations.

    Raises
    ------
    DataError
        Where the header does not fit the file, or pyedflib is not installed.
    """
    source, *hypnograms = sources
    source.refuse_large()
    header = read_header(source)
    annotations = [one for file in sources for one in _annotations(file)]
    options = {name: f"{name} ({rate:g} Hz)" for name, rate in header.rates.items()}
    if not options:
        raise DataError("The recording holds annotations alone.", where=source.name)
    channels = choose.some("channels", "Channels", options, tuple(options))
    cut, moment, lines = choose_cut(choose, annotations, header.duration)
    if hypnograms:
        lines.insert(0, note(f"Annotations are also from {listed([file.name for file in hypnograms])}."))
    counts = f"{len(header.rates)} channels over {header.duration:g} s"
    lines.insert(0, note(f"{counts}; read: {listed(channels, 20)}.", choice="channels"))
    return Understood(
        title="an EDF recording",
        load=lambda progress: _load(source, header, channels, annotations, moment, progress),
        lines=[*lines, *_rates_told(header, channels)],
        cut=cut,
        has_labels=bool(annotations),
    )


def edf_bundles(own: Sequence[Source], _others: Sequence[Source]) -> list[list[Source]]:
    """Put files that hold annotations alone with the recording whose name begins most alike."""
    recordings = [source for source in own if not _holds_annotations_alone(source)]
    bundles = [[source] for source in recordings]
    for source in own:
        if source in recordings:
            continue
        alike = max(bundles, key=lambda bundle: _common(bundle[0].stem, source.stem), default=None)
        if alike is None or _common(alike[0].stem, source.stem) < FEWEST_ALIKE:
            bundles.append([source])
        else:
            alike.append(source)
    return bundles


def _common(one: str, other: str) -> int:
    return len(common_beginning([one, other]))


def _holds_annotations_alone(source: Source) -> bool:
    try:
        return not read_header(source).rates
    except DataError:
        return False


def _rates_told(header: EdfHeader, channels: Sequence[str]) -> list[ReportLine]:
    rates = {name: header.rates[name] for name in channels}
    fastest = max(rates.values(), default=0.0)
    slower = [name for name, rate in rates.items() if rate != fastest]
    if not slower:
        return []
    return [
        warning(
            f"Channels were sampled at different rates; {listed(slower)} are interpolated linearly to the highest, "
            f"{fastest:g} Hz. They hold nothing above half of their own rate.",
            remedy="Choose channels of one rate.",
            choice="channels",
        )
    ]


@contextmanager
def _opened(source: Source) -> Iterator[Any]:
    """Yield pyedflib's reader of a file; what it cannot read is told as ours."""
    pyedflib = required("pyedflib", "edf", "EDF recordings", source.name)
    with _one_at_a_time, on_disk({OWN_NAME: source}) as folder:
        reader = None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                reader = pyedflib.EdfReader(str(folder / OWN_NAME))
                yield reader
        except DataError:
            raise
        except (OSError, ValueError, TypeError, IndexError, AssertionError, MemoryError, OverflowError) as error:
            reason = str(error).replace(str(folder / OWN_NAME), "the file")
            raise DataError(
                f"pyedflib cannot read the recording ({reason}).",
                where=source.name,
                remedy="Export it again as EDF+C.",
            ) from error
        finally:
            if reader is not None:
                reader.close()


def _annotations(source: Source) -> list[Annotation]:
    with _opened(source) as reader:
        begins, durations, texts = reader.readAnnotations()
    rows = zip(begins.tolist(), durations.tolist(), texts.tolist(), strict=True)
    return [
        Annotation(begin, duration if duration > 0 else None, text.strip())
        for begin, duration, text in rows
        if text.strip() and math.isfinite(begin) and math.isfinite(duration)
    ]


def _load(
    source: Source,
    header: EdfHeader,
    channels: Sequence[str],
    annotations: Sequence[Annotation],
    moment: float | None,
    progress: Progress,
) -> Parts:
    if not channels:
        raise DataError("No channel was chosen.", where=source.name, remedy="Choose one at least.")
    rate = max(header.rates[name] for name in channels)
    n_timepoints = round(header.duration * rate)
    refuse_beyond("values", n_timepoints * len(channels), source.name, of="The recording")
    values = np.empty((len(channels), n_timepoints), dtype=np.float32)
    with _opened(source) as reader:
        for row, name in enumerate(channels):
            progress(row / len(channels), f"channel {name!r}")
            values[row] = _at_rate(reader.readSignal(header.positions[name]), header.rates[name], rate, n_timepoints)
    values[~np.isfinite(values)] = np.nan
    return Parts(
        series=[values],
        ids=[source.stem],
        channel_names=tuple(channels),
        labels=[None],
        sampling_rate=rate,
        spans=[spans_of(annotations, moment, rate, n_timepoints)] if annotations else None,
    )


def _at_rate(signal: npt.NDArray[np.float64], own: float, rate: float, n_timepoints: int) -> npt.NDArray[np.float64]:
    """Return a signal ``(n_samples,)`` at the common rate, ``(n_timepoints,)``, interpolated where its own is lower."""
    if own == rate:
        return signal[:n_timepoints]
    return np.interp(np.arange(n_timepoints) / rate, np.arange(len(signal)) / own, signal)
