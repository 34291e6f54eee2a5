"""What removing a map's most relevant time points does to a prediction, against the same map at random places."""

from __future__ import annotations

from typing import Literal

import plotly.graph_objects as go

from timemil_core.figures.bands import banded
from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.style import (
    THEMES,
    VALUE_FORMAT,
    ThemeName,
    base_layout,
    empty_figure,
)
from timemil_core.figures.text import escape, shortened


def deletion_figure(
    shares: FloatArray,
    curve: FloatArray,
    random_mean: FloatArray,
    low: FloatArray,
    high: FloatArray,
    quantity: str,
    filler: str,
    *,
    method_name: str = "most relevant first",
    random_name: str = "random places",
    band: str = "5 to 95 %",
    mode: Literal["deletion", "insertion"] = "deletion",
    height: int = 340,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw how a prediction changes while time points are removed (or restored), here and at random places.

    Parameters
    ----------
    shares
        ``(n_steps,)`` in [0, 1]: the share of time points removed or restored.
    curve
        ``(n_steps,)``: the prediction when the most relevant go first.
    random_mean, low, high
        ``(n_steps,)``: the mean of random places and their band.
    quantity
        What is predicted: ``"probability of walking"``.
    filler
        What stands in for removed time points; named on the axis.
    height
        In pixels.
    """
    if len(shares) == 0:
        return empty_figure("Nothing was removed yet.", theme, title)
    verb = {"deletion": "removed", "insertion": "restored"}[mode]
    colours = THEMES[theme]
    position = f"share of time points {verb}"
    random, method = f"{escape(random_name)}: mean and {escape(band)}", escape(method_name)
    fig = go.Figure(
        [
            *banded(shares, (random_mean, low, high), colours.muted, "dash", random, legend=True),
            go.Scatter(
                x=shares,
                y=curve,
                mode="lines+markers",
                line={"color": colours.heat_line, "width": 2.5},
                marker={"size": 6},
                name=method,
                hovertemplate=f"<b>{method}</b>: %{{y{VALUE_FORMAT}}}, %{{x:.0%}} {verb}<extra></extra>",
            ),
        ]
    )
    fig.update_xaxes(
        title={"text": f"{position}<br>(filled with: {escape(filler)})", "standoff": 8},
        tickformat=".0%",
        range=[float(shares.min()), float(shares.max())],
        zeroline=False,
    )
    fig.update_yaxes(title={"text": shortened(quantity, 40), "standoff": 8}, zeroline=False)
    fig.update_layout(hovermode="x")
    return base_layout(fig, theme, height=height, title=title, bottom=72)
