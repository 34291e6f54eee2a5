"""One series, a row a channel, with an importance map behind the signal and as a curve beneath it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.canvas import SeriesCanvas, Span, shown_slice
from timemil_core.figures.decimate import HEAT_BINS, FloatArray, one_a_bin, time_edges
from timemil_core.figures.importance import ImportanceMap
from timemil_core.figures.rows import Rows, padded_range, row_height
from timemil_core.figures.spans import bracket_span, legend_line, legend_patch, mark_times, truth_bars, truth_spans
from timemil_core.figures.style import THEMES, VALUE_FORMAT, ThemeName, empty_figure, faded
from timemil_core.figures.text import escape, number, shortened

CURVE_HEIGHT = 110
STRIP_HEIGHT = 14
MOST_TRUTH_BORDERS = 40

BoolArray = npt.NDArray[np.bool_]


def series_figure(
    times: npt.NDArray[Any],
    values: FloatArray,
    channel_names: Sequence[str],
    time_unit: str,
    *,
    attention: FloatArray | None = None,
    attention_title: str = "attention",
    attention_unit: str = "weight",
    channel_attention: FloatArray | None = None,
    truth: BoolArray | None = None,
    selected_span: Span | None = None,
    marked_times: npt.NDArray[Any] | None = None,
    visible_span: Span | None = None,
    flat_reference: bool = True,
    flat_weight: float | None = None,
    signed: bool = False,
    map_limits: tuple[float, float] | None = None,
    compared: Sequence[ImportanceMap] = (),
    beside: FloatArray | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
    max_channels: int = 12,
) -> go.Figure:
    """Draw a series and, where given, an importance map over it.

    Parameters
    ----------
    times
        ``(n_timepoints,)``, ascending, in the unit that ``time_unit`` names.
    values
        ``(n_channels, n_timepoints)``; NaN leaves a gap.
    time_unit
        The time axis's title, as ``SeriesSet.time_unit`` gives it: ``"time (s)"``, ``"time point"``.
    attention
        ``(n_timepoints,)``: the map, in ``attention_unit``; drawn as it is, never stretched.
    channel_attention
        ``(n_channels, n_timepoints)`` for methods that tell channels apart: drawn behind each channel instead.
    truth
        ``(n_timepoints,)``, True at time points that make the series what it is.
    selected_span
        A span of time to bracket.
    marked_times
        Times to mark with a line through all rows.
    visible_span
        The span of time to show; points are thinned within this span alone, so a narrow one shows more detail.
    flat_reference
        Whether the weights sum to one over time, so that a flat map has ``1 / n_timepoints`` everywhere.
    flat_weight
        The weight of a flat map where it is not ``1 / n_timepoints``.
    signed
        Whether the map has a sign: then there is no flat reference. With negative weights in it (Nyström's
        approximation has them) a map is drawn as a signed one anyway: blue below 0, orange above it.
    map_limits
        The range of the map's colours; it reaches farther where the map does.
    compared
        Other maps of the series, as curves beneath, on the same axis of time.
    beside
        ``(n_channels, n_timepoints)``: another series; the channels' axes hold both.
    max_channels
        How many rows to draw at most; a note says how many were left out.

    Returns
    -------
    go.Figure
        The map's curve, or the first channel where there is no map, holds the index of each time point that it draws
        in ``customdata``.
    """
    if values.size == 0:
        return empty_figure("This series has no time points.", theme, title)
    heat = None
    if attention is not None:
        flat = None if signed or not flat_reference else flat_weight or 1 / len(times)
        flat_name = "1/T" if flat_weight is None else "flat map"
        heat = ImportanceMap(attention, channel_attention, attention_title, attention_unit, flat, flat_name, map_limits)
    canvas = SeriesCanvas(Rows(), times, shown_slice(times, visible_span), escape(time_unit), THEMES[theme])
    spans = None if truth is None else truth_spans(times[canvas.shown], truth[canvas.shown])
    if spans is not None and truth is not None:
        strip = canvas.rows.add(STRIP_HEIGHT, range=[-0.5, 0.5], showticklabels=False, showgrid=False, zeroline=False)
        bars = truth_bars(spans, THEMES[theme].truth, escape(time_unit), whole=not truth.any())
        canvas.rows.draw(strip, bars)
    rows = _draw_channels(canvas, values, [str(name) for name in channel_names], heat, max_channels, beside)
    for one in (*([] if heat is None else [heat]), *compared):
        _draw_curve(canvas, one)
    more: dict[str, Any] = {}
    if heat is not None:
        bottom, top = canvas.rows.span(rows[0], rows[-1])
        more["coloraxis"] = heat.colour_axis(THEMES[theme], bottom, top, canvas.rows.inner_height)
    fig = canvas.figure(theme, title, right=92 if heat else 16, **more)
    _mark(fig, canvas, spans, selected_span, marked_times)
    return fig


def _draw_channels(
    canvas: SeriesCanvas,
    values: FloatArray,
    names: list[str],
    heat: ImportanceMap | None,
    most: int,
    beside: FloatArray | None,
) -> list[str]:
    """Add a row a channel, ``most`` at most, and return their axes."""
    rows: list[str] = []
    n_drawn = min(len(values), most)
    for channel in range(n_drawn):
        seen = values[channel, canvas.shown]
        limits = padded_range(seen if beside is None else np.append(seen, beside[channel]))
        row = canvas.rows.add(
            row_height(n_drawn),
            f"<b>{shortened(names[channel], 60)}</b>",
            _first_note(canvas, len(values), n_drawn, heat) if channel == 0 else "",
            range=limits,
            zeroline=False,
        )
        line = canvas.line(values[channel], names[channel])
        if heat is None and channel == 0:
            line.update(canvas.telling(values[0], shortened(names[0], 40)))
        if heat is not None:
            canvas.rows.draw(row, canvas.heat(heat.row(channel), limits))
            if heat.by_channel is not None:  # else the curve's own hover, shown at the same time, tells it once
                _tell_weights(line, heat, heat.by_channel[channel][canvas.kept(values[channel])])
        canvas.rows.draw(row, line)
        rows.append(row)
    return rows


def _first_note(canvas: SeriesCanvas, n_channels: int, n_drawn: int, heat: ImportanceMap | None) -> str:
    """Return what holds for all channels' rows and stands at the right above the first."""
    per_bin = (canvas.shown.stop - canvas.shown.start) / HEAT_BINS
    told = [f"{n_drawn} of {n_channels} channels are drawn"] if n_drawn < n_channels else []
    if heat is not None and per_bin > 1:
        told.append(f"colour: mean over {per_bin:.3g} time points")
    return "; ".join(told)


def _tell_weights(line: go.Scatter, heat: ImportanceMap, weights: FloatArray) -> None:
    told = f", {escape(heat.unit)}: %{{customdata{VALUE_FORMAT}}}<extra></extra>"
    line.update(customdata=weights, hovertemplate=line.hovertemplate.replace("<extra></extra>", told))


def _draw_curve(canvas: SeriesCanvas, heat: ImportanceMap) -> None:
    """Add the row with the map as a curve and the flat reference."""
    low, high = heat.curve_limits
    row = canvas.rows.add(
        CURVE_HEIGHT,
        f"<b>{shortened(heat.title, 90)}</b>",
        "",
        range=[low * 1.08, high * 1.08],
        zeroline=heat.signed,
        title={"text": shortened(heat.unit, 18), "standoff": 6},
    )
    colour = canvas.theme.line
    look = {"fill": "tozeroy", "fillcolor": faded(colour, 0.12), "line": {"color": colour, "width": 1.5}}
    canvas.rows.draw(row, canvas.line(heat.curve, heat.title, **canvas.telling(heat.curve, escape(heat.unit)), **look))
    if heat.flat:
        canvas.rows.draw(row, _flat_line(canvas, heat.flat, heat.flat_name))


def _flat_line(canvas: SeriesCanvas, flat: float, flat_name: str) -> go.Scatter:
    name = f"flat map: 1/T = {number(flat)}" if flat_name == "1/T" else f"{flat_name}: {number(flat)}"
    return go.Scatter(
        x=time_edges(canvas.times[canvas.shown], 1),
        y=np.array([flat, flat]),
        mode="lines",
        line={"color": canvas.theme.muted, "width": 1.5, "dash": "dash"},
        name=name,
        showlegend=True,
        hoverinfo="skip",
    )


def _mark(
    fig: go.Figure,
    canvas: SeriesCanvas,
    spans: npt.NDArray[Any] | None,
    selected_span: Span | None,
    marked_times: npt.NDArray[Any] | None,
) -> None:
    """Draw the borders of the truth, the selected span and the marked times through all rows."""
    domains, theme = canvas.rows.domains(), canvas.theme
    if spans is not None and spans.size <= MOST_TRUTH_BORDERS:
        mark_times(fig, spans.ravel(), domains, theme.truth, dash="dot", width=1)
    if selected_span is not None:
        bracket_span(fig, selected_span, domains, theme.selection, 4 / canvas.rows.inner_height)
        fig.add_trace(legend_patch("selected span", theme.selection))
    if marked_times is not None and len(marked_times):
        ends = time_edges(canvas.times[canvas.shown], 1)
        mark_times(fig, one_a_bin(marked_times, (ends[0], ends[-1])), domains, theme.selection)
        fig.add_trace(legend_line(f"marked time points ({len(marked_times)})", theme.selection))
