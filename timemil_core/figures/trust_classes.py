"""Each method's score on each class, as a table of colours: where it is better than chance, and where not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.importance import colour_bar
from timemil_core.figures.style import MODEBAR_ROOM, THEMES, ThemeName, base_layout, empty_figure
from timemil_core.figures.text import escape, number, shortened

CELL_HEIGHT = 28
MOST_CLASSES_TOLD = 8  # with more, numbers would run into each other
NAMES_ROOM = 64


def class_scores_figure(
    methods: Sequence[str],
    classes: Sequence[str],
    scores: FloatArray,
    n_series: Sequence[int],
    *,
    quantity: str,
    chance: float,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a row a method and a column a class: orange is better than chance, blue is worse, nothing is chance.

    Parameters
    ----------
    methods, classes
        Titles, in the order to be drawn.
    scores
        ``(n_methods, n_classes)``; NaN where nothing was measured.
    n_series
        On how many series each column rests.
    quantity
        What is shown, for the colour bar.
    chance
        What a map that means nothing scores: the middle of the colours.
    """
    if not len(methods) or not len(classes):
        return empty_figure("No class has been measured.", theme, title)
    reach = float(np.nanmax(np.abs(scores - chance), initial=0.0)) or 1.0
    told = [["" if np.isnan(score) else f"{score:.2f}".replace("-", "−") for score in row] for row in scores]
    names = [f"{shortened(name, 18)}<br>{n} series" for name, n in zip(classes, n_series, strict=True)]
    whole = [[f"{escape(method)}, {escape(name)}" for name in classes] for method in methods]
    columns = list(range(len(classes)))
    fig = go.Figure(
        go.Heatmap(
            z=scores,
            x=columns,
            y=list(range(len(methods))),
            zmin=chance - reach,
            zmax=chance + reach,
            colorscale=THEMES[theme].signed_behind,
            text=told,
            texttemplate="%{text}" if len(classes) <= MOST_CLASSES_TOLD else None,
            textfont={"size": 12, "color": THEMES[theme].text},
            xgap=1,
            ygap=1,
            customdata=whole,
            hovertemplate="%{customdata}: %{text}<extra></extra>",
            colorbar=colour_bar(
                quantity,
                top=1.0,
                length=220,
                ticks={
                    chance + reach: number(chance + reach),
                    chance: f"{number(chance)}: chance",
                    chance - reach: number(chance - reach),
                },
            ),
        )
    )
    fig.update_xaxes(tickvals=columns, ticktext=names, showgrid=False, zeroline=False, fixedrange=True, side="bottom")
    fig.update_yaxes(
        tickvals=list(range(len(methods))),
        ticktext=[shortened(name, 34) for name in methods],
        range=[len(methods) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    height = len(methods) * CELL_HEIGHT + MODEBAR_ROOM + NAMES_ROOM
    return base_layout(fig, theme, height=height, title=title, right=110, top=MODEBAR_ROOM, bottom=NAMES_ROOM)
