"""The learned wavelets: kernels, scales and shifts, frequency responses (paper, equations 10 and 11)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from timemil_core.data.time_axis import axis_rate, axis_unit
from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.encoding import encoding_figure, encoding_heat_figure
from timemil_core.figures.kernel_bands import band_scatter_figure, coverage_figure
from timemil_core.figures.kernel_effects import kernel_effects_figure, part_effects_figure
from timemil_core.figures.kernel_movement import kernel_way_figure, movement_figure
from timemil_core.figures.kernel_points import LOG_TICKS, kernel_points
from timemil_core.figures.kernels import frequency_figure, kernel_figure, kernel_grid_figure
from timemil_core.figures.style import (
    THEMES,
    Theme,
    ThemeName,
    base_layout,
    empty_figure,
    faded,
)
from timemil_core.figures.text import number

__all__ = [
    "band_scatter_figure",
    "coverage_figure",
    "encoding_figure",
    "encoding_heat_figure",
    "frequency_figure",
    "kernel_effects_figure",
    "kernel_figure",
    "kernel_grid_figure",
    "kernel_way_figure",
    "movement_figure",
    "part_effects_figure",
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
        In Hz: hovers then tell the unit of the time axis as well.

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
    texts = [
        [_kernel_text(*one, sampling_rate) for one in zip(scales[wavelet], shifts[wavelet], strict=True)]
        for wavelet in range(len(scales))
    ]
    fig.add_traces(kernel_points(shifts, scales, texts, layer=layer, selected=selected, theme=theme))
    fig.update_xaxes(title={"text": "shift b (time points)", "standoff": 8}, zeroline=True)
    fig.update_yaxes(
        title={"text": "scale a (time points, logarithmic)", "standoff": 8},
        type="log",
        tickvals=LOG_TICKS,
        zeroline=False,
    )
    return base_layout(fig, theme, height=420, title=title)


def _kernel_text(scale: float, shift: float, rate: float | None) -> str:
    unit, per_unit = axis_unit(rate), axis_rate(rate)
    told = [f" ({number(value / per_unit)} {unit.length})" if rate else "" for value in (scale, shift)]
    return f"scale a: {number(scale)} time points{told[0]}<br>shift b: {number(shift)} time points{told[1]}"


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
