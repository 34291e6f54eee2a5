"""The learned kernels in time and in frequency (paper, equation 10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from timemil_core.data.time_axis import axis_rate, axis_unit
from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.grid import Grid
from timemil_core.figures.rows import padded_range
from timemil_core.figures.style import (
    THEMES,
    VALUE_FORMAT,
    Theme,
    ThemeName,
    base_layout,
    empty_figure,
    faded,
)
from timemil_core.figures.text import escape, number, shortened

MOST_KERNELS = 24
TAPS = "time points from the kernel's centre"


def kernel_grid_figure(
    positions: FloatArray,
    kernels: FloatArray,
    labels: Sequence[str],
    initial_kernels: FloatArray | None = None,
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw up to 24 kernels as small multiples on common axes: learned solid, initial dashed.

    Parameters
    ----------
    positions
        ``(size,)`` time points of the taps.
    kernels, initial_kernels
        ``(n_kernels, size)``.
    labels
        One a kernel.
    """
    if len(kernels) == 0:
        return empty_figure("There are no kernels to draw.", theme, title)
    shown = min(len(kernels), MOST_KERNELS)
    grid = Grid(shown, most_columns=4, row_height=100)
    for panel in range(shown):
        if initial_kernels is not None:
            grid.draw(panel, _initial(positions, initial_kernels[panel], THEMES[theme], legend=panel == 0))
        grid.draw(panel, _learned(positions, kernels[panel], THEMES[theme], legend=panel == 0))
        grid.label(panel, f"<b>{shortened(labels[panel], 30)}</b>")
    everything = kernels[:shown] if initial_kernels is None else np.stack([kernels[:shown], initial_kernels[:shown]])
    return grid.figure(
        theme,
        x_title=TAPS,
        y_title="kernel value",
        title=title,
        note=f"{shown} of {len(kernels)} kernels are drawn" if shown < len(kernels) else "",
        x_range=_tap_range(positions),
        y_range=padded_range(everything),
    )


def kernel_figure(
    positions: FloatArray,
    kernel: FloatArray,
    initial: FloatArray | None = None,
    *,
    hat: tuple[FloatArray, FloatArray] | None = None,
    sampling_rate: float | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw one kernel ``(size,)`` over its taps, learned solid and initial dashed.

    With ``hat``, positions and values of the continuous wavelet, that is the line and the taps are points on it. With
    a sampling rate, in Hz, the axis tells how long a time point is, and hovers count in the time axis's unit too.
    """
    fig = go.Figure()
    if initial is not None:
        fig.add_trace(_initial(positions, initial, THEMES[theme], sampling_rate=sampling_rate))
    learned = _learned(positions, kernel, THEMES[theme], sampling_rate=sampling_rate)
    if hat is not None:
        colour = THEMES[theme].heat_line
        line = {"color": colour, "width": 2.5, "shape": "spline"}
        fig.add_trace(go.Scatter(x=hat[0], y=hat[1], mode="lines", line=line, name="the wavelet ψ", hoverinfo="skip"))
        learned.update(mode="markers", marker={"size": 8, "color": colour}, name="its taps, as used", showlegend=True)
    fig.add_trace(learned)
    fig.update_xaxes(title={"text": _taps(sampling_rate), "standoff": 8}, zeroline=True, range=_tap_range(positions))
    fig.update_yaxes(title={"text": "kernel value", "standoff": 8}, zeroline=True)
    return base_layout(fig, theme, height=300, title=title)


def _taps(sampling_rate: float | None) -> str:
    if not sampling_rate:
        return TAPS
    return f"{TAPS} (one is {number(1 / axis_rate(sampling_rate))} {axis_unit(sampling_rate).length})"


def _tap_range(positions: FloatArray) -> list[float]:
    return [float(positions[0]) - 0.5, float(positions[-1]) + 0.5]


def _learned(
    positions: FloatArray, kernel: FloatArray, theme: Theme, *, sampling_rate: float | None = None, legend: bool = True
) -> go.Scatter:
    look = {"line": {"color": theme.heat_line, "width": 2}, "marker": {"size": 4}, "mode": "lines+markers"}
    return _kernel_line(positions, kernel, "learned", sampling_rate, legend, look)


def _initial(
    positions: FloatArray, kernel: FloatArray, theme: Theme, *, sampling_rate: float | None = None, legend: bool = True
) -> go.Scatter:
    look = {"line": {"color": theme.muted, "width": 1.5, "dash": "dash"}, "mode": "lines"}
    return _kernel_line(positions, kernel, "before training", sampling_rate, legend, look)


def _kernel_line(
    positions: FloatArray, kernel: FloatArray, name: str, rate: float | None, legend: bool, look: dict[str, Any]
) -> go.Scatter:
    told = f" (%{{customdata{VALUE_FORMAT}}} {axis_unit(rate).length})" if rate else ""
    return go.Scatter(
        x=positions,
        y=kernel,
        customdata=positions / axis_rate(rate) if rate else None,
        name=name,
        legendgroup=name,
        showlegend=legend,
        hovertemplate=f"<b>{name}</b>: %{{y{VALUE_FORMAT}}} at %{{x}} time points{told}<extra></extra>",
        **look,
    )


def frequency_figure(
    frequencies: FloatArray,
    magnitude: FloatArray,
    initial_magnitude: FloatArray | None = None,
    unit: str = "cycles per time point",
    band: tuple[float, float] | None = None,
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw how strongly a kernel answers to each frequency ``(n_frequencies,)``; ``band`` is shaded.

    Parameters
    ----------
    unit
        Of the frequencies: ``"Hz"`` where the sampling rate is known.
    band
        The pass band at half power.
    """
    colours = THEMES[theme]
    fig = go.Figure()
    if band is not None:
        fig.add_shape(
            type="rect",
            x0=band[0],
            x1=band[1],
            y0=0,
            y1=1,
            yref="paper",
            line={"width": 0},
            fillcolor=faded(colours.heat_line, 0.12),
            layer="below",
        )
        marker = {"symbol": "square", "size": 13, "color": faded(colours.heat_line, 0.25)}
        name = "passed at half power and more"
        fig.add_trace(go.Scatter(x=[None], y=[None], mode="markers", marker=marker, name=name, showlegend=True))
    if initial_magnitude is not None:
        look = {"color": colours.muted, "width": 1.5, "dash": "dash"}
        fig.add_trace(_response(frequencies, initial_magnitude, "before training", unit, look))
    look = {"color": colours.heat_line, "width": 2}
    fig.add_trace(_response(frequencies, magnitude, "learned", unit, look))
    fig.update_xaxes(
        title={"text": f"frequency ({escape(unit)})", "standoff": 8},
        range=[float(frequencies[0]), float(frequencies[-1])],
        zeroline=False,
    )
    fig.update_yaxes(title={"text": "magnitude of the response", "standoff": 8}, rangemode="tozero", zeroline=False)
    return base_layout(fig, theme, height=300, title=title)


def _response(frequencies: FloatArray, magnitude: FloatArray, name: str, unit: str, line: dict[str, Any]) -> go.Scatter:
    return go.Scatter(
        x=frequencies,
        y=magnitude,
        mode="lines",
        line=line,
        name=name,
        showlegend=True,
        hovertemplate=f"<b>{name}</b>: %{{y{VALUE_FORMAT}}} at %{{x{VALUE_FORMAT}}} {escape(unit)}<extra></extra>",
    )
