"""Networks by how good they are and how long they take."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

import numpy as np
import plotly.graph_objects as go

from timemil_core.data.series_set import FloatArray
from timemil_core.figures.style import THEMES, ThemeName, base_layout, faded
from timemil_core.figures.text import shortened

HEIGHT = 300
NAME = 38
ROW, ROOM = 34, 110  # pixels of a network, and of what stands around
HIGHEST = 1.005  # a point at 1 is drawn whole, and no tick is above it
CROWDED = 0.06  # of an axis: names that are nearer write over each other
MARGIN = 0.1  # of a power of ten, beside the outermost points


def accuracy_against_time_figure(
    networks: Sequence[tuple[str, float, float | None, float | None]],
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a point a network: accuracy in [0, 1] over the seconds of its fit, on a logarithmic axis.

    Parameters
    ----------
    networks
        Name, accuracy, its standard deviation over seeds (None for one), seconds (None: left out).
    """
    colours = THEMES[theme]
    timed = [(name, accuracy, deviation, seconds) for name, accuracy, deviation, seconds in networks if seconds]
    ends = [seconds for *_, seconds in timed] or [1.0]
    middle = (min(ends) * max(ends)) ** 0.5
    fig = go.Figure(
        go.Scatter(
            x=[seconds for *_, seconds in timed],
            y=[accuracy for _, accuracy, _, _ in timed],
            error_y={
                "type": "data", "array": [deviation or 0.0 for _, _, deviation, _ in timed], "color": colours.muted,
                "thickness": 1.5, "width": 4,
            },
            mode="markers+text",
            marker={"size": 11, "color": colours.selection},
            text=[shortened(name, NAME) for name, *_ in timed],
            textposition=_names_apart([seconds for *_, seconds in timed], middle),
            textfont={"size": 12, "color": colours.text},
            hovertemplate="<b>%{text}</b>: %{y:.3f} in %{x:.3g} s<extra></extra>",
            showlegend=False,
            cliponaxis=False,
        )
    )  # fmt: skip
    reach = [log10(min(ends)) - MARGIN, log10(max(ends)) + MARGIN]
    fig.update_xaxes(title_text="seconds to fit or train", type="log", zeroline=False, range=reach)
    lowest = min((accuracy for _, accuracy, _, _ in timed), default=0.0)
    fig.update_yaxes(title_text="accuracy", range=[max(0.0, lowest - 0.05), HIGHEST], zeroline=False)
    return base_layout(fig, theme, height=HEIGHT, title=title)


def _names_apart(seconds: Sequence[float], middle: float) -> list[str]:
    # Towards the middle, where there is room; above and below in turn, so that neighbours do not write over each other.
    turns = {place: turn % 2 for turn, place in enumerate(np.argsort(seconds, kind="stable").tolist())}
    sides = ["left" if one > middle else "right" for one in seconds]
    return [f"{'bottom' if turns[place] else 'top'} {side}" for place, side in enumerate(sides)]


def ranks_figure(
    networks: Sequence[str],
    ranks: Sequence[float],
    critical_difference: float,
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw average ranks, the best at the top, and from the best how far a network must lie to be told apart.

    Parameters
    ----------
    networks, ranks
        The best first.
    critical_difference
        In ranks.
    """
    colours, names = THEMES[theme], [shortened(name, NAME) for name in networks]
    fig = go.Figure(
        go.Scatter(
            x=list(ranks), y=names, mode="markers+text", marker={"size": 11, "color": colours.selection},
            text=[f"{rank:.2f}" for rank in ranks], textposition="middle right", textfont={"color": colours.text},
            hovertemplate="<b>%{y}</b>: average rank %{x:.2f}<extra></extra>", showlegend=False,
        )
    )  # fmt: skip
    beyond = ranks[0] + critical_difference
    fig.add_vrect(x0=ranks[0], x1=beyond, fillcolor=faded(colours.muted, 0.14), line_width=0, layer="below")
    fig.add_annotation(
        x=0, xref="paper", y=1, yref="paper", xanchor="left", yanchor="bottom", showarrow=False,
        text="shaded: not told apart from the best", font={"size": 12, "color": colours.muted},
    )  # fmt: skip
    fig.update_xaxes(title_text="average rank (1: best on every set)", range=[0.8, len(networks) + 0.6], zeroline=False)
    fig.update_yaxes(autorange="reversed", showgrid=True)
    return base_layout(fig, theme, height=ROW * len(networks) + ROOM, title=title, top=40)


def pairwise_figure(
    first: tuple[str, Sequence[float]],
    second: tuple[str, Sequence[float]],
    sets: Sequence[str],
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a point a set: the accuracy of one network over that of another; above the line the second is better.

    Parameters
    ----------
    first, second
        Name, and accuracies in [0, 1], one a set.
    sets
        Their names.
    """
    colours = THEMES[theme]
    lowest = max(0.0, min(*first[1], *second[1]) - 0.05)
    names, middle = [shortened(name, NAME) for name in sets], (lowest + 1) / 2
    fig = go.Figure(
        [
            go.Scatter(
                x=[lowest, 1], y=[lowest, 1], mode="lines", line={"color": colours.muted, "dash": "dot", "width": 1},
                hoverinfo="skip", showlegend=False,
            ),
            go.Scatter(
                x=list(first[1]), y=list(second[1]), mode="markers+text",
                marker={"size": 10, "color": colours.selection}, customdata=names, cliponaxis=False,
                text=_crowds(np.array([first[1], second[1]]), names, CROWDED * (1 - lowest)),
                textposition=["middle left" if one > middle else "middle right" for one in first[1]],
                textfont={"size": 12, "color": colours.text}, showlegend=False,
                hovertemplate="<b>%{customdata}</b>: %{x:.3f}, %{y:.3f}<extra></extra>",
            ),
        ]
    )  # fmt: skip
    reach = [lowest, HIGHEST]
    fig.update_xaxes(title_text=f"accuracy of {shortened(first[0], NAME)}", range=reach, zeroline=False)
    fig.update_yaxes(title_text=f"of {shortened(second[0], NAME)}", range=reach, zeroline=False)
    return base_layout(fig, theme, height=HEIGHT + 60, title=title)


def _crowds(points: FloatArray, names: Sequence[str], near: float) -> list[str]:
    # One text for points that lie together: the others of a crowd have none of their own.
    told = [""] * len(names)
    for place in range(len(names)):
        crowd = np.flatnonzero(np.abs(points - points[:, [place]]).max(axis=0) <= near)
        if crowd[0] == place or not any(told[other] for other in crowd):
            told[place] = names[place] if len(crowd) == 1 else f"{names[place]} and {len(crowd) - 1} more"
    return told
