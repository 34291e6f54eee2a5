"""Where values are missing: a map of series over time, and the share of each channel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.data.names import SMALL_HEIGHT, time_title
from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.style import (
    MODEBAR_ROOM,
    THEMES,
    TIME_FORMAT,
    ColourScale,
    ThemeName,
    base_layout,
    empty_figure,
    faded,
)
from timemil_core.figures.text import shortened

MOST_CHANNELS = 20
LEAST = 1e-4


def missing_map_figure(
    shares: FloatArray,
    rows: npt.NDArray[np.integer[Any]],
    times: FloatArray,
    series_ids: Sequence[str],
    *,
    sampling_rate: float | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw the share of missing values, a row a series or a group of neighbouring ones.

    Parameters
    ----------
    shares
        ``(n_rows, n_spans)``, the share missing; NaN beyond the end of the series.
    rows
        ``(n_rows, 2)``, indices of the first and the last series of each row.
    times
        ``(n_spans + 1,)``, the borders of the spans of time.
    series_ids
        Of all series.
    """
    if not len(shares):
        return empty_figure("No value is missing.", theme, title, SMALL_HEIGHT)
    names = [_row_name(series_ids, first, last) for first, last in rows]
    fig = go.Figure(
        go.Heatmap(
            x=times,
            y=np.arange(len(shares) + 1) - 0.5,
            z=shares,
            zmin=0,
            zmax=1,
            colorscale=_seen_from_the_first(THEMES[theme].heat),
            customdata=np.repeat(np.array(names, dtype=object)[:, None], shares.shape[1], axis=1),
            hovertemplate=f"<b>%{{customdata}}</b> at %{{x{TIME_FORMAT}}}: %{{z:.0%}} missing<extra></extra>",
            hoverongaps=False,
            colorbar={
                "title": {"text": "missing", "side": "top"},
                "tickformat": ".0%",
                "tickvals": [0, 0.5, 1],
                "thickness": 12,
                "outlinewidth": 0,
            },
            name="missing",
        )
    )
    ticks = np.unique(np.linspace(0, len(names) - 1, min(len(names), 6)).round().astype(int))
    fig.update_xaxes(title={"text": time_title(sampling_rate), "standoff": 8}, zeroline=False, showgrid=False)
    fig.update_yaxes(
        tickvals=ticks,
        ticktext=[shortened(series_ids[rows[tick][0]], 16) for tick in ticks],
        range=[len(shares) - 0.5, -0.5],
        zeroline=False,
        showgrid=False,
    )
    height = int(np.clip(120 + 12 * len(shares), SMALL_HEIGHT, 460))
    return base_layout(fig, theme, height=height, title=title, top=MODEBAR_ROOM)


def _seen_from_the_first(scale: ColourScale) -> ColourScale:
    """Return a scale on which nothing missing is blank and the least that is missing can be seen."""
    (_, blank), *rest = scale
    return [(0.0, blank), (LEAST, blank.replace(",0)", ",0.35)")), *rest]


def _row_name(series_ids: Sequence[str], first: int, last: int) -> str:
    if first == last:
        return shortened(series_ids[first], 40)
    return f"{shortened(series_ids[first], 24)} to {shortened(series_ids[last], 24)}"


def missing_by_channel_figure(
    shares: FloatArray, channel_names: Sequence[str], *, theme: ThemeName = "light", title: str | None = None
) -> go.Figure:
    """Draw the share ``(n_channels,)`` of values that each channel misses, the largest first."""
    order = np.argsort(-shares, kind="stable")[:MOST_CHANNELS]
    order = order[shares[order] > 0]
    if not len(order):
        return empty_figure("No value is missing.", theme, title, SMALL_HEIGHT)
    names = [shortened(channel_names[channel], 18) for channel in order]
    fig = go.Figure(
        go.Bar(
            x=shares[order],
            y=np.arange(len(order)),
            orientation="h",
            marker={"color": faded(THEMES[theme].heat_line, 0.7)},
            text=[_percent(shares[channel]) for channel in order],
            textposition="outside",
            cliponaxis=False,
            customdata=[shortened(channel_names[channel], 40) for channel in order],
            hovertemplate="<b>%{customdata}</b>: %{text} missing<extra></extra>",
            name="missing",
        )
    )
    left_out = int((shares > 0).sum()) - len(order)
    note = f"; {left_out} more channels miss fewer" if left_out else ""
    fig.update_xaxes(
        title={"text": f"share missing{note}", "standoff": 8},
        tickformat=".0~%",
        rangemode="tozero",
        range=[0, min(float(shares.max()) * 1.2, 1.15)],
        nticks=5,
    )
    fig.update_yaxes(
        tickvals=list(range(len(order))), ticktext=names, range=[len(order) - 0.5, -0.5], showgrid=False, zeroline=False
    )
    height = max(SMALL_HEIGHT, 80 + 24 * len(order))
    return base_layout(fig, theme, height=height, title=title, top=MODEBAR_ROOM)


def _percent(share: float) -> str:
    return f"{share:.1%}" if share >= 0.001 else "< 0.1%"
