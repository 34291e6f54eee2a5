"""How far each method's score, or its maps, go apart from one training seed to the next."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.style import SYMBOLS, THEMES, ThemeName, base_layout, empty_figure, faded
from timemil_core.figures.text import escape, shortened

ROW_HEIGHT = 30
TOP, BOTTOM = 40, 56


def spread_figure(
    methods: Sequence[str],
    values: FloatArray,
    names: Sequence[str],
    *,
    quantity: str,
    chance: float,
    limits: tuple[float, float] | None = None,
    marked: int | None = 0,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a row a method and in it a point a seed, over the span from the lowest to the highest.

    Parameters
    ----------
    methods
        Titles, in the order to be drawn.
    values
        ``(n_methods, n_points)``; NaN leaves a point out.
    names
        Of the points: ``"seed 3"``.
    quantity
        What is shown, for the axis.
    chance
        What a map that means nothing scores: a line through all rows.
    limits
        Of the axis, at least; wider where values need it.
    marked
        Which point is the chosen model's, drawn in a colour of its own; None: all are alike.
    """
    if not len(methods) or not np.isfinite(values).any():
        return empty_figure("Nothing could be compared between seeds.", theme, title)
    colours = THEMES[theme]
    rows = np.arange(len(methods))
    fig = go.Figure([_span(row, one, faded(colours.muted, 0.35)) for row, one in enumerate(values)])
    for point, name in enumerate(names):
        is_own = point == marked
        fig.add_trace(
            go.Scatter(
                x=values[:, point],
                y=rows,
                mode="markers",
                marker={
                    "size": 12 if is_own else 9,
                    "symbol": "circle" if marked is None else SYMBOLS[point % len(SYMBOLS)],
                    "color": colours.heat_line if is_own else faded(colours.muted, 0.9 if marked is not None else 0.6),
                    "line": {"width": 1, "color": colours.page},
                },
                name=escape(name),
                showlegend=marked is not None,
                customdata=[escape(method) for method in methods],
                hovertemplate=f"<b>%{{customdata}}</b>, {escape(name)}: %{{x:.3f}}<extra></extra>",
            )
        )
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if limits is not None:
        low, high = min(low, limits[0]), max(high, limits[1])
    low, high = min(low, chance), max(high, chance)
    air = 0.05 * ((high - low) or 1.0)
    fig.add_vline(x=chance, line={"color": colours.muted, "width": 1.5, "dash": "dash"})
    fig.update_xaxes(
        title={"text": escape(quantity), "standoff": 8}, range=[low - air, high + air], zeroline=False, fixedrange=True
    )
    fig.update_yaxes(
        tickvals=rows,
        ticktext=[shortened(name, 34) for name in methods],
        range=[len(methods) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    return base_layout(fig, theme, height=len(methods) * ROW_HEIGHT + TOP + BOTTOM, title=title, top=TOP, bottom=BOTTOM)


def _span(row: int, values: FloatArray, colour: str) -> go.Scatter:
    known = values[np.isfinite(values)]
    ends = [float(known.min()), float(known.max())] if known.size else []
    return go.Scatter(
        x=ends,
        y=[row] * len(ends),
        mode="lines",
        line={"color": colour, "width": 6},
        showlegend=False,
        hoverinfo="skip",
    )
