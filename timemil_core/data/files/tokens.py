"""What a cell's text can mean: a number, nothing, or neither."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property

_MISSING_WORDS = ("na", "nan", "n/a", "#n/a", "#na", "null", "none", "nil", "missing")
_INFINITE = ("inf", "+inf", "-inf", "infinity", "+infinity", "-infinity")
_SIGNED_NAN = ("-nan", "+nan", "1.#QNAN", "-1.#IND")
_SPREADSHEET_ERRORS = ("#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!")


def _spellings(word: str) -> tuple[str, ...]:
    return (word, word.upper(), word.capitalize())


MISSING = frozenset(
    {"", "?", "-", "--", ".", "NaN", "<NA>", "N/a"}
    | {spelling for word in (*_MISSING_WORDS, *_INFINITE) for spelling in _spellings(word)}
    | set(_SIGNED_NAN)
    | set(_SPREADSHEET_ERRORS)
)
MISSING_LABELS = frozenset(
    {"", "?", "NaN", "<NA>"} | {spelling for word in ("nan", "n/a", "#n/a", "null") for spelling in _spellings(word)}
)
# a class may well be called so: sodium, North America; in other files it stands for a missing label
DOUBTFUL_LABELS = frozenset({"NA", "Na", "na", "None"})


LONGEST_STAMP = 60  # characters
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
NAMED_MONTH = re.compile(
    rf"(\d{{1,2}}[-/. ]{_MONTH}|([a-z]{{3,9}},? )?{_MONTH}\.?[-/ ]\d{{1,2}}),?[-/ ].*\d.*", re.IGNORECASE
)
_CLOCK = r"\d{1,4}:\d{2}([:.,]\d+){0,2}( ?[ap]\.?m\.?)?"
_STAMP = re.compile(
    rf"\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}([T ,]+{_CLOCK}.*)?|\d{{4}}-\d{{2}}|\d{{8}}T\d{{4}}.*|{_CLOCK}",
    re.IGNORECASE,
)


def is_stamp(text: str) -> bool:
    """Tell whether a cell is a date, a clock time or both, as people write them."""
    if len(text) > LONGEST_STAMP:
        return False
    return _STAMP.fullmatch(text) is not None or NAMED_MONTH.fullmatch(text) is not None


@dataclass(frozen=True)
class NumberStyle:
    """How numbers are written: the decimal mark, and the mark between thousands ("" where there is none)."""

    decimal: str = "."
    thousands: str = ""

    def is_number(self, text: str) -> bool:
        """Tell whether a cell is a finite number as written in this style."""
        return self._plain.fullmatch(stripped := text.strip()) is not None or self.is_grouped(stripped)

    def is_grouped(self, text: str) -> bool:
        """Tell whether a cell has its thousands marked, three digits each."""
        return self._grouped is not None and self._grouped.fullmatch(text) is not None

    def number(self, text: str) -> float:
        """Return a cell's number, NaN where it is none: 1.5 is none where a comma is the decimal mark."""
        if not self.is_number(text):
            return math.nan
        digits = text.strip().replace(self.thousands, "") if self.thousands else text.strip()
        return float(digits.replace(self.decimal, "."))

    @property
    def is_plain(self) -> bool:
        """Whether numbers are written as programs write them."""
        return self.decimal == "." and not self.thousands

    @cached_property
    def _plain(self) -> re.Pattern[str]:
        mark = re.escape(self.decimal)
        return re.compile(rf"[+-]?([0-9]+{mark}?[0-9]*|{mark}[0-9]+)([eE][+-]?[0-9]+)?")

    @cached_property
    def _grouped(self) -> re.Pattern[str] | None:
        if not self.thousands:
            return None
        mark, decimal = re.escape(self.thousands), re.escape(self.decimal)
        return re.compile(rf"[+-]?[0-9]{{1,3}}({mark}[0-9]{{3}})+({decimal}[0-9]*)?")


WITH_POINT, WITH_COMMA = NumberStyle("."), NumberStyle(",")


def is_number(text: str) -> bool:
    """Tell whether a cell is a finite number with a decimal point or without one."""
    return WITH_POINT.is_number(text)


def is_missing(text: str) -> bool:
    """Tell whether a cell of a value column stands for a missing value; infinity does."""
    return text.strip() in MISSING
