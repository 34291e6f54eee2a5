"""Networks by how good they are and how long they take."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

import plotly.graph_objects as go

from timemil_core.figures.style import THEMES, ThemeName, base_layout
from timemil_core.figures.text import shortened

HEIGHT = 300
NAME = 38
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
            textposition=["middle left" if seconds > middle else "middle right" for *_, seconds in timed],
            textfont={"size": 12, "color": colours.text},
            hovertemplate="<b>%{text}</b>: %{y:.3f} in %{x:.3g} s<extra></extra>",
            showlegend=False,
            cliponaxis=False,
        )
    )  # fmt: skip
    reach = [log10(min(ends)) - MARGIN, log10(max(ends)) + MARGIN]
    fig.update_xaxes(title_text="seconds to fit or train", type="log", zeroline=False, range=reach)
    lowest = min((accuracy for _, accuracy, _, _ in timed), default=0.0)
    fig.update_yaxes(title_text="accuracy", range=[max(0.0, lowest - 0.05), 1.02], zeroline=False)
    return base_layout(fig, theme, height=HEIGHT, title=title)
