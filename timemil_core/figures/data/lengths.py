"""How many series have which length."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.data.names import SMALL_HEIGHT
from timemil_core.figures.style import MODEBAR_ROOM, THEMES, ThemeName, base_layout, empty_figure, faded
from timemil_core.figures.text import number

MOST_BARS = 40


def length_histogram(
    lengths: npt.NDArray[np.integer[Any]],
    sampling_rate: float | None = None,
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw how many series ``(n_series,)`` have which length; a sentence where all are of one length."""
    if len(lengths) == 0:
        return empty_figure("There are no series.", theme, title, SMALL_HEIGHT)
    if lengths.min() == lengths.max():
        return empty_figure(f"{_all_series(lengths, sampling_rate)}.", theme, title, SMALL_HEIGHT)
    step = -(-int(lengths.max() - lengths.min() + 1) // MOST_BARS)
    edges = np.arange(lengths.min(), lengths.max() + step + 1, step) - 0.5
    counts, _ = np.histogram(lengths, bins=edges)
    first, last = np.ceil(edges[:-1]).astype(int), np.floor(edges[1:]).astype(int)
    fig = go.Figure(
        go.Bar(
            x=edges[:-1],
            y=counts,
            width=np.diff(edges),
            offset=0,
            marker={"color": faded(THEMES[theme].heat_line, 0.7), "line": {"color": THEMES[theme].page, "width": 0.5}},
            customdata=np.stack([first, last], axis=1),
            text=[str(low) if low == high else f"{low} to {high}" for low, high in zip(first, last, strict=True)],
            textposition="none",
            name="lengths",
            hovertemplate="%{text} time points: %{y} series<extra></extra>",
        )
    )
    fig.update_xaxes(title={"text": "length (time points)", "standoff": 8}, zeroline=False, showgrid=False)
    fig.update_yaxes(title={"text": "number of series", "standoff": 8}, zeroline=False, nticks=5)
    return base_layout(fig, theme, height=SMALL_HEIGHT, title=title, top=MODEBAR_ROOM)


def _all_series(lengths: npt.NDArray[np.integer[Any]], sampling_rate: float | None) -> str:
    seconds = f" ({number(lengths[0] / sampling_rate)} s)" if sampling_rate else ""
    who = "The series has" if len(lengths) == 1 else f"All {len(lengths)} series have"
    return f"{who} {lengths[0]} time point{'s' if lengths[0] != 1 else ''}{seconds}"
