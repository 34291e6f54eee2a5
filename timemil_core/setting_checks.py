"""What a setting may be, checked by type and range and told in a sentence: of models, training and methods."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from timemil_core.errors import SettingsError

Check = tuple[Callable[[Any], bool], str]
"""Whether a value fits, and the sentence that says what would."""


def whole(lowest: int, highest: float = math.inf) -> Check:
    """Return the check for a whole number."""

    def fits(value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest

    upper = "up" if highest == math.inf else f"to {highest:.0f}"
    return fits, f"Give a whole number from {lowest} {upper}."


def number(lowest: float, highest: float, text: str, *, low_open: bool = False, high_open: bool = False) -> Check:
    """Return the check for a finite number between two bounds."""

    def fits(value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return False
        above = value > lowest if low_open else value >= lowest
        below = value < highest if high_open else value <= highest
        return above and below

    return fits, text


def several(lowest: int, highest: int, most: int) -> Check:
    """Return the check for one to ``most`` whole numbers."""
    fits, _ = whole(lowest, highest)
    told = f"Give one to {most} whole numbers from {lowest} to {highest:,}."
    return lambda value: isinstance(value, tuple) and 1 <= len(value) <= most and all(map(fits, value)), told


def setting_text(value: Any) -> str:
    """Return a setting's value as ``--set`` reads it: several numbers with slashes between (commas part values)."""
    return "/".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def one_of(choices: tuple[str, ...]) -> Check:
    """Return the check for one of several words."""
    return lambda value: isinstance(value, str) and value in choices, f"Choose one of {', '.join(choices)}."


YES_OR_NO: Check = (lambda value: isinstance(value, bool), "Give true or false.")
POSITIVE = number(0, math.inf, "Give a number above 0.", low_open=True)
SHARE = number(0, 1, "Give a share from 0 to below 1.", high_open=True)


def check_settings(settings: object, checks: Mapping[str, Check]) -> None:
    """Refuse the first attribute of ``settings`` that does not pass its check.

    Raises
    ------
    SettingsError
        Naming the setting, its value, and what would fit.
    """
    for name, (fits, remedy) in checks.items():
        value = getattr(settings, name)
        if not fits(value):
            raise SettingsError(f"{name} is {value!r}.", remedy=remedy)
