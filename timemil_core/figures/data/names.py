"""Words and sizes that the pictures of a data set share."""

from __future__ import annotations

from collections.abc import Sequence

from timemil_core.data.time_axis import axis_unit
from timemil_core.figures.style import THEMES, ClassStyle, ThemeName, class_style

UNKNOWN_CLASS = "class unknown"
SMALL_HEIGHT = 260


def class_name(label: int, class_names: Sequence[str]) -> str:
    """Return a class's name, that of unknown classes for -1."""
    return UNKNOWN_CLASS if label < 0 else class_names[label]


def look_of(label: int, theme: ThemeName) -> ClassStyle:
    """Return how a class is drawn; an unknown one is drawn muted."""
    return ClassStyle(THEMES[theme].muted, "solid", "circle") if label < 0 else class_style(label, theme)


def time_title(sampling_rate: float | None) -> str:
    """Return the time axis's title."""
    return axis_unit(sampling_rate).title
