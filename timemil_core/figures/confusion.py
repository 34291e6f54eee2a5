"""Which classes a model takes for which: a row a true class, a column a class that the model gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.style import THEMES, ThemeName, base_layout
from timemil_core.figures.text import escape, shortened

CELL, SMALLEST_CELL, MOST_LARGE = 44, 22, 8
ROOM = 92
NAME = 16
FLAT = 40  # letters of all names side by side
MOST_TOLD = 20  # classes; with more, numbers would run into each other


def confusion_figure(
    counts: npt.NDArray[np.int64],
    class_names: Sequence[str],
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a confusion matrix; what is picked in it carries (true, predicted) as ``customdata``.

    Parameters
    ----------
    counts
        ``(n_classes, n_classes)``: series by true class (row) and by what the model calls them (column).
    class_names
        In the order of both.
    """
    n = len(class_names)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    cells = [(true, predicted) for true in range(n) for predicted in range(n)]
    told = [
        f"{counts[true, predicted]:,} series of {escape(class_names[true])} called {escape(class_names[predicted])}"
        for true, predicted in cells
    ]
    labels = [f"{counts[cell]:,}" if counts[cell] and n <= MOST_TOLD else "" for cell in cells]
    picked = {"marker": {"opacity": 0}, "textfont": {"color": THEMES[theme].text}}  # as before: the page tells it
    fig = go.Figure(
        [
            go.Heatmap(
                z=shares, zmin=0, zmax=1, colorscale=THEMES[theme].heat_behind, showscale=False, hoverinfo="skip",
                xgap=2, ygap=2,
            ),
            go.Scatter(  # a heat map's cells cannot be picked
                x=[predicted for _, predicted in cells], y=[true for true, _ in cells], mode="markers+text",
                marker={"size": 18, "opacity": 0, "symbol": "square"}, text=labels, customdata=cells, hovertext=told,
                hoverinfo="text", textfont={"size": 13, "color": THEMES[theme].text}, showlegend=False,
                selected=picked, unselected=picked,
            ),
        ]
    )  # fmt: skip
    names, places = [shortened(name, NAME) for name in class_names], list(range(n))
    axis = {
        "tickvals": places, "ticktext": names, "showgrid": False, "zeroline": False, "fixedrange": True,
        "range": [-0.5, n - 0.5],
    }  # fmt: skip
    aslant = {"tickangle": -25, "title_standoff": 4} if sum(map(len, names)) > FLAT else {}
    fig.update_xaxes(title_text="called by the model", side="bottom", **axis, **aslant)
    fig.update_yaxes(title_text="true class", **{**axis, "range": [n - 0.5, -0.5]})
    height = n * (CELL if n <= MOST_LARGE else SMALLEST_CELL) + ROOM
    return base_layout(fig, theme, height=max(height, 200), title=title, top=30, bottom=ROOM - 30)
