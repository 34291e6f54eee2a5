"""Every text of a figure that Plotly takes for its HTML or for a template."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import plotly.graph_objects as go

PLAIN_TAGS = ("<br>", "<b>", "</b>", "<extra></extra>", "<span style='font-size:11px'>", "</span>")


def texts(fig: go.Figure) -> list[str]:
    return list(_strings(fig.to_dict()))


def unescaped_texts(fig: go.Figure) -> list[str]:
    """Return the texts in which a tag is left that the figures themselves do not write."""
    return [text for text in texts(fig) if "<" in _without_own_tags(text)]


def _without_own_tags(text: str) -> str:
    for tag in PLAIN_TAGS:
        text = text.replace(tag, "")
    return text


def _strings(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for value in part.values():
            yield from _strings(value)
    elif isinstance(part, list | tuple):
        for value in part:
            yield from _strings(value)
    elif getattr(part, "dtype", None) is not None and part.dtype.kind in "OU":
        yield from (str(value) for value in part.ravel())
