"""What tells one class: the mean signal of each channel over its mean map, and some series with theirs beneath."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
MEAN_HEIGHTS = ((1, 230), (2, 120), (3, 72), (6, 48))
EXAMPLE_HEIGHT = 68
RIGHT, BOTTOM = 8, 46
MOSTLY = 0.5
"""The known truth is drawn over the mean where it lies in at least this share of the series."""


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
    drawn = _channels(told)
    if len(drawn) < told.n_channels:
        axis = f"{axis} ({len(drawn)} of {told.n_channels} channels, those that hold most)"
    canvas = SeriesCanvas(Rows(), told.times, slice(0, len(told.times)), escape(axis), THEMES[theme])
    height = next(height for most, height in MEAN_HEIGHTS if len(drawn) <= most)
    for channel in drawn:
        _row(canvas, height, told.signal, told.importance, channel, channel_names[channel])
    fig = _figure(canvas, limits, theme, title)
    for span in told.named_spans:
        bracket_span(fig, span, canvas.rows.domains(), canvas.theme.selection, 4 / canvas.rows.inner_height)
    marked = told.truth >= MOSTLY if told.truth.size else np.zeros(0, dtype=np.bool_)
    if marked.any():
        spans = truth_spans(told.times, marked)
        mark_times(fig, spans.ravel(), canvas.rows.domains(), canvas.theme.truth, dash="dot", width=2)
        fig.add_annotation(
            text="known truth", x=float(spans[0].mean()), xref="x", y=1, yref="paper", yanchor="bottom",
            showarrow=False, font={"size": 12, "color": canvas.theme.truth},
        )  # fmt: skip
    return fig


def examples_figure(
    told: ClassAnswer,
    channel_names: Sequence[str],
    time_title: str,
    limits: tuple[float, float],
    *,
    telling: Mapping[str, str | None] | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw the examples of a class, a row each, with the truth between dotted lines.

    Each is drawn in the channel that tells the class, else in the one that holds most of its map; one that is called so
    wrongly in the channel that tells its true class, so that what was missed there is seen.

    Parameters
    ----------
    telling
        The channel that tells each class, by the class's name.

    The others are ``mean_figure``'s.
    """
    if not told.examples:
        return empty_figure("No series to show.", theme, title)
    rows = Rows()
    longest = max(told.examples, key=lambda one: float(one.times[-1])).times
    canvas = SeriesCanvas(rows, longest, slice(0, len(longest)), escape(time_title), THEMES[theme])
    for example in told.examples:
        channel = _channel_of(told, example, channel_names, telling or {})
        own = SeriesCanvas(rows, example.times, slice(0, len(example.times)), escape(time_title), THEMES[theme])
        name = f"{example.series_id}, {channel_names[channel]}" if told.n_channels > 1 else example.series_id
        _row(own, EXAMPLE_HEIGHT, example.values, example.importance, channel, name, escape(verdict_of(example)))
    fig = _figure(canvas, limits, theme, title)
    for example, domain in zip(told.examples, rows.domains(), strict=True):
        if example.truth is not None and example.truth.any():
            mark_times(fig, truth_spans(example.times, example.truth).ravel(), [domain], canvas.theme.truth, dash="dot")
    return fig


def _channel_of(
    told: ClassAnswer, example: Example, channel_names: Sequence[str], telling: Mapping[str, str | None]
) -> int:
    missed = telling.get(example.true_class or "") if example.is_right is False else None
    if missed in channel_names:
        return channel_names.index(missed)
    if told.channel in channel_names:
        return channel_names.index(told.channel)
    return int(np.clip(np.nan_to_num(example.importance), 0, None).sum(axis=1).argmax())


def verdict_of(example: Example) -> str:
    """Say whether the model is right about a series, in a word or two."""
    if example.is_right is None:
        return "class unknown"
    return "right" if example.is_right else f"wrong: it is {example.true_class}"


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
    return canvas.figure(theme, title, right=RIGHT, bottom=BOTTOM, coloraxis=axis)
