"""A motif: its shape in the data's own unit, where in time it falls, how often it is present."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.bands import banded
from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.rows import Rows, padded_range, row_height
from timemil_core.figures.style import MODEBAR_ROOM, THEMES, ThemeName, base_layout, class_style, empty_figure
from timemil_core.figures.text import escape, shortened

HIST_BINS = 20


def shape_figure(
    times: FloatArray,
    mean: FloatArray,
    low: FloatArray,
    high: FloatArray,
    channel_names: Sequence[str],
    time_unit: str,
    core: tuple[float, float],
    *,
    class_index: int = 0,
    max_channels: int = 4,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a motif's mean and the band of its members, a row a channel; the margin lies outside the dashed lines.

    Parameters
    ----------
    times
        ``(n_points,)``.
    mean, low, high
        ``(n_channels, n_points)`` in the data's own unit; NaN leaves a gap.
    core
        Begin and end of the span within its margin.
    max_channels
        How many rows to draw at most: those whose mean varies most against the band.
    """
    if mean.size == 0 or not np.isfinite(mean).any():
        return empty_figure("Nothing of this motif was observed.", theme, title)
    colours, rows = THEMES[theme], Rows()
    shown = _most_telling(mean, low, high, max_channels)
    style = class_style(class_index, theme)
    for place, channel in enumerate(shown):
        left_out = f"{len(shown)} of {len(mean)} channels are drawn" if place == 0 and len(shown) < len(mean) else ""
        curve = (mean[channel], low[channel], high[channel])
        limits = padded_range(np.concatenate(curve))
        row = rows.add(
            row_height(len(shown)), f"<b>{shortened(channel_names[channel], 40)}</b>", left_out, range=limits,
            zeroline=False,
        )  # fmt: skip
        known = np.isfinite(mean[channel])
        pieces = (curve[0][known], curve[1][known], curve[2][known])
        rows.draw(row, *banded(times[known], pieces, style.colour, "solid", "mean and 90 % of its spans", legend=False))
    fig = rows.figure(
        theme,
        {"title": {"text": escape(time_unit), "standoff": 8}, "range": [float(times[0]), float(times[-1])]},
        title=title,
        right=16,
    )
    for edge in core:
        for low_end, high_end in rows.domains():
            fig.add_shape(
                type="line", x0=edge, x1=edge, y0=low_end, y1=high_end, xref="x", yref="paper",
                line={"color": colours.muted, "dash": "dash", "width": 1},
            )  # fmt: skip
    return fig


def when_figure(
    places: FloatArray,
    end: float,
    time_unit: str,
    *,
    class_index: int = 0,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw where in time a motif's spans lie: how many have their middle in each twentieth of the time.

    Parameters
    ----------
    places
        ``(n_spans,)``: the middle of each span.
    end
        Where the longest series ends.
    class_index
        The class's place among all, for its colour.
    """
    if len(places) == 0:
        return empty_figure("There are no spans.", theme, title)
    counts, edges = np.histogram(places, bins=HIST_BINS, range=(0.0, max(end, float(places.max()))))
    fig = go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            width=np.diff(edges) * 0.9,
            marker={"color": class_style(class_index, theme).colour},
            hovertemplate="%{y} spans around %{x:.4g}<extra></extra>",
        )
    )
    fig.update_xaxes(title={"text": escape(time_unit), "standoff": 8}, range=[edges[0], edges[-1]], zeroline=False)
    whole = max(1, -(-int(counts.max()) // 3))  # spans are counted: no ticks between whole numbers
    fig.update_yaxes(title={"text": "spans", "standoff": 8}, rangemode="tozero", dtick=whole, zeroline=False)
    return base_layout(fig, theme, height=190, title=title, top=MODEBAR_ROOM)


def presence_figure(
    presence: Mapping[str, tuple[int, int]],
    class_indices: Sequence[int],
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw in what share of each class's series a motif is present.

    Parameters
    ----------
    presence
        From class name to (series in which it is present, series).
    class_indices
        Each class's place among all, for its colour.
    """
    if not presence:
        return empty_figure("No series of a known class was looked at.", theme, title)
    shares = [found / of for found, of in presence.values()]
    fig = go.Figure(
        go.Bar(
            x=shares,
            y=list(range(len(shares))),
            orientation="h",
            marker={"color": [class_style(index, theme).colour for index in class_indices]},
            text=[f"{found} of {of}" for found, of in presence.values()],
            textposition="outside",
            cliponaxis=False,
            customdata=[escape(name) for name in presence],
            hovertemplate="<b>%{customdata}</b>: present in %{text} series<extra></extra>",
        )
    )
    fig.update_xaxes(
        title={"text": "share of series with it", "standoff": 8}, range=[0, 1.0], tickformat=".0%", zeroline=False
    )
    fig.update_yaxes(
        tickvals=list(range(len(shares))), ticktext=[shortened(name, 18) for name in presence],
        range=[len(shares) - 0.5, -0.5], zeroline=False, showgrid=False, ticklabelstandoff=4,
    )  # fmt: skip
    height = max(len(shares), 2) * 26
    return base_layout(
        fig, theme, height=height + MODEBAR_ROOM + 54, title=title, left=80, right=64, top=MODEBAR_ROOM, bottom=54
    )


def _most_telling(mean: FloatArray, low: FloatArray, high: FloatArray, most: int) -> list[int]:
    spread = np.nan_to_num(np.nanmean(np.where(np.isfinite(high - low), high - low, 0.0), axis=1))
    size = np.ptp(np.where(np.isfinite(mean), mean, 0.0), axis=1)
    order = np.argsort(-size / np.maximum(spread, 1e-12 + 1e-3 * size), kind="stable")
    return sorted(int(channel) for channel in order[:most])
