"""From labels as text to indices into class names, in an order that people expect."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from timemil_core.data.series_set import UNKNOWN_LABEL, IntArray


def sorted_class_names(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct labels: by number where all are numbers, else by text without regard to case."""
    distinct = set(labels)
    numbers = {label: _number(label) for label in distinct}
    if all(number is not None for number in numbers.values()):
        return tuple(sorted(distinct, key=lambda label: (numbers[label], label)))
    return tuple(sorted(distinct, key=lambda label: (label.casefold(), label)))


def _number(label: str) -> float | None:
    try:
        number = float(label)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def label_indices(labels: Sequence[str | None], class_names: Sequence[str]) -> IntArray:
    """Return each label's index among the class names, -1 for None."""
    index = {name: position for position, name in enumerate(class_names)}
    return np.array([UNKNOWN_LABEL if label is None else index[label] for label in labels], dtype=np.int64)
