"""The mean series of each class over its band: where classes part, and where they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.bands import banded
from timemil_core.figures.data.names import class_name, look_of, time_title
from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.rows import Rows, padded_range, row_height
from timemil_core.figures.style import THEMES, Theme, ThemeName, empty_figure, faded, spike
from timemil_core.figures.text import escape, shortened

ONE_CHANNEL_HEIGHT = 240


def class_curves_figure(
    curves: Mapping[int, FloatArray],
    times: FloatArray,
    class_names: Sequence[str],
    channel_names: Sequence[str],
    *,
    sampling_rate: float | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw the classes over one another, a row a channel, each row on its own scale.

    Parameters
    ----------
    curves
        From class index (-1: class unknown) to ``(3, n_channels, n_times)``: mean, and the two ends of its band.
    times
        ``(n_times,)``.
    class_names
        Of all classes.
    channel_names
        Of the channels in ``curves``.
    """
    if not curves or not channel_names:
        return empty_figure("There are no series to average.", theme, title)
    rows = Rows()
    height = ONE_CHANNEL_HEIGHT if len(channel_names) == 1 else row_height(len(channel_names))
    for place, name in enumerate(channel_names):
        limits = padded_range(np.concatenate([curve[:, place].ravel() for curve in curves.values()]))
        row = rows.add(height, label=shortened(name, 60), range=limits, zeroline=False)
        for label, curve in curves.items():
            style, shown = look_of(label, theme), escape(class_name(label, class_names))
            rows.draw(row, *_pieces(times, curve[:, place], style.colour, style.dash, shown, legend=place == 0))
    rows.traces.append(_legend_band(THEMES[theme]))
    half = (times[1] - times[0]) / 2 if len(times) > 1 else 0.5
    axis = {
        "title": {"text": time_title(sampling_rate), "standoff": 8},
        "range": [times[0] - half, times[-1] + half],
        **spike(THEMES[theme]),
    }
    fig = rows.figure(theme, axis, title=title, right=16)
    return fig.update_layout(hovermode="x", hoversubplots="axis")


def _pieces(
    times: FloatArray, curve: FloatArray, colour: str, dash: str, name: str, *, legend: bool
) -> list[go.Scatter]:
    """Return a band and a line for each unbroken piece: a filled shape cannot have a gap in it."""
    observed = np.flatnonzero(np.isfinite(curve[0]))
    runs = np.split(observed, np.flatnonzero(np.diff(observed) > 1) + 1)
    traces: list[go.Scatter] = []
    for place, run in enumerate(runs):
        if len(run):
            mean, low, high = curve[:, run]
            traces += banded(times[run], (mean, low, high), colour, dash, name, legend=legend and place == 0)
    for trace in traces:
        if trace.fill is None and len(trace.x) == 1:
            trace.update(mode="markers", marker={"color": colour, "size": 5})
    return traces


def _legend_band(theme: Theme) -> go.Scatter:
    marker = {"symbol": "square", "size": 13, "color": faded(theme.muted, 0.3)}
    name = "band: middle half of the series"
    return go.Scatter(x=[None], y=[None], mode="markers", marker=marker, name=name, showlegend=True)
