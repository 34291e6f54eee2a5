"""What the methods of a model are worth over a whole set: their merits, their agreement, their maps' sensitivity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.importance import colour_bar
from timemil_core.figures.style import (
    DASHES,
    MODEBAR_ROOM,
    SYMBOLS,
    THEMES,
    ThemeName,
    base_layout,
    empty_figure,
    faded,
)
from timemil_core.figures.text import escape, shortened

TWO_LINES = 72  # beneath a chart, for an axis title that is broken where the page is narrow
BAR_HEIGHT = 28
CELL_HEIGHT = 30


def ranking_figure(
    methods: Sequence[str],
    effects: FloatArray,
    levels: Sequence[str],
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a bar a method: how much of what can be found its maps find, and their level.

    Parameters
    ----------
    methods
        Titles, in the order to be drawn.
    effects
        ``(n_methods,)``; 0 is what the same maps at other places reach, 1 what a greedy search does.
    levels
        Of each: "strong" is drawn full, "mixed" half, the others faint.
    """
    if not methods:
        return empty_figure("No method has been measured.", theme, title)
    colours = THEMES[theme]
    fills = [_level_fill(level, colours.heat_line, colours.muted) for level in levels]
    fig = go.Figure(
        go.Bar(
            x=effects,
            y=np.arange(len(methods)),
            orientation="h",
            marker={"color": fills},
            text=list(levels),
            textposition="outside",
            cliponaxis=False,
            customdata=[escape(name) for name in methods],
            hovertemplate="<b>%{customdata}</b><br>%{x:.0%} of what can be found<br>evidence: %{text}<extra></extra>",
            showlegend=False,
        )
    )
    low, high = min(0.0, float(np.min(effects))), max(0.0, float(np.max(effects)))
    air = 0.3 * ((high - low) or 1.0)
    fig.update_xaxes(
        title={"text": "share of what can be found<br>(0: the same maps at other places)", "standoff": 8},
        tickformat=".0%",
        range=[low - (air if low < 0 else 0), high + air],
        zeroline=True,
        fixedrange=True,
    )
    _named_rows(fig, methods)
    height = len(methods) * BAR_HEIGHT + MODEBAR_ROOM + TWO_LINES
    return base_layout(fig, theme, height=height, title=title, top=MODEBAR_ROOM, bottom=TWO_LINES)


def _level_fill(level: str, strong: str, faint: str) -> str:
    return {"strong": strong, "mixed": faded(strong, 0.45)}.get(level, faded(faint, 0.5))


def agreement_figure(
    methods: Sequence[str], agreement: FloatArray, *, theme: ThemeName = "light", title: str | None = None
) -> go.Figure:
    """Draw the rank correlation of each pair of methods.

    Parameters
    ----------
    methods
        Titles.
    agreement
        ``(n_methods, n_methods)`` from -1 to 1; NaN where nothing could be compared.
    """
    if len(methods) < 2:
        return empty_figure("There is one method only: nothing to compare it with.", theme, title)
    names = [shortened(name, 34) for name in methods]
    told = [["" if np.isnan(value) else f"{value:.1f}".replace("-", "−") for value in row] for row in agreement]
    places = list(range(len(methods)))
    fig = go.Figure(
        go.Heatmap(
            z=agreement,
            x=places,
            y=places,
            zmin=-1,
            zmax=1,
            colorscale=THEMES[theme].signed_behind,
            text=told,
            texttemplate="%{text}",
            textfont={"size": 11, "color": THEMES[theme].text},  # Plotly's own choice takes no account of the page
            xgap=1,
            ygap=1,
            customdata=[[f"{one} and {other}" for other in names] for one in names],
            hovertemplate="%{customdata}: %{z:.2f}<extra></extra>",
            colorbar=colour_bar(
                "rank correlation", top=1.0, length=220, ticks={1.0: "1", 0.0: "0: unrelated", -1.0: "−1"}
            ),
        )
    )
    fig.update_xaxes(tickvals=places, ticktext=names, tickangle=-40, showgrid=False, fixedrange=True)
    _named_rows(fig, methods)
    height = len(methods) * CELL_HEIGHT + MODEBAR_ROOM + 150
    return base_layout(fig, theme, height=height, title=title, right=110, top=MODEBAR_ROOM, bottom=150)


def sensitivity_figure(
    methods: Sequence[str],
    stages: Sequence[str],
    kept: FloatArray,
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw how much of each method's map is left while weights are made random from the classifier down.

    Parameters
    ----------
    methods, stages
        Titles.
    kept
        ``(n_methods, n_stages)``: rank correlation with the map of the trained model.
    """
    if not methods or not stages:
        return empty_figure("Nothing has been made random.", theme, title)
    palette = THEMES[theme].classes
    names = ["nothing", *(escape(stage) for stage in stages)]
    fig = go.Figure()
    for place, (method, row) in enumerate(zip(methods, kept, strict=True)):
        turn, colour = divmod(place, len(palette))
        fig.add_trace(
            go.Scatter(
                x=names,
                y=[1.0, *row],
                mode="lines+markers",
                name=shortened(method, 40),
                line={"color": palette[colour], "width": 2, "dash": DASHES[turn % len(DASHES)]},
                marker={"symbol": SYMBOLS[place % len(SYMBOLS)], "size": 8},
                hovertemplate=f"<b>{escape(method)}</b>: %{{y:.2f}}, random: %{{x}} and all above<extra></extra>",
            )
        )
    fig.update_xaxes(title={"text": "made random, from the classifier down", "standoff": 8}, type="category")
    lowest = min(-0.1, float(np.nanmin(kept, initial=0.0)))
    fig.update_yaxes(
        title={"text": "rank correlation with the trained map", "standoff": 8}, range=[lowest - 0.08, 1.08]
    )
    base_layout(fig, theme, height=440, title=title, right=230, top=MODEBAR_ROOM, bottom=84)
    return fig.update_layout(legend={"orientation": "v", "x": 1.02, "y": 1, "yanchor": "top"})


def _named_rows(fig: go.Figure, methods: Sequence[str]) -> None:
    fig.update_yaxes(
        tickvals=list(range(len(methods))),
        ticktext=[shortened(name, 34) for name in methods],
        range=[len(methods) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
