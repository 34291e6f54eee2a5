"""What a cell's text can mean: a number, nothing, or neither."""

from __future__ import annotations

import re

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
NUMBER_WITH_COMMA = re.compile(r"[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d+)?")
HAS_POINT = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")
HAS_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")

_MISSING_WORDS = ("na", "nan", "n/a", "#n/a", "#na", "null", "none", "nil", "missing")
_INFINITE = ("inf", "+inf", "-inf", "infinity", "+infinity", "-infinity")
_SIGNED_NAN = ("-nan", "+nan", "1.#QNAN", "-1.#IND")


def _spellings(word: str) -> tuple[str, ...]:
    return (word, word.upper(), word.capitalize())


MISSING = frozenset(
    {"", "?", "-", "--", ".", "NaN", "<NA>", "N/a"}
    | {spelling for word in (*_MISSING_WORDS, *_INFINITE) for spelling in _spellings(word)}
    | set(_SIGNED_NAN)
)
# a class may well be called "none" or "-"
MISSING_LABELS = frozenset(
    {"", "?", "NaN"} | {spelling for word in ("nan", "na", "n/a", "#n/a", "null") for spelling in _spellings(word)}
)


def is_number(text: str, decimal: str = ".") -> bool:
    """Tell whether a cell is a finite number as written with this decimal mark."""
    pattern = NUMBER if decimal == "." else NUMBER_WITH_COMMA
    return pattern.fullmatch(text.strip()) is not None


def is_missing(text: str) -> bool:
    """Tell whether a cell of a value column stands for a missing value; infinity does."""
    return text.strip() in MISSING
