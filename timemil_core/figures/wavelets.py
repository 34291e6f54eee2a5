"""The learned wavelets: kernels, scales and shifts, frequency responses (paper, equations 10 and 11)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.encoding import encoding_figure, encoding_heat_figure
from timemil_core.figures.kernels import frequency_figure, kernel_figure, kernel_grid_figure
from timemil_core.figures.picking import as_ids
from timemil_core.figures.style import (
    THEMES,
    Theme,
    ThemeName,
    base_layout,
    class_style,
    empty_figure,
    faded,
)
from timemil_core.figures.text import number

__all__ = [
    "encoding_figure",
    "encoding_heat_figure",
    "frequency_figure",
    "kernel_figure",
    "kernel_grid_figure",
    "scale_shift_figure",
]


def scale_shift_figure(
    scales: FloatArray,
    shifts: FloatArray,
    initial_scales: FloatArray | None = None,
    initial_shifts: FloatArray | None = None,
    *,
    layer: int = 0,
    selected: tuple[int, int, int] | None = None,
    sampling_rate: float | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw the scale of every kernel of a layer against its shift, to pick from, with the way from where it began.

    Parameters
    ----------
    scales, shifts, initial_scales, initial_shifts
        ``(n_wavelets, n_features)``, in time points; scales above 0.
    layer
        The layer's index, for the ids.
    selected
        The id ``(layer, wavelet, feature)`` of the kernel to ring.
    sampling_rate
        In Hz: hovers then tell seconds as well.

    Returns
    -------
    go.Figure
        ``customdata`` of the kernels is ``[layer, wavelet, feature]``, counted from 0; texts count from 1.
    """
    if scales.size == 0:
        return empty_figure("This layer has no wavelets.", theme, title)
    fig = go.Figure()
    if initial_scales is not None and initial_shifts is not None:
        fig.add_trace(_ways(scales, shifts, initial_scales, initial_shifts, THEMES[theme]))
    for wavelet in range(len(scales)):
        fig.add_trace(_wavelet_points(scales[wavelet], shifts[wavelet], layer, wavelet, sampling_rate, theme))
    if selected is not None and selected[0] == layer:
        fig.add_trace(_ring(float(shifts[selected[1:]]), float(scales[selected[1:]]), THEMES[theme]))
    fig.update_xaxes(title={"text": "shift b (time points)", "standoff": 8}, zeroline=True)
    fig.update_yaxes(
        title={"text": "scale a (time points, logarithmic)", "standoff": 8},
        type="log",
        tickvals=[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100],
        zeroline=False,
    )
    return base_layout(fig, theme, height=420, title=title)


def _wavelet_points(
    scales: FloatArray, shifts: FloatArray, layer: int, wavelet: int, rate: float | None, theme: ThemeName
) -> go.Scatter:
    style = class_style(wavelet, theme)
    n_features = len(scales)
    ids = np.stack([np.full(n_features, layer), np.full(n_features, wavelet), np.arange(n_features)], axis=1)
    return go.Scatter(
        x=shifts,
        y=scales,
        customdata=as_ids(ids),
        text=[_kernel_text(*one, rate) for one in zip(range(n_features), scales, shifts, strict=True)],
        mode="markers",
        marker={"color": style.colour, "symbol": style.symbol, "size": 8, "opacity": 0.85},
        selected={"marker": {"opacity": 1.0, "size": 11}},
        unselected={"marker": {"opacity": 0.4}},
        name=f"wavelet {wavelet + 1}",
        showlegend=True,
        hovertemplate=f"<b>wavelet {wavelet + 1}</b>, %{{text}}<extra></extra>",
    )


def _kernel_text(feature: int, scale: float, shift: float, rate: float | None) -> str:
    seconds = ("", "") if rate is None else tuple(f" ({number(value / rate)} s)" for value in (scale, shift))
    return (
        f"feature {feature + 1}<br>scale a: {number(scale)} time points{seconds[0]}"
        f"<br>shift b: {number(shift)} time points{seconds[1]}"
    )


def _ways(
    scales: FloatArray, shifts: FloatArray, initial_scales: FloatArray, initial_shifts: FloatArray, theme: Theme
) -> go.Scatter:
    """Return a thin line from where each kernel began to where it is."""
    gap = np.full(scales.size, np.nan)
    x = np.stack([initial_shifts.ravel(), shifts.ravel(), gap], axis=1).ravel()
    y = np.stack([initial_scales.ravel(), scales.ravel(), gap], axis=1).ravel()
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        line={"color": faded(theme.muted, 0.35), "width": 1},
        name="way from where it began",
        showlegend=True,
        hoverinfo="skip",
    )


def _ring(shift: float, scale: float, theme: Theme) -> go.Scatter:
    marker = {"symbol": "circle-open", "size": 18, "color": theme.text, "line": {"width": 2.5, "color": theme.text}}
    return go.Scatter(
        x=[shift],
        y=[scale],
        mode="markers",
        marker=marker,
        unselected={"marker": {"opacity": 1.0}},
        name="chosen kernel",
        showlegend=True,
        hoverinfo="skip",
    )
