"""Which wavelets matter: what removing them changes, beside random ones that take away as much."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.kernel_points import LOG_TICKS, kernel_points
from timemil_core.figures.style import THEMES, ThemeName, base_layout, empty_figure, faded
from timemil_core.figures.text import escape, number

ROW_HEIGHT = 34
CHANGE = "mean absolute change of the predicted class's logit"
SMALLEST = 1e-9
"""Where a change of 0 is drawn on a logarithmic axis: beneath whatever a network in float32 can tell apart."""


def part_effects_figure(
    parts: Sequence[str],
    sizes: FloatArray,
    control_sizes: FloatArray,
    notes: Sequence[str] = (),
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a row a removed part: the change by removing it (disc) and by random wavelets of equal size (rings).

    Parameters
    ----------
    parts
        What was removed.
    sizes
        ``(n_parts,)``: mean absolute change of the logit.
    control_sizes
        ``(n_parts, n_controls)``.
    notes
        What stands at the right of each row; by default nothing.
    """
    if not parts:
        return empty_figure("Nothing was removed.", theme, title)
    colours = THEMES[theme]
    places = np.arange(len(parts), dtype=float)
    n_controls = control_sizes.shape[1]
    names = [escape(part) for part in parts]
    fig = go.Figure(
        [
            go.Scatter(
                x=control_sizes.ravel(),
                y=np.repeat(places, n_controls),
                customdata=np.repeat(names, n_controls),
                mode="markers",
                marker={"symbol": "line-ns-open", "size": 13, "color": faded(colours.muted, 0.7)},
                name="random wavelets in its place, as much taken away",
                hovertemplate="random, as much as <b>%{customdata}</b>: %{x:.3g}<extra></extra>",
            ),
            go.Scatter(
                x=sizes,
                y=places,
                customdata=names,
                mode="markers",
                marker={"symbol": "circle", "size": 11, "color": colours.selection},
                name="the learned ones removed",
                hovertemplate="without <b>%{customdata}</b>: %{x:.3g}<extra></extra>",
            ),
        ]
    )
    largest = max(float(sizes.max()), float(control_sizes.max()), SMALLEST)
    fig.update_xaxes(title={"text": CHANGE, "standoff": 8}, range=[-0.02 * largest, 1.06 * largest], zeroline=True)
    fig.update_yaxes(
        tickvals=places, ticktext=names, range=[len(parts) - 0.5, -0.5], zeroline=False, showgrid=False,
        fixedrange=True,
    )  # fmt: skip
    for place, note in zip(places, notes, strict=False):
        fig.add_annotation(
            text=escape(note), x=1.01, xref="paper", xanchor="left", y=place, yanchor="middle", showarrow=False,
            align="left", font={"size": 12, "color": colours.muted},
        )  # fmt: skip
    height = len(parts) * ROW_HEIGHT + 100
    return base_layout(fig, theme, height=height, title=title, left=130, right=190 if notes else 16)


def kernel_effects_figure(
    energy: FloatArray,
    sizes: FloatArray,
    control_sizes: FloatArray,
    *,
    layer: int = 0,
    selected: tuple[int, int, int] | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw what removing each kernel of a layer changes against how much it takes away, to pick from.

    Parameters
    ----------
    energy
        ``(n_wavelets, n_features)``: the share of the encoding's energy that it takes away.
    sizes, control_sizes
        ``(n_wavelets, n_features)``: mean absolute change of the logit by the kernel, and by a random one that takes
        away as much.
    layer, selected
        As for `scale_shift_figure`.
    """
    if energy.size == 0:
        return empty_figure("This layer has no wavelets.", theme, title)
    colours = THEMES[theme]
    percent, own = 100 * np.maximum(energy, SMALLEST), np.maximum(sizes, SMALLEST)
    controls = np.maximum(control_sizes, SMALLEST)
    texts = [
        [
            f"change of the logit: {number(sizes[w, f])}<br>by a random kernel: {number(control_sizes[w, f])}"
            f"<br>takes away {number(100 * energy[w, f])} % of the encoding"
            for f in range(energy.shape[1])
        ]
        for w in range(len(energy))
    ]
    fig = go.Figure(
        go.Scatter(
            x=percent.ravel(),
            y=controls.ravel(),
            mode="markers",
            marker={"symbol": "circle-open", "size": 6, "color": faded(colours.muted, 0.6)},
            unselected={"marker": {"opacity": 1.0}},
            name="a random kernel, as much taken away",
            hoverinfo="skip",
            showlegend=True,
        )
    )
    fig.add_traces(kernel_points(percent, own, texts, layer=layer, selected=selected, theme=theme))
    axis = {"type": "log", "tickvals": LOG_TICKS, "zeroline": False}
    x_title = "share of the layer's encoding that is taken away (% of its energy, logarithmic)"
    fig.update_xaxes(title={"text": x_title, "standoff": 8}, **axis, tickformat="~g")
    fig.update_yaxes(title={"text": "mean absolute change of the logit", "standoff": 8}, **axis, tickformat="~g")
    return base_layout(fig, theme, height=440, title=title)
