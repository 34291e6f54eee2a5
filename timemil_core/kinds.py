"""What the values of a JSON object are to be: files that were copied, cut or edited are held against it when read."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Kind:
    """What a value is to be, in words and as a test."""

    words: str
    fits: Callable[[Any], bool]


def check_kinds(content: Any, needed: Mapping[str, Kind], *, may_miss: Mapping[str, Kind] | None = None) -> None:
    """Hold an object against what its values are to be; others are let pass.

    Raises
    ------
    ValueError
        Where it is no object, or a value is missing or of another kind; the text names it.
    """
    if not isinstance(content, dict):
        raise ValueError(f"{_shown(content)} is not an object")
    if missing := [key for key in needed if key not in content]:
        raise ValueError(f"{missing[0]!r} is missing")
    for key, kind in {**needed, **(may_miss or {})}.items():
        if key in content and not kind.fits(content[key]):
            raise ValueError(f"{key!r} is {_shown(content[key])}, not {kind.words}")


def whole(lowest: int = 0, highest: int = 2**53) -> Kind:
    """Return a whole number, from ``lowest`` to ``highest``."""
    return Kind(f"a whole number from {lowest} up", lambda value: _is_whole(value) and lowest <= value <= highest)


def one_of(choices: tuple[str, ...]) -> Kind:
    """Return one of some words."""
    return Kind(f"one of {', '.join(choices)}", lambda value: value in choices)


def or_none(kind: Kind) -> Kind:
    """Return a kind that may be absent, too."""
    return Kind(f"{kind.words} or null", lambda value: value is None or kind.fits(value))


def list_of(kind: Kind) -> Kind:
    """Return a list of things of one kind."""
    return Kind(f"a list, each {kind.words}", lambda value: isinstance(value, list) and all(map(kind.fits, value)))


def values_of(kind: Kind) -> Kind:
    """Return an object whose values are of one kind."""
    return Kind(
        f"an object, each value {kind.words}",
        lambda value: isinstance(value, dict) and all(map(kind.fits, value.values())),
    )


def object_of(needed: Mapping[str, Kind]) -> Kind:
    """Return an object with these values."""

    def fits(value: Any) -> bool:
        return isinstance(value, dict) and all(key in value and kind.fits(value[key]) for key, kind in needed.items())

    return Kind(f"an object with {', '.join(needed)}", fits)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return (_is_whole(value) and abs(value) < 2**53) or (isinstance(value, float) and math.isfinite(value))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


NUMBER = Kind("a number", _is_number)
POSITIVE = Kind("a number above 0", lambda value: _is_number(value) and value > 0)
TEXT = Kind("text", lambda value: isinstance(value, str))
YES_OR_NO = Kind("true or false", lambda value: isinstance(value, bool))
OBJECT = Kind("an object", lambda value: isinstance(value, dict))
