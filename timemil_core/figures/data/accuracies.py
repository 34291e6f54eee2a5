"""Published accuracies of a set, beside what this program measured and what needs no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from timemil_core.figures.data.names import SMALL_HEIGHT
from timemil_core.figures.style import THEMES, ThemeName, base_layout, empty_figure
from timemil_core.figures.text import escape, shortened

ROW_HEIGHT = 20
HIGHLIGHTED = "TimeMIL"


@dataclass(frozen=True)
class MeasuredHere:
    """The test accuracy that this program measured of a model."""

    model: str
    accuracy: float


def accuracies_figure(
    published: Sequence[tuple[str, float, str]],
    *,
    measured: Sequence[MeasuredHere] = (),
    largest_class: float | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a point for each accuracy in [0, 1], a row a method, the best at the top.

    Parameters
    ----------
    published
        Method, accuracy and source of each figure; a method may have several.
    measured
        Models of this program, drawn as diamonds in rows of their own.
    largest_class
        The accuracy of always naming the largest class: drawn as a line.
    """
    if not published and not measured:
        return empty_figure("No accuracy is known.", theme, title, SMALL_HEIGHT)
    best: dict[str, float] = {}
    for method, accuracy, _ in published:
        best[method] = max(accuracy, best.get(method, 0.0))
    here = [f"{HIGHLIGHTED} here: {one.model}" for one in measured]
    for name, one in zip(here, measured, strict=True):
        best[name] = one.accuracy
    order = sorted(best, key=lambda name: -best[name])
    place = {name: index for index, name in enumerate(order)}
    colours = THEMES[theme]
    fig = go.Figure(
        [
            go.Scatter(
                x=[accuracy for _, accuracy, _ in published],
                y=[place[method] for method, _, _ in published],
                mode="markers",
                marker={
                    "size": 9,
                    "color": [colours.heat_line if m == HIGHLIGHTED else colours.muted for m, _, _ in published],
                },
                customdata=[[escape(method), escape(source)] for method, _, source in published],
                hovertemplate="<b>%{customdata[0]}</b>: %{x:.3f}, %{customdata[1]}<extra></extra>",
                name="published",
                showlegend=bool(published),
            ),
            go.Scatter(
                x=[one.accuracy for one in measured],
                y=[place[name] for name in here],
                mode="markers",
                marker={"size": 11, "symbol": "diamond", "color": colours.selection},
                customdata=[escape(name) for name in here],
                hovertemplate="<b>%{customdata}</b>: %{x:.3f}<extra></extra>",
                name="measured by this program",
                showlegend=bool(measured),
            ),
        ]
    )
    if largest_class is not None:
        fig.add_trace(_level(largest_class, len(order), colours.muted))
    lowest = min([*(accuracy for _, accuracy, _ in published), *best.values(), largest_class or 1.0])
    fig.update_xaxes(title={"text": "test accuracy", "standoff": 8}, range=[max(lowest - 0.05, -0.02), 1.02], nticks=8)
    fig.update_yaxes(
        tickvals=list(range(len(order))),
        ticktext=[f"<b>{escape(name)}</b>" if name == HIGHLIGHTED else shortened(name, 40) for name in order],
        range=[len(order) - 0.4, -0.6],
        zeroline=False,
    )
    return base_layout(fig, theme, height=max(200, 100 + ROW_HEIGHT * len(order)), title=title)


def _level(share: float, n_rows: int, colour: str) -> go.Scatter:
    return go.Scatter(
        x=[share, share],
        y=[-0.6, n_rows - 0.4],
        mode="lines",
        line={"color": colour, "width": 1.5, "dash": "dash"},
        name=f"always the largest class: {share:.3f}",
        hoverinfo="skip",
        showlegend=True,
    )
