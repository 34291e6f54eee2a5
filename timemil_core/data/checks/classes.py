"""Classes that cannot be learned, or whose scores say little."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from timemil_core.data.checks.measured import Measured
from timemil_core.data.report_line import ReportLine, note, warning
from timemil_core.data.series_set import UNKNOWN_LABEL, BoolArray, SeriesSet
from timemil_core.data.wording import listed

FEW = 5  # training series, below which a class is hardly learned
MANY_CLASSES = 20
MAJORITY = 0.8


def classes(measured: Measured) -> Iterator[ReportLine]:
    """Look at labels and the numbers of their series (pitfalls 15 and 16)."""
    series_set = measured.series_set
    labelled = series_set.labels != UNKNOWN_LABEL
    if not labelled.any():
        yield note("No series has a class: they can be looked at and predicted, not learned from.")
        return
    if unknown := int((~labelled).sum()):
        yield note(f"{unknown:,} of {len(series_set):,} series have no class: neither trained on nor scored.")
    present = np.unique(series_set.labels[labelled])
    if len(present) == 1:
        yield warning(
            f"All series are of one class, {series_set.class_names[present[0]]!r}: there is nothing to tell apart.",
            remedy="Add series of another class, or choose another label column.",
        )
        return
    yield from _too_many(series_set, int(labelled.sum()), len(present))
    yield from _of_parts(series_set)


def _too_many(series_set: SeriesSet, n_labelled: int, n_classes: int) -> Iterator[ReportLine]:
    numbers = [_number(name) for name in series_set.class_names]
    are_numbers = all(number is not None for number in numbers)
    if n_classes == n_labelled:
        yield warning(
            f"Each of the {n_labelled:,} series has a class of its own: the label looks like an id"
            + (" or a number to predict." if are_numbers else "."),
            remedy="Choose another label column, or sort numbers into classes (low, high …).",
        )
    elif are_numbers and n_classes > max(MANY_CLASSES, n_labelled / 3):
        yield warning(
            f"{n_classes:,} different numbers are classes of {n_labelled:,} series: they look like a number to "
            "predict, not like kinds.",
            remedy="Sort them into classes (low, high …), or choose another label column.",
        )


def _number(name: str) -> float | None:
    try:
        return float(name)
    except ValueError:
        return None


def _of_parts(series_set: SeriesSet) -> Iterator[ReportLine]:
    n_classes = series_set.n_classes
    train, test = (
        np.bincount(labels[labels != UNKNOWN_LABEL], minlength=n_classes)
        for labels in (series_set.labels[series_set.indices("train")], series_set.labels[series_set.indices("test")])
    )

    def named(which: BoolArray) -> list[str]:
        return [series_set.class_names[label] for label in np.flatnonzero(which)]

    if train.any() and (only := named((train == 0) & (test > 0))):
        yield warning(
            f"Only in the test part, so it cannot be learned: {listed(only)}.",
            remedy="Split anew, by class, or leave these series out.",
            choice="split",
        )
    if test.any() and (only := named((train > 0) & (test == 0))):
        yield note(f"Only in the training part, so no score tells of it: {listed(only)}.", choice="split")
    if lone := named(train == 1):
        yield warning(
            f"One training series alone: {listed(lone)}. Such a class is hardly learned, and none can be held out "
            "to choose the epoch by.",
            remedy="Add series of it, or join it with another class.",
        )
    if few := named((train > 1) & (train < FEW)):
        yield warning(
            f"Fewer than {FEW} training series: {listed(few)}. What is said of such a class may be chance.",
            remedy="Add series of it, or join it with another class.",
        )
    scored, which = (test, "test") if test.any() else (train, "training")
    if (share := scored.max() / scored.sum()) >= MAJORITY:
        most = series_set.class_names[scored.argmax()]
        yield note(
            f"{share:.0%} of the {which} series are of the class {most!r}: a model that always says so has that "
            "accuracy. Look at the balanced accuracy."
        )
