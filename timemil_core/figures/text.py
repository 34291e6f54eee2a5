"""What users wrote, made safe to draw: Plotly renders a subset of HTML, and templates, in every text."""

from __future__ import annotations

import html
import unicodedata

ELLIPSIS = "…"


def escape(text: object) -> str:
    """Return ``text`` so that Plotly draws it letter for letter: in titles, names, ticks, hovers and annotations.

    Tags are drawn instead of obeyed, ``%{…}`` is not taken for a hover template, and line breaks and other
    control characters become spaces.
    """
    visible = "".join(" " if unicodedata.category(letter) == "Cc" else letter for letter in str(text))
    return html.escape(visible, quote=False).replace("%{", "%&#123;")


def shortened(text: object, limit: int) -> str:
    """Return ``text`` cut to ``limit`` letters in its middle, since names often differ at their ends, and escaped."""
    whole = str(text)
    if len(whole) <= limit:
        return escape(whole)
    tail = (limit - 1) // 2
    return escape(whole[: limit - 1 - tail].rstrip() + ELLIPSIS + whole[len(whole) - tail :].lstrip())


_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float) -> str:
    """Return a number in three significant digits as people write it: ``−0.05``, ``5×10⁻⁵``."""
    mantissa, _, exponent = f"{value:.3g}".partition("e")
    power = f"×10{str(int(exponent)).translate(_SUPERSCRIPTS)}" if exponent else ""
    return mantissa.replace("-", "−") + power
