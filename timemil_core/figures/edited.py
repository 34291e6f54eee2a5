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
from timemil_core.figures.spans import bracket_span, legend_patch, truth_bars, truth_spans
from timemil_core.figures.style import MODEBAR_ROOM, THEMES, Theme, ThemeName, base_layout, empty_figure
from timemil_core.figures.text import escape, shortened

MAP_HEIGHT, STRIP_HEIGHT = 110, 14
BEFORE, AFTER = "original", "edited"


def edited_figure(
    times: npt.NDArray[Any],
    original: FloatArray,
    edited: FloatArray,
    channel_names: Sequence[str],
    time_unit: str,
    *,
    maps: tuple[FloatArray, FloatArray | None] | None = None,
    map_title: str = "importance",
    map_unit: str = "importance",
    truth: npt.NDArray[np.bool_] | None = None,
    selected_span: Span | None = None,
    visible_span: Span | None = None,
    max_channels: int = 12,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a series over its original, a row a channel, and beneath them the map of each on one scale.

    The shade behind the channels is the map of what is drawn: of the edited series where there is one.

    What is the same before and after is one line; where they differ the original is dotted beside what stands there
    now. Missing values leave a gap.

    Parameters
    ----------
    times
        ``(n_timepoints,)``, ascending.
    original, edited
        ``(n_channels, n_timepoints)``; NaN leaves a gap.
    maps
        Of the original and of the edited series (None where nothing was edited), each ``(n_timepoints,)``, as
        computed.
    map_title, map_unit
        The name of the method, and what its values are.
    truth
        ``(n_timepoints,)``, True at the time points that make the original what it is.
    selected_span
        The span of time to bracket.
    visible_span
        The span of time to show.
    max_channels
        How many rows to draw at most, changed channels first; a note says how many were left out.

    Returns
    -------
    go.Figure
        ``layout.meta["channels"]`` tells which channel each y axis (``"y"``, ``"y2"`` …) is of.
    """
    if original.size == 0:
        return empty_figure("This series has no time points.", theme, title)
    canvas = SeriesCanvas(Rows(), times, shown_slice(times, visible_span), escape(time_unit), THEMES[theme])
    spans = None if truth is None else truth_spans(times[canvas.shown], truth[canvas.shown])
    if spans is not None:
        strip = canvas.rows.add(STRIP_HEIGHT, range=[-0.5, 0.5], showticklabels=False, showgrid=False, zeroline=False)
        canvas.rows.draw(strip, truth_bars(spans, THEMES[theme].truth, canvas.time_title))
    shade = None if maps is None else maps[0] if maps[1] is None else maps[1]
    drawn = _draw_channels(canvas, original, edited, channel_names, max_channels, shade)
    if maps is not None:
        _draw_maps(canvas, maps, map_title, map_unit)
    more = {} if shade is None else {"coloraxis": _shades(shade, THEMES[theme])}
    fig = canvas.figure(theme, title, right=16, meta={"channels": drawn}, **more)
    if selected_span is not None:
        bracket_span(fig, selected_span, canvas.rows.domains(), THEMES[theme].selection, 4 / canvas.rows.inner_height)
        fig.add_trace(legend_patch("span to edit", THEMES[theme].selection))
    return fig


def before_after_figure(
    before: FloatArray,
    after: FloatArray | None,
    class_names: Sequence[str],
    *,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw each class's probability before (ring) and after (disc), joined by a line.

    Parameters
    ----------
    before, after
        ``(n_classes,)`` in [0, 1]; after is None where nothing was edited.
    """
    if len(before) == 0:
        return empty_figure("There are no classes.", theme, title)
    colours, rows = THEMES[theme], np.arange(len(before))
    is_edited = after is not None
    later = before if after is None else after
    joins_x = np.stack([before, later, np.full(len(before), np.nan)], axis=1).ravel()
    joins = go.Scatter(
        x=joins_x,
        y=np.repeat(rows, 3),
        mode="lines",
        line={"color": colours.muted, "width": 2},
        hoverinfo="skip",
        showlegend=False,
    )
    looks = [(BEFORE, before, {"symbol": "circle-open", "size": 12, "color": colours.text, "line": {"width": 2}})]
    if is_edited:
        looks.append((AFTER, later, {"symbol": "circle", "size": 9, "color": colours.selection}))
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
                    showlegend=is_edited,
                    cliponaxis=False,
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
        ticklabelstandoff=4,
    )
    height = max(len(rows), 2) * (28 if len(rows) <= 12 else 20)
    top = MODEBAR_ROOM + 8
    return base_layout(fig, theme, height=height + top + 54, title=title, left=80, right=16, top=top, bottom=54)


def _draw_channels(
    canvas: SeriesCanvas,
    original: FloatArray,
    edited: FloatArray,
    channel_names: Sequence[str],
    most: int,
    shade: FloatArray | None,
) -> dict[str, int]:
    """Add a row a channel and return which channel each y axis is of."""
    drawn: dict[str, int] = {}
    differ = ~((original == edited) | (np.isnan(original) & np.isnan(edited)))
    shown = _shown_channels(differ, most)
    told = False
    for place, channel in enumerate(shown):
        note = f"{len(shown)} of {len(original)} channels are drawn" if place == 0 < len(original) - len(shown) else ""
        both = np.stack([original[channel], edited[channel]])
        name = str(channel_names[channel])
        limits = padded_range(both[:, canvas.shown])
        row = canvas.rows.add(
            row_height(len(shown)), f"<b>{shortened(name, 60)}</b>", note, range=limits, zeroline=False
        )
        drawn[row] = channel
        if shade is not None:
            canvas.rows.draw(row, canvas.heat(shade, limits))
        changed = differ[channel]
        known = {"line": {"color": canvas.theme.line, "width": 1.3}}
        canvas.rows.draw(row, canvas.line(np.where(changed, np.nan, original[channel]), name, **known))
        if changed.any():
            # to the neighbours on both sides, which are the same, so that the lines meet
            around = np.convolve(changed, [True] * 3, mode="same") > 0
            _draw_pair(canvas, row, np.where(around, both, np.nan), legend=not told)
            told = True
    return drawn


def _shades(values: FloatArray, theme: Theme) -> dict[str, Any]:
    # The colours of the map behind the signal, as on the Attention page; the row beneath has the numbers.
    highest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0
    signed = bool((values < 0).any())
    scale = theme.signed_behind if signed else theme.heat_behind
    return {"colorscale": scale, "cmin": -highest if signed else 0.0, "cmax": highest, "showscale": False}


def _draw_maps(canvas: SeriesCanvas, maps: tuple[FloatArray, FloatArray | None], title: str, unit: str) -> None:
    before, after = maps
    values = before if after is None else np.append(before, after)
    axis: dict[str, Any] = {"title": {"text": shortened(unit, 18), "standoff": 6}}
    limits = padded_range(np.append(values, 0.0))
    row = canvas.rows.add(MAP_HEIGHT, f"<b>{shortened(title, 90)}</b>", range=limits, zeroline=True, **axis)
    if after is None:
        canvas.rows.draw(row, canvas.line(before, BEFORE, line={"color": canvas.theme.line, "width": 1.5}))
    else:
        _draw_pair(canvas, row, np.stack([before, after]), legend=False)


def _draw_pair(canvas: SeriesCanvas, row: str, both: FloatArray, *, legend: bool) -> None:
    colours = canvas.theme
    looks = (
        (BEFORE, {"color": colours.muted, "width": 1.6, "dash": "dot"}),
        (AFTER, {"color": colours.selection, "width": 2}),
    )
    for (name, line), values in zip(looks, both, strict=True):
        canvas.rows.draw(row, canvas.line(values, name, line=line, showlegend=legend, legendgroup=name))


def _shown_channels(differ: npt.NDArray[np.bool_], most: int) -> list[int]:
    changed = np.flatnonzero(differ.any(axis=1))
    order = np.concatenate([changed, np.setdiff1d(np.arange(len(differ)), changed)])
    return sorted(int(channel) for channel in order[:most])
