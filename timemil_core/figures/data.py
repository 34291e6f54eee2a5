"""What a data set holds: examples of each class, class counts, lengths, and the scale of each channel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.decimate import FloatArray, decimate
from timemil_core.figures.grid import Grid
from timemil_core.figures.rows import padded_range
from timemil_core.figures.style import (
    MODEBAR_ROOM,
    THEMES,
    TIME_FORMAT,
    VALUE_FORMAT,
    ThemeName,
    base_layout,
    class_style,
    empty_figure,
    faded,
)
from timemil_core.figures.text import escape, number, shortened

UNKNOWN_CLASS = "class unknown"
MOST_CLASSES = 6
MOST_CHANNELS = 6
PANEL_POINTS = 400
MOST_BARS = 40
MOST_VALUES = 200_000
SMALL_HEIGHT = 260

LabelArray = npt.NDArray[np.integer[Any]]


def preview_figure(
    series: Sequence[FloatArray],
    labels: LabelArray,
    class_names: Sequence[str],
    channel_names: Sequence[str],
    *,
    sampling_rate: float | None = None,
    n_examples: int = 3,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw the first series of each class: a column a class, a row a channel, each row on one scale.

    Parameters
    ----------
    series
        Arrays ``(n_channels, n_timepoints)``, of any lengths.
    labels
        ``(n_series,)`` indices into ``class_names``; -1 where the class is not known.
    sampling_rate
        In Hz; None counts time points.
    n_examples
        How many series of each class.
    """
    present = [int(label) for label in np.unique(labels)][:MOST_CLASSES]
    if not present or not len(channel_names):
        return empty_figure("There are no series to draw.", theme, title)
    examples = {label: np.flatnonzero(labels == label)[:n_examples] for label in present}
    n_channels = min(len(channel_names), MOST_CHANNELS)
    grid = Grid(len(present) * n_channels, most_columns=len(present), row_height=110 if n_channels <= 3 else 84)
    for column, label in enumerate(present):
        name = UNKNOWN_CLASS if label < 0 else class_names[label]
        grid.label(column, f"<b>{shortened(name, 130 // len(present))}</b>")
        for channel in range(n_channels):
            for order, index in enumerate(examples[label]):
                line = _example(series[index][channel], sampling_rate, label, order, str(name), theme)
                grid.draw(channel * len(present) + column, line)
    rows = [_channel_axis(series, examples, channel, channel_names[channel]) for channel in range(n_channels)]
    unit = "time (s)" if sampling_rate else "time point"
    note = _left_out((len(present), len(np.unique(labels)), "classes"), (n_channels, len(channel_names), "channels"))
    fig = grid.figure(theme, x_title=unit, y_title="", title=title, row_axes=rows, note=note)
    return fig.update_layout(hovermode="closest", margin_l=72)


def _example(values: FloatArray, rate: float | None, label: int, order: int, name: str, theme: ThemeName) -> go.Scatter:
    times, drawn = decimate(np.arange(len(values)) / (rate or 1.0), values, PANEL_POINTS)
    colour = THEMES[theme].muted if label < 0 else class_style(label, theme).colour
    return go.Scatter(
        x=times,
        y=drawn,
        mode="lines",
        line={"color": colour, "width": 1.3},
        opacity=(0.95, 0.6, 0.4)[min(order, 2)],
        name=escape(name),
        showlegend=False,
        hovertemplate=f"<b>{shortened(name, 40)}</b>, example {order + 1}: %{{y{VALUE_FORMAT}}} at "
        f"%{{x{TIME_FORMAT}}}<extra></extra>",
    )


def _channel_axis(
    series: Sequence[FloatArray], examples: Mapping[int, LabelArray], channel: int, name: str
) -> dict[str, Any]:
    drawn = np.concatenate([series[index][channel] for indices in examples.values() for index in indices])
    return {"range": padded_range(drawn), "title": {"text": shortened(name, 13), "standoff": 10, "font": {"size": 12}}}


def _left_out(*drawn_of: tuple[int, int, str]) -> str:
    parts = [f"{drawn} of {total} {what}" for drawn, total, what in drawn_of if drawn < total]
    return f"{' and '.join(parts)} are drawn" if parts else ""


def length_histogram(
    lengths: npt.NDArray[np.integer[Any]],
    sampling_rate: float | None = None,
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw how many series ``(n_series,)`` have which length; a sentence where all are of one length."""
    if len(lengths) == 0:
        return empty_figure("There are no series.", theme, title, SMALL_HEIGHT)
    if lengths.min() == lengths.max():
        seconds = f" ({number(lengths[0] / sampling_rate)} s)" if sampling_rate else ""
        text = f"All {len(lengths)} series have {lengths[0]} time points{seconds}."
        return empty_figure(text, theme, title, SMALL_HEIGHT)
    step = -(-int(lengths.max() - lengths.min() + 1) // MOST_BARS)
    edges = np.arange(lengths.min(), lengths.max() + step + 1, step) - 0.5
    counts, _ = np.histogram(lengths, bins=edges)
    fig = go.Figure(
        go.Bar(
            x=edges[:-1],
            y=counts,
            width=np.diff(edges),
            offset=0,
            marker={"color": faded(THEMES[theme].heat_line, 0.7), "line": {"color": THEMES[theme].page, "width": 0.5}},
            customdata=np.stack([np.ceil(edges[:-1]), np.floor(edges[1:])], axis=1),
            name="lengths",
            hovertemplate="%{customdata[0]:d} to %{customdata[1]:d} time points: %{y} series<extra></extra>",
        )
    )
    fig.update_xaxes(title={"text": "length (time points)", "standoff": 8}, zeroline=False, showgrid=False)
    fig.update_yaxes(title={"text": "number of series", "standoff": 8}, zeroline=False, nticks=5)
    return base_layout(fig, theme, height=SMALL_HEIGHT, title=title, top=MODEBAR_ROOM)


def class_counts_figure(
    parts: Mapping[str, LabelArray],
    class_names: Sequence[str],
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw how many series of each class each part of the split holds.

    Parameters
    ----------
    parts
        From ``"train"``, ``"test"`` to labels ``(n_series,)``; -1, the class not known, gets a bar of its own.
    """
    names = [*class_names]
    if any((labels < 0).any() for labels in parts.values() if len(labels)):
        names.append(UNKNOWN_CLASS)
    if not names:
        return empty_figure("No classes are known.", theme, title, SMALL_HEIGHT)
    looks = zip((THEMES[theme].heat_line, THEMES[theme].muted), ("", "/"), strict=True)
    fig = go.Figure(
        [
            _count_bars(part, labels, names, colour, pattern)
            for (part, labels), (colour, pattern) in zip(parts.items(), looks, strict=False)
        ]
    )
    fig.update_xaxes(title={"text": "number of series", "standoff": 8}, zeroline=False, rangemode="tozero")
    fig.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[shortened(name, 24) for name in names],
        range=[len(names) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    fig.update_layout(barmode="group", bargap=0.25, bargroupgap=0.05)
    return base_layout(fig, theme, height=max(SMALL_HEIGHT, 100 + 34 * len(names)), title=title)


def _count_bars(part: str, labels: LabelArray, names: Sequence[str], colour: str, pattern: str) -> go.Bar:
    counts = np.bincount(np.where(labels < 0, len(names) - 1, labels).astype(np.int64), minlength=len(names))
    part = {"train": "training"}.get(part, part)
    return go.Bar(
        x=counts,
        y=np.arange(len(names)),
        orientation="h",
        marker={
            "color": faded(colour, 0.75),
            "pattern": {"shape": pattern, "size": 5, "solidity": 0.25, "fillmode": "overlay"},
        },
        text=counts,
        textposition="outside",
        cliponaxis=False,
        name=f"{escape(part)} ({len(labels)})",
        showlegend=True,
        customdata=[escape(name) for name in names],
        hovertemplate=f"<b>%{{customdata}}</b>: %{{x}} {escape(part)} series<extra></extra>",
    )


def channel_scales_figure(
    series: Sequence[FloatArray],
    channel_names: Sequence[str],
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw each channel's range over all series: whiskers from smallest to largest, a box for the middle half.

    Parameters
    ----------
    series
        Arrays ``(n_channels, n_timepoints)``; NaN is left out.
    """
    drawn = channel_names[:MOST_BARS]
    if not series or not drawn:
        return empty_figure("There are no channels.", theme, title, SMALL_HEIGHT)
    summaries = np.array([_five_numbers(series, channel) for channel in range(len(drawn))])
    low, first, middle, third, high = summaries.T
    fig = go.Figure(
        go.Box(
            lowerfence=low,
            q1=first,
            median=middle,
            q3=third,
            upperfence=high,
            y=np.arange(len(drawn)),
            orientation="h",
            line={"color": THEMES[theme].heat_line, "width": 1.5},
            fillcolor=faded(THEMES[theme].heat_line, 0.25),
            name="values",
            hoverinfo="x",
        )
    )
    left_out = f" ({len(drawn)} of {len(channel_names)} channels)" if len(drawn) < len(channel_names) else ""
    fig.update_xaxes(
        title={"text": f"value: all, middle half, median{left_out}", "standoff": 8}, zeroline=True, nticks=6
    )
    fig.update_yaxes(
        tickvals=list(range(len(drawn))),
        ticktext=[shortened(name, 18) for name in drawn],
        range=[len(drawn) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    return base_layout(fig, theme, height=max(SMALL_HEIGHT, 80 + 24 * len(drawn)), title=title, top=MODEBAR_ROOM)


def _five_numbers(series: Sequence[FloatArray], channel: int) -> list[float]:
    """Return smallest value, quartiles and largest value; the quartiles of at most 200,000 values, evenly taken."""
    values = np.concatenate([one[channel] for one in series])
    values = values[np.isfinite(values)]
    if not len(values):
        return [np.nan] * 5
    quartiles = np.quantile(values[:: -(-len(values) // MOST_VALUES)], [0.25, 0.5, 0.75])
    return [float(values.min()), *map(float, quartiles), float(values.max())]
