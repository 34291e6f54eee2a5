"""Counts and lists in sentences."""

from __future__ import annotations

from collections.abc import Sequence

SHOWN = 60  # characters


def counted(number: int, noun: str) -> str:
    """Return ``1 row``, ``2,000 rows``, ``2 classes`` or ``2 series``."""
    plural = "" if noun.endswith("series") else "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}{plural}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names in quotation marks, the first few of them, and how many more there are."""
    rest = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(repr(shown(name)) for name in names[:most]) + rest


def shown(name: str, most: int = SHOWN) -> str:
    """Return a name of a file, column or class as it fits into a sentence or label: long ones without their middle."""
    half = (most - 1) // 2
    return name if len(name) <= most else f"{name[: most - 1 - half]}…{name[-half:]}"


def length_range(shortest: int | None, longest: int | None) -> str:
    """Return lengths in time points in words: ``1,000``, ``7 to 29``, ``up to 93``, ``varies``."""
    if longest is None:
        return "varies"
    if shortest is None:
        return f"up to {longest:,}"
    return f"{longest:,}" if shortest == longest else f"{shortest:,} to {longest:,}"
