"""How wavelets moved during training: all of a layer epoch by epoch, and the way of one."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.data.time_axis import axis_rate, axis_unit
from timemil_core.figures.bands import banded
from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.rows import padded_range
from timemil_core.figures.style import THEMES, VALUE_FORMAT, Theme, ThemeName, base_layout, empty_figure
from timemil_core.figures.text import escape

HEIGHT = 300
ALL_MARKED = 40
LEAST_ENLARGED = 2.0


def movement_figure(
    epochs: npt.NDArray[np.integer[Any]],
    moves: FloatArray,
    quantity: str,
    kept: int,
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw how far kernels had moved from where they began, epoch by epoch: the median, and nine in ten.

    Parameters
    ----------
    epochs
        ``(n_epochs,)``.
    moves
        ``(n_epochs, n_kernels)``, 0 or more, in the unit that ``quantity`` names.
    quantity
        What the y axis is labelled with.
    kept
        The place of the epoch that the model is of.
    """
    if moves.size == 0:
        return empty_figure("No movement is known.", theme, title)
    colours = THEMES[theme]
    median, low, high = np.quantile(moves, [0.5, 0.0, 0.9], axis=1)
    name = "median; band: nine in ten kernels"
    fig = go.Figure(banded(epochs.astype(float), (median, low, high), colours.heat_line, "solid", name, legend=True))
    fig.add_trace(_star(epochs[kept], median[kept], f"this model: epoch {epochs[kept]}", colours))
    fig.update_xaxes(title={"text": "epoch", "standoff": 8}, tickformat="d", zeroline=False)
    fig.update_yaxes(title={"text": escape(quantity), "standoff": 8}, rangemode="tozero", zeroline=False)
    return base_layout(fig, theme, height=HEIGHT, title=title)


def kernel_way_figure(
    epochs: npt.NDArray[np.integer[Any]],
    scales: FloatArray,
    shifts: FloatArray,
    kept: int,
    layer_scales: FloatArray,
    layer_shifts: FloatArray,
    *,
    sampling_rate: float | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw the way of one kernel by scale and shift, and how much it is enlarged against the spread of its layer.

    Parameters
    ----------
    epochs, scales, shifts
        ``(n_epochs,)``.
    kept
        The place of the epoch that the model is of; later epochs are drawn dotted.
    layer_scales, layer_shifts
        Of all kernels of the layer: what the enlargement is told against.
    """
    if len(epochs) == 0:
        return empty_figure("No movement is known.", theme, title)
    colours = THEMES[theme]
    unit, per_unit = axis_unit(sampling_rate), axis_rate(sampling_rate)
    told = f" (%{{customdata[1]{VALUE_FORMAT}}} {unit.length})" if sampling_rate else ""
    hover = (
        f"<b>epoch %{{customdata[0]}}</b><br>scale a: %{{y{VALUE_FORMAT}}} time points"
        f"<br>shift b: %{{x{VALUE_FORMAT}}} time points{told}<extra></extra>"
    )
    fig = go.Figure()
    parts = [("way to this model", slice(0, kept + 1), "solid", colours.heat_line)]
    if kept < len(epochs) - 1:
        parts.append(("later epochs, not kept", slice(kept, None), "dot", colours.muted))
    for name, part, dash, colour in parts:
        fig.add_scatter(
            x=shifts[part],
            y=scales[part],
            customdata=np.stack([epochs[part], shifts[part] / per_unit], axis=1),
            mode="lines+markers" if len(epochs) <= ALL_MARKED else "lines",
            line={"color": colour, "width": 1.8, "dash": dash},
            marker={"size": 4},
            name=name,
            showlegend=True,
            hovertemplate=hover,
        )
    start = {"symbol": "circle-open", "size": 11, "color": colours.text, "line": {"width": 2}}
    fig.add_scatter(
        x=shifts[:1], y=scales[:1], mode="markers", marker=start, name="start", showlegend=True, hoverinfo="skip"
    )
    fig.add_trace(_star(shifts[kept], scales[kept], f"this model: epoch {epochs[kept]}", colours))
    told = _enlargement((shifts, layer_shifts), (scales, layer_scales))
    fig.update_xaxes(
        title={"text": f"shift b (time points){told}", "standoff": 8},
        range=padded_range(shifts),
        zeroline=False,
        nticks=6,
    )
    fig.update_yaxes(
        title={"text": "scale a (time points)", "standoff": 8}, range=padded_range(scales), zeroline=False, nticks=6
    )
    return base_layout(fig, theme, height=HEIGHT + 60, title=title, top=64, bottom=92)


def _star(x: float, y: float, name: str, theme: Theme) -> go.Scatter:
    line = {"color": theme.page, "width": 1}
    marker = {"symbol": "star", "size": 14, "color": theme.selection, "line": line}
    return go.Scatter(x=[x], y=[y], mode="markers", marker=marker, name=name, showlegend=True, hoverinfo="skip")


def _enlargement(across: tuple[FloatArray, FloatArray], along: tuple[FloatArray, FloatArray]) -> str:
    ranges = [(padded_range(own), padded_range(layer)) for own, layer in (across, along)]
    times = [(layer[1] - layer[0]) / (own[1] - own[0]) for own, layer in ranges]
    if min(times) < LEAST_ENLARGED:
        return ""
    return f"<br>against all kernels, shifts are enlarged {times[0]:,.0f}<br>and scales {times[1]:,.0f} times"
