"""A series before and after it was edited: the signal, a map of each, and the probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.canvas import SeriesCanvas, Span, shown_slice
from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.rows import Rows, padded_range, row_height
from timemil_core.figures.spans import bracket_span, legend_patch
from timemil_core.figures.style import MODEBAR_ROOM, THEMES, ThemeName, base_layout, empty_figure
from timemil_core.figures.text import escape, shortened

MAP_HEIGHT = 110
BEFORE, AFTER = "original", "edited"


def edited_figure(
    times: npt.NDArray[Any],
    original: FloatArray,
    edited: FloatArray,
    channel_names: Sequence[str],
    time_unit: str,
    *,
    maps: tuple[FloatArray, FloatArray] | None = None,
    map_title: str = "importance",
    selected_span: Span | None = None,
    visible_span: Span | None = None,
    max_channels: int = 12,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a series over its original, a row a channel, and beneath them the map of each on one scale.

    Parameters
    ----------
    times
        ``(n_timepoints,)``, ascending.
    original, edited
        ``(n_channels, n_timepoints)``; NaN leaves a gap.
    maps
        Of the original and of the edited series, each ``(n_timepoints,)``, as computed.
    selected_span
        The span of time to bracket.
    visible_span
        The span of time to show.
    max_channels
        How many rows to draw at most, changed channels first; a note says how many were left out.
    """
    if original.size == 0:
        return empty_figure("This series has no time points.", theme, title)
    canvas = SeriesCanvas(Rows(), times, shown_slice(times, visible_span), escape(time_unit), THEMES[theme])
    shown = _shown_channels(original, edited, max_channels)
    for place, channel in enumerate(shown):
        note = (
            f"{len(shown)} of {len(original)} channels are drawn" if place == 0 and len(shown) < len(original) else ""
        )
        both = np.stack([original[channel], edited[channel]])
        row = canvas.rows.add(
            row_height(len(shown)),
            f"<b>{shortened(channel_names[channel], 60)}</b>",
            note,
            range=padded_range(both[:, canvas.shown]),
            zeroline=False,
        )
        _draw_pair(canvas, row, both, legend=place == 0)
        if place == 0:  # also where nothing was observed a box has to find points
            limits = padded_range(both[:, canvas.shown])
            level = sum(limits) / 2
            canvas.rows.draw(row, canvas.picker(np.nan_to_num(both[0], nan=level), "value"))
    if maps is not None:
        both = np.stack(maps)
        limits = padded_range(np.append(both.ravel(), 0.0))
        row = canvas.rows.add(MAP_HEIGHT, f"<b>{shortened(map_title, 90)}</b>", range=limits, zeroline=True)
        _draw_pair(canvas, row, both, legend=False)
    fig = canvas.figure(theme, title, right=16)
    if selected_span is not None:
        bracket_span(fig, selected_span, canvas.rows.domains(), THEMES[theme].selection, 4 / canvas.rows.inner_height)
        fig.add_trace(legend_patch("chosen span", THEMES[theme].selection))
    return fig


def before_after_figure(
    before: FloatArray,
    after: FloatArray,
    class_names: Sequence[str],
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw each class's probability before (ring) and after (disc), joined by a line.

    Parameters
    ----------
    before, after
        ``(n_classes,)`` in [0, 1].
    """
    if len(before) == 0:
        return empty_figure("There are no classes.", theme, title)
    colours, rows = THEMES[theme], np.arange(len(before))
    joins_x = np.stack([before, after, np.full(len(before), np.nan)], axis=1).ravel()
    joins = go.Scatter(
        x=joins_x,
        y=np.repeat(rows, 3),
        mode="lines",
        line={"color": colours.muted, "width": 2},
        hoverinfo="skip",
        showlegend=False,
    )
    looks = (
        (BEFORE, before, {"symbol": "circle-open", "size": 12, "color": colours.text, "line": {"width": 2}}),
        (AFTER, after, {"symbol": "circle", "size": 10, "color": colours.selection}),
    )
    names = [escape(name) for name in class_names]
    fig = go.Figure(
        [
            joins,
            *(
                go.Scatter(
                    x=values,
                    y=rows,
                    mode="markers",
                    marker=marker,
                    name=name,
                    customdata=names,
                    hovertemplate=f"<b>%{{customdata}}</b>, {name}: %{{x:.4f}}<extra></extra>",
                )
                for name, values, marker in looks
            ),
        ]
    )
    fig.update_xaxes(range=[-0.03, 1.03], title={"text": "probability", "standoff": 8}, zeroline=False, fixedrange=True)
    fig.update_yaxes(
        tickvals=list(rows),
        ticktext=[shortened(name, 22) for name in class_names],
        range=[len(rows) - 0.5, -0.5],
        zeroline=False,
        fixedrange=True,
    )
    height = max(len(rows), 2) * (28 if len(rows) <= 12 else 20)
    top = MODEBAR_ROOM + 8
    return base_layout(fig, theme, height=height + top + 54, title=title, left=80, right=16, top=top, bottom=54)


def _draw_pair(canvas: SeriesCanvas, row: str, both: FloatArray, *, legend: bool) -> None:
    colours = canvas.theme
    looks = (
        (BEFORE, {"color": colours.muted, "width": 1.5, "dash": "dot"}),
        (AFTER, {"color": colours.selection, "width": 1.6}),
    )
    for (name, line), values in zip(looks, both, strict=True):
        canvas.rows.draw(row, canvas.line(values, name, line=line, showlegend=legend, legendgroup=name))


def _shown_channels(original: FloatArray, edited: FloatArray, most: int) -> list[int]:
    same = (original == edited) | (np.isnan(original) & np.isnan(edited))
    changed = np.flatnonzero(~same.all(axis=1))
    order = np.concatenate([changed, np.setdiff1d(np.arange(len(original)), changed)])
    return sorted(int(channel) for channel in order[:most])
