"""What tells one class: the mean signal of each channel over its mean map, and some series with theirs beneath."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from timemil_core.explain.answer import ClassAnswer, DoubleArray, Example
from timemil_core.figures.canvas import SeriesCanvas
from timemil_core.figures.rows import Rows, padded_range
from timemil_core.figures.spans import bracket_span, mark_times, truth_spans
from timemil_core.figures.style import THEMES, ThemeName, empty_figure
from timemil_core.figures.text import escape, shortened

MOST_CHANNELS = 6
MEAN_HEIGHTS = ((1, 150), (3, 84), (6, 52))
EXAMPLE_HEIGHT = 62
RIGHT = 8


def mean_figure(
    told: ClassAnswer,
    channel_names: Sequence[str],
    time_title: str,
    limits: tuple[float, float],
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw the mean signal of a class, a row a channel, shaded by its mean map.

    Parameters
    ----------
    told
        What tells the class.
    channel_names
        Of the set.
    time_title
        Of the set's own axis.
    limits
        The range of colours: the same for all classes of a model, so that a weak map looks weak (`Answer.range_of`).
    """
    if not told.signal.size:
        return empty_figure("No series of this class has a value.", theme, title)
    axis = {
        "own": time_title,
        "relative": "share of the series' length",
        "around": f"{time_title} from the middle of each series' own stretch",
    }[told.axis]
    canvas = SeriesCanvas(Rows(), told.times, slice(0, len(told.times)), escape(axis), THEMES[theme])
    drawn = _channels(told)
    height = next(height for most, height in MEAN_HEIGHTS if len(drawn) <= most)
    note = f"{len(drawn)} of {told.n_channels} channels, those that hold most" if len(drawn) < told.n_channels else ""
    for place, channel in enumerate(drawn):
        _row(canvas, height, told.signal, told.importance, channel, channel_names[channel], note if place == 0 else "")
    fig = _figure(canvas, limits, theme, title)
    for span in told.where.spans:
        bracket_span(fig, span, canvas.rows.domains(), canvas.theme.selection, 4 / canvas.rows.inner_height)
    return fig


def example_figure(
    told: ClassAnswer,
    example: Example,
    channel_names: Sequence[str],
    time_title: str,
    limits: tuple[float, float],
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw one series with its map in the channel that tells the class, else in the two that hold most.

    Parameters as in ``mean_figure``; the truth, where it is known, is bracketed.
    """
    canvas = SeriesCanvas(Rows(), example.times, slice(0, len(example.times)), escape(time_title), THEMES[theme])
    channels = [channel_names.index(told.channel)] if told.channel in channel_names else _channels(told)[:2]
    for channel in channels:
        _row(canvas, EXAMPLE_HEIGHT, example.values, example.importance, channel, channel_names[channel])
    fig = _figure(canvas, limits, theme, title)
    if example.truth is not None and example.truth.any():
        spans = truth_spans(example.times, example.truth)
        mark_times(fig, spans.ravel(), canvas.rows.domains(), canvas.theme.truth, dash="dot")
    return fig


def _channels(told: ClassAnswer) -> list[int]:
    """Return the channels to draw in the set's order: all, or those that hold most of the map."""
    by_share = np.argsort(-np.array(told.shares), kind="stable") if told.shares else np.arange(told.n_channels)
    return sorted(by_share[:MOST_CHANNELS].tolist())


def _row(
    canvas: SeriesCanvas, height: int, values: Any, maps: DoubleArray, channel: int, name: str, note: str = ""
) -> None:
    limits = padded_range(values[channel])
    row = canvas.rows.add(height, f"<b>{shortened(name, 40)}</b>", note, range=limits, zeroline=False)
    canvas.rows.draw(row, canvas.heat(maps[channel if len(maps) > 1 else 0], limits))
    canvas.rows.draw(row, canvas.line(values[channel], name))


def _figure(canvas: SeriesCanvas, limits: tuple[float, float], theme: ThemeName, title: str | None) -> go.Figure:
    colours = canvas.theme.signed_behind if limits[0] < 0 else canvas.theme.heat_behind
    axis = {"cmin": limits[0], "cmax": limits[1], "colorscale": colours, "showscale": False}
    return canvas.figure(theme, title, right=RIGHT, coloraxis=axis)
