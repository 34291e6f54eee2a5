"""Texts that a spreadsheet would run as a formula, guarded in what we write and unguarded in what we read."""

from __future__ import annotations

import re

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
STARTS = frozenset("=+-@\t\r")
GUARD = "'"


def guarded(text: str) -> str:
    """Return the text with a leading ``'`` where a spreadsheet would run it; numbers such as ``-1`` stay as they are.

    A text that looks guarded already is guarded once more, so that ``unguarded`` gives every text back.
    """
    runs = bool(text) and text[0] in STARTS and not NUMBER.fullmatch(text)
    return GUARD + text if runs or unguarded(text) != text else text


def unguarded(text: str) -> str:
    """Return the text that was guarded; any other one unchanged."""
    is_guarded = len(text) > 1 and text[0] == GUARD and text[1] in {GUARD, *STARTS}
    return text[1:] if is_guarded else text
