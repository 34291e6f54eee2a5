"""The reading report: what files were, what was done to them, and what to know before a result is believed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from timemil_core.data.checks import report as checks_of
from timemil_core.data.files.contract import Inspection, Reading
from timemil_core.data.report_line import ReportLine, condensed
from timemil_core.data.series_set import UNKNOWN_LABEL, SeriesSet
from timemil_core.data.time_axis import rate_in_words
from timemil_core.data.wording import length_range

MOST_CLASSES = 12


@dataclass(frozen=True, eq=False)
class Report:
    """A set's report.

    Attributes
    ----------
    title
        What the files are.
    facts
        Sizes, by name.
    found
        What was taken for what, and what was repaired on reading.
    checks
        What the checks of the set found, warnings first.
    """

    title: str
    facts: dict[str, str]
    found: tuple[ReportLine, ...]
    checks: tuple[ReportLine, ...]


def reading_report(inspection: Inspection, reading: Reading) -> Report:
    """Return the report of files that were inspected and read."""
    series_set = reading.series_set
    found = tuple(condensed((*inspection.lines, *reading.lines)))
    return Report(inspection.title, dict(facts_of(series_set)), found, tuple(checks_of(series_set)))


def facts_of(series_set: SeriesSet) -> Iterator[tuple[str, str]]:
    """Yield a set's sizes in words."""
    lengths = series_set.lengths
    n_test = len(series_set.indices("test"))
    parts = f" ({len(series_set) - n_test:,} for training, {n_test:,} for testing)" if n_test else ""
    yield "series", f"{len(series_set):,}{parts}"
    yield (
        "channels",
        f"{series_set.n_channels:,}: {', '.join(series_set.channel_names[:MOST_CLASSES])}"
        + _more(series_set.n_channels),
    )
    yield "time points", length_range(int(lengths.min()), int(lengths.max()))
    yield "sampling rate", _rate(series_set)
    yield "classes", ", ".join(_class_counts(series_set)) + _more(series_set.n_classes) or "none"
    if series_set.groups is not None:
        yield "subjects or recordings", f"{len(set(series_set.groups)):,}"
    if series_set.instance_labels is not None:
        yield "instance labels", "known"


def _rate(series_set: SeriesSet) -> str:
    if series_set.sampling_rate is not None:
        return f"{rate_in_words(series_set.sampling_rate)}, equal steps"
    times = series_set.timestamps
    if times is None:
        return "not known"
    return "unequal steps" if times.rate is None else "equal steps, of an unknown unit"


def _class_counts(series_set: SeriesSet) -> Iterator[str]:
    counts = np.bincount(series_set.labels[series_set.labels != UNKNOWN_LABEL], minlength=series_set.n_classes)
    for name, count in list(zip(series_set.class_names, counts.tolist(), strict=True))[:MOST_CLASSES]:
        yield f"{name} ({count:,})"
    if unknown := int((series_set.labels == UNKNOWN_LABEL).sum()):
        yield f"without a class ({unknown:,})"


def _more(count: int) -> str:
    return f" and {count - MOST_CLASSES:,} more" if count > MOST_CLASSES else ""
