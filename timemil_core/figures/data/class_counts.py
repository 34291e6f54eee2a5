"""How many series of each class each part of the split holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.data.names import SMALL_HEIGHT, UNKNOWN_CLASS
from timemil_core.figures.style import MODEBAR_ROOM, THEMES, ThemeName, base_layout, empty_figure, faded
from timemil_core.figures.text import escape, shortened

LabelArray = npt.NDArray[np.integer[Any]]
CLASSES_BY_NAME = 10  # beyond, bars stand upright and thin, and a name is read by pointing
CLASSES_WITH_TICKS = 30


def class_counts_figure(
    parts: Mapping[str, LabelArray],
    class_names: Sequence[str],
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a bar a class and part: lying with names and numbers, or, for more than ten classes, upright.

    Parameters
    ----------
    parts
        From ``"train"``, ``"test"`` to labels ``(n_series,)``; -1, the class not known, gets a bar of its own.
    """
    names = [*class_names]
    if any((labels < 0).any() for labels in parts.values() if len(labels)):
        names.append(UNKNOWN_CLASS)
    if not names:
        return empty_figure("No classes are known.", theme, title, SMALL_HEIGHT)
    upright = len(names) > CLASSES_BY_NAME
    looks = zip((THEMES[theme].heat_line, THEMES[theme].muted), ("", "/"), strict=True)
    fig = go.Figure(
        [
            _bars(part, labels, names, colour, pattern, upright=upright)
            for (part, labels), (colour, pattern) in zip(parts.items(), looks, strict=False)
        ]
    )
    counts = {"title": {"text": "number of series", "standoff": 8}, "zeroline": False, "rangemode": "tozero"}
    classes = {"showgrid": False, "zeroline": False}
    if upright:
        fig.update_yaxes(counts, nticks=5)
        fig.update_xaxes({**classes, **_upright_axis(names)})
    else:
        fig.update_xaxes(counts)
        fig.update_yaxes(classes, range=[len(names) - 0.5, -0.5], **_ticks(names, 24))
    fig.update_layout(barmode="group", bargap=0.25, bargroupgap=0.05)
    height = SMALL_HEIGHT if upright else max(SMALL_HEIGHT, 100 + 34 * len(names))
    return base_layout(fig, theme, height=height, title=title, top=44 if parts else MODEBAR_ROOM)


def _upright_axis(names: Sequence[str]) -> dict[str, Any]:
    axis: dict[str, Any] = {"range": [-0.5, len(names) - 0.5]}
    if len(names) > CLASSES_WITH_TICKS or max(len(name) for name in names) > 12:
        return axis | {"showticklabels": False, "title": {"text": f"{len(names)} classes", "standoff": 8}}
    return axis | _ticks(names, 12)


def _ticks(names: Sequence[str], longest: int) -> dict[str, Any]:
    return {"tickvals": list(range(len(names))), "ticktext": [shortened(name, longest) for name in names]}


def _bars(part: str, labels: LabelArray, names: Sequence[str], colour: str, pattern: str, *, upright: bool) -> go.Bar:
    counts = np.bincount(np.where(labels < 0, len(names) - 1, labels).astype(np.int64), minlength=len(names))
    part = {"train": "training"}.get(part, part)
    places = np.arange(len(names))
    value = "y" if upright else "x"
    return go.Bar(
        x=places if upright else counts,
        y=counts if upright else places,
        orientation="v" if upright else "h",
        marker={
            "color": faded(colour, 0.75),
            "pattern": {"shape": pattern, "size": 5, "solidity": 0.25, "fillmode": "overlay"},
        },
        text=None if upright else counts,
        textposition="none" if upright else "outside",
        cliponaxis=False,
        name=f"{escape(part)} ({len(labels)})",
        showlegend=True,
        customdata=[escape(name) for name in names],
        hovertemplate=f"<b>%{{customdata}}</b>: %{{{value}}} {escape(part)} series<extra></extra>",
    )
