"""All checks of a set in one report, what decides about belief first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from timemil_core.data.checks.channels import constant_channels, precision, scales
from timemil_core.data.checks.classes import classes
from timemil_core.data.checks.duplicates import duplicates, overlapping_windows
from timemil_core.data.checks.leaks import columns_left_in
from timemil_core.data.checks.lengths import lengths, padding, steps, swapped_axes
from timemil_core.data.checks.measured import Measured, measure
from timemil_core.data.checks.missing import missing_values, sentinels, too_large
from timemil_core.data.checks.normalisation import normalisation
from timemil_core.data.checks.parts import parts
from timemil_core.data.checks.truth import instance_labels
from timemil_core.data.report_line import Kind, ReportLine
from timemil_core.data.series_set import SeriesSet

Check = Callable[[Measured], Iterator[ReportLine]]

CHECKS: tuple[Check, ...] = (
    columns_left_in,
    duplicates,
    overlapping_windows,
    parts,
    normalisation,
    classes,
    sentinels,
    missing_values,
    too_large,
    padding,
    precision,
    constant_channels,
    steps,
    lengths,
    swapped_axes,
    scales,
    instance_labels,
)
ORDER: tuple[Kind, ...] = ("warning", "repair", "note")


def _unheard(done: int, of: int) -> None:
    """Tell nobody how far the checks are."""


def report(series_set: SeriesSet, progress: Callable[[int, int], None] = _unheard) -> list[ReportLine]:
    """Return every check's lines, warnings first. Nothing is changed.

    ``progress`` is told (done, of) between two checks; what it raises breaks them off.
    """
    progress(0, len(CHECKS) + 1)
    measured = measure(series_set)
    lines: list[ReportLine] = []
    for place, check in enumerate(CHECKS, start=1):
        progress(place, len(CHECKS) + 1)
        lines.extend(check(measured))
    return sorted(lines, key=lambda line: ORDER.index(line.kind))
