"""Examples of each class: a column a class, a row a channel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from timemil_core.data.time_axis import axis_rate
from timemil_core.figures.data.names import class_name, look_of, time_title
from timemil_core.figures.decimate import FloatArray, decimate
from timemil_core.figures.grid import Grid
from timemil_core.figures.rows import padded_range
from timemil_core.figures.style import TIME_FORMAT, VALUE_FORMAT, ThemeName, empty_figure
from timemil_core.figures.text import escape, shortened

PANEL_POINTS = 400
ROOM_FOR_NAMES = 90  # letters, of all columns together
ABOVE = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "showarrow": False}

Examples = Mapping[int, Sequence[tuple[str, FloatArray]]]


def examples_figure(
    examples: Examples,
    channels: Sequence[int],
    class_names: Sequence[str],
    channel_names: Sequence[str],
    *,
    sampling_rate: float | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw series of each class; each row, that is each channel, on one scale.

    Parameters
    ----------
    examples
        From class index (-1: class unknown) to (id, values ``(n_channels, n_timepoints)``) of each series to draw.
    channels
        Indices of the channels to draw.
    class_names, channel_names
        Of all classes and channels.
    sampling_rate
        In Hz; None counts time points.
    """
    if not examples or not channels:
        return empty_figure("There are no series to draw.", theme, title)
    n_columns = len(examples)
    grid = Grid(n_columns * len(channels), most_columns=n_columns, row_height=_row_height(len(channels)))
    for row, channel in enumerate(channels):
        grid.label(row * n_columns, shortened(channel_names[channel], 60))
        for column, (label, drawn) in enumerate(examples.items()):
            name = class_name(label, class_names)
            for order, (series_id, values) in enumerate(drawn):
                line = _line(values[channel], sampling_rate, label, order, f"{name}, {series_id}", theme)
                grid.draw(row * n_columns + column, line)
    rows = [{"range": _range(examples, channel)} for channel in channels]
    fig = grid.figure(theme, x_title=time_title(sampling_rate), y_title="", title=title, row_axes=rows)
    for column, label in enumerate(examples):
        name = shortened(class_name(label, class_names), ROOM_FOR_NAMES // n_columns)
        x = fig.layout["xaxis" if column == 0 else f"xaxis{column + 1}"].domain[0]
        fig.add_annotation(text=f"<b>{name}</b>", x=x, y=1, font={"size": 13}, **ABOVE)
    return fig.update_layout(hovermode="closest", margin_l=52)


def _row_height(n_channels: int) -> int:
    return 170 if n_channels == 1 else 110 if n_channels <= 3 else 84


def _line(values: FloatArray, rate: float | None, label: int, order: int, name: str, theme: ThemeName) -> go.Scatter:
    times, drawn = decimate(np.arange(len(values)) / axis_rate(rate), values, PANEL_POINTS)
    return go.Scatter(
        x=times,
        y=drawn,
        mode="lines+markers" if len(drawn) == 1 else "lines",
        line={"color": look_of(label, theme).colour, "width": 1.3},
        opacity=(0.95, 0.6, 0.4)[min(order, 2)],
        name=escape(name),
        showlegend=False,
        hovertemplate=f"<b>{shortened(name, 60)}</b>: %{{y{VALUE_FORMAT}}} at %{{x{TIME_FORMAT}}}<extra></extra>",
    )


def _range(examples: Examples, channel: int) -> list[float]:
    return padded_range(np.concatenate([values[channel] for series in examples.values() for _, values in series]))
