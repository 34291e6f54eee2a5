"""The mean attention of each class over relative time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.bands import Curve, banded
from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.grid import Grid
from timemil_core.figures.rows import padded_range
from timemil_core.figures.style import (
    THEMES,
    ThemeName,
    class_style,
    empty_figure,
    faded,
)
from timemil_core.figures.text import escape, number, shortened

CLASSES_IN_ONE_PANEL = 4


def class_mean_figure(
    curves: Mapping[str, Curve],
    positions: FloatArray | None = None,
    *,
    class_indices: Sequence[int] | None = None,
    position_title: str = "relative time (0 = start, 1 = end)",
    quantity: str = "attention, times that of a flat map",
    band: str = "middle half of the series",
    flat: float | None = 1.0,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw each class's mean attention over relative time, with a band.

    Up to four classes share one panel; more have a panel each, on common axes.

    Parameters
    ----------
    curves
        From class name to (mean, low, high), each ``(n_positions,)``.
    positions
        ``(n_positions,)``; by default evenly spaced from 0 to 1.
    class_indices
        Each class's place among all classes, for its colour; by default in the order of ``curves``.
    band
        What low and high enclose; told in the legend.
    flat
        What a flat map has everywhere: drawn as a dashed line.
    """
    if not curves or not all(len(mean) for mean, _, _ in curves.values()):
        return empty_figure("There is no attention to average: no series of any class.", theme, title)
    n_positions = len(next(iter(curves.values()))[0])
    x = np.linspace(0, 1, n_positions) if positions is None else positions
    one_panel = len(curves) <= CLASSES_IN_ONE_PANEL
    grid = Grid(
        1 if one_panel else len(curves), most_columns=1 if one_panel else 4, row_height=300 if one_panel else 110
    )
    everything = np.concatenate([np.concatenate(curve) for curve in curves.values()])
    limits = [0.0, max(padded_range(everything)[1], (flat or 0) * 1.5)]
    for place, (name, curve) in enumerate(curves.items()):
        style = class_style(class_indices[place] if class_indices else place, theme)
        panel = 0 if one_panel else place
        grid.draw(panel, *banded(x, curve, style.colour, style.dash, escape(name), legend=one_panel))
        if not one_panel:
            grid.label(panel, f"<b>{shortened(name, 28)}</b>")
    if flat is not None:
        for panel in range(grid.n_panels):
            grid.draw(panel, _level(x, flat, f"flat map: {number(flat)}", theme, legend=panel == 0))
    fig = grid.figure(theme, x_title=escape(position_title), y_title=escape(quantity), title=title, y_range=limits)
    fig.add_trace(_legend_band(f"band: {escape(band)}", theme))
    return fig


def _level(x: FloatArray, level: float, name: str, theme: ThemeName, *, legend: bool) -> go.Scatter:
    return go.Scatter(
        x=x[[0, -1]],
        y=np.array([level, level]),
        mode="lines",
        line={"color": THEMES[theme].muted, "width": 1.5, "dash": "dash"},
        name=name,
        legendgroup="level",
        showlegend=legend,
        hoverinfo="skip",
    )


def _legend_band(name: str, theme: ThemeName) -> go.Scatter:
    marker = {"symbol": "square", "size": 13, "color": faded(THEMES[theme].muted, 0.3)}
    return go.Scatter(x=[None], y=[None], mode="markers", marker=marker, name=name, showlegend=True)
