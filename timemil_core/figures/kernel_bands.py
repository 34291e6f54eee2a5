"""The kernels of a layer in the data's terms: frequencies and spans of time."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from timemil_core.data.time_axis import axis_rate, axis_unit
from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.kernel_points import LOG_TICKS, kernel_points
from timemil_core.figures.style import THEMES, VALUE_FORMAT, ThemeName, base_layout, empty_figure
from timemil_core.figures.text import number

HEIGHT = 300
N_FREQUENCIES = 200


def band_text(low: float, peak: float, high: float, first: float, last: float, *, sampling_rate: float | None) -> str:
    """Say in two lines which frequencies a kernel passes and which time points it looks at.

    ``low``, ``peak`` and ``high`` are in cycles per time point, ``first`` and ``last`` in time points.
    """
    unit, per_unit = axis_unit(sampling_rate), axis_rate(sampling_rate)
    frequencies = [number(value * per_unit) for value in (low, high, peak)]
    points = int(last - first) + 1
    span = f", {number(points / per_unit)} {unit.length}" if sampling_rate else ""
    counted = f"{points} time point" + ("s" if points > 1 else "")
    return (
        f"passes {frequencies[0]} to {frequencies[1]}, most at {frequencies[2]} {unit.frequency}"
        f"<br>looks at {number(first)} to {number(last)} ({counted}{span})"
    )


def band_scatter_figure(
    low: FloatArray,
    peak: FloatArray,
    high: FloatArray,
    first: FloatArray,
    last: FloatArray,
    shifts: FloatArray,
    *,
    layer: int = 0,
    selected: tuple[int, int, int] | None = None,
    sampling_rate: float | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw the frequency that every kernel of a layer passes best against where in time it looks, to pick from.

    Parameters
    ----------
    low, peak, high
        ``(n_wavelets, n_features)``: pass bands in cycles per time point.
    first, last, shifts
        ``(n_wavelets, n_features)``: reach and centre, in time points from the one that is answered at.
    layer, selected
        As for `scale_shift_figure`.
    sampling_rate
        In Hz; the axes then count in the unit of the time axis.
    """
    if peak.size == 0:
        return empty_figure("This layer has no wavelets.", theme, title)
    unit, per_unit = axis_unit(sampling_rate), axis_rate(sampling_rate)
    columns = (low, peak, high, first, last)
    texts = [
        [band_text(*(float(one[w, f]) for one in columns), sampling_rate=sampling_rate) for f in range(peak.shape[1])]
        for w in range(len(peak))
    ]
    fig = go.Figure(
        kernel_points(shifts / per_unit, peak * per_unit, texts, layer=layer, selected=selected, theme=theme)
    )
    fig.update_xaxes(title={"text": f"looks before (−) or after (+), in {unit.length}", "standoff": 8}, zeroline=True)
    fig.update_yaxes(
        title={"text": f"frequency passed best ({unit.frequency}, logarithmic)", "standoff": 8},
        type="log",
        tickvals=LOG_TICKS,
        zeroline=False,
    )
    return base_layout(fig, theme, height=420, title=title)


def coverage_figure(
    low: FloatArray,
    high: FloatArray,
    initial_low: FloatArray | None = None,
    initial_high: FloatArray | None = None,
    *,
    sampling_rate: float | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw what share of a layer's kernels pass each frequency, learned solid and before training dashed.

    Parameters
    ----------
    low, high, initial_low, initial_high
        Arrays of one shape: pass bands in cycles per time point.
    """
    if low.size == 0:
        return empty_figure("This layer has no wavelets.", theme, title)
    unit, per_unit = axis_unit(sampling_rate), axis_rate(sampling_rate)
    colours = THEMES[theme]
    cycles = np.linspace(0, 0.5, N_FREQUENCIES + 1)
    fig = go.Figure()
    lines = [(low, high, "learned", {"color": colours.heat_line, "width": 2})]
    if initial_low is not None and initial_high is not None:
        look = {"color": colours.muted, "width": 1.5, "dash": "dash"}
        lines.insert(0, (initial_low, initial_high, "before training", look))
    for lower, upper, name, line in lines:
        shares = ((lower.ravel() <= cycles[:, None]) & (cycles[:, None] <= upper.ravel())).mean(axis=1)
        fig.add_scatter(
            x=cycles * per_unit,
            y=100 * shares,
            mode="lines",
            line=line,
            name=name,
            showlegend=True,
            hovertemplate=f"<b>{name}</b>: %{{y:.0f}} % of kernels pass %{{x{VALUE_FORMAT}}} {unit.frequency}"
            "<extra></extra>",
        )
    fig.update_xaxes(
        title={"text": f"frequency ({unit.frequency})", "standoff": 8}, range=[0, 0.5 * per_unit], zeroline=False
    )
    fig.update_yaxes(title={"text": "kernels that pass it (%)", "standoff": 8}, range=[0, 103], zeroline=False)
    return base_layout(fig, theme, height=HEIGHT, title=title)
