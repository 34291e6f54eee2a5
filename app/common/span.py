"""The span of a long series that is looked at: dragged over in a chart, typed, or moved by buttons; in the URL.

A picture holds as many points as it has pixels. Of a span the server sends those of the span alone, so looking closer
shows more, down to every time point. Short series are sent whole, and are zoomed by the browser itself: there a span
that is dragged over is marked, on every page that shows the series.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import streamlit as st

from app.common import state
from app.common.chart import Box, draw
from timemil_core.data.time_axis import AxisUnit
from timemil_core.explain.agreement import place_in, spans_told
from timemil_core.figures.decimate import LINE_POINTS

Span = tuple[float, float]
Times = npt.NDArray[np.floating[Any]]

SEPARATOR = "~"
LEAST_STEPS = 16  # time steps of the narrowest span
FROM_KEY, TO_KEY, SLIDER_KEY = "span_from", "span_to", "span_slider"


def is_thinned(times: Times) -> bool:
    """Tell whether a series of these times has more points than a picture of it."""
    return len(times) > LINE_POINTS


def parsed(text: str, times: Times) -> Span | None:
    """Read a span from the URL as far as it lies in the series; None, the whole series, where it says nothing."""
    try:
        start, stop = (float(part) for part in text.split(SEPARATOR))
    except ValueError:
        return None
    return within((start, stop), times)


def written(span: Span | None) -> str:
    """Write a span for the URL."""
    return "" if span is None else SEPARATOR.join(f"{end:.10g}" for end in span)


def within(span: Span, times: Times) -> Span | None:
    """Return a span moved and widened as little as need be to fit the series; None where it holds all of it."""
    start, stop = span
    first, last = float(times[0]), float(times[-1])
    if not (math.isfinite(start) and math.isfinite(stop)) or stop <= start or start >= last or stop <= first:
        return None
    # a short series is not looked at more closely: a span of it is marked, however narrow
    least = (LEAST_STEPS if is_thinned(times) else 1) * (last - first) / max(len(times) - 1, 1)
    width = min(max(stop - start, least), last - first)
    start = min(max((start + stop - width) / 2, first), last - width)
    return None if width >= last - first else (start, start + width)


def moved(span: Span, times: Times, *, by: float = 0.0, zoom: float = 1.0) -> Span | None:
    """Return a span moved by a share of its width, and wider or narrower by a factor around its middle."""
    width = (span[1] - span[0]) * zoom
    middle = (span[0] + span[1]) / 2 + by * (span[1] - span[0])
    middle = min(max(middle, float(times[0]) + width / 2), float(times[-1]) - width / 2) if by else middle
    return within((middle - width / 2, middle + width / 2), times)


def zoomable(figure: go.Figure, span: Span | None, times: Times, *, key: str, alt: str) -> None:
    """Draw a figure over time of the chosen series; a box dragged over it becomes the span of all pages."""
    # zoom is kept from series to series where both have the same axis of time
    figure.update_layout(dragmode="select", uirevision=f"{len(times)} {times[0]:.6g} {times[-1]:.6g}")
    draw(
        figure,
        key=key,
        alt=alt if span is None else f"{alt} From {span[0]:.6g} to {span[1]:.6g}.",
        zoom=not is_thinned(times),  # the browser's own would enlarge what was thinned; looking closer asks the server
        on_box=partial(_take_box, times),
    )


def controls(span: Span | None, times: Times, axis: AxisUnit) -> None:
    """Draw what changes the span without a mouse, and say what it does."""
    if not is_thinned(times):
        _marked(span, times, axis.length)
        return
    first, last = float(times[0]), float(times[-1])
    start, stop = span or (first, last)
    st.session_state[FROM_KEY], st.session_state[TO_KEY] = start, stop
    with st.container(horizontal=True, vertical_alignment="bottom", key="span"):
        for label, key in ((f"From, {axis.title}", FROM_KEY), ("to", TO_KEY)):
            st.number_input(
                label, first, last, key=key, step=(stop - start) / 4, format="%.6g", width=150,
                on_change=partial(_take_typed, times),
            )  # fmt: skip
        _button("Closer", "zoom_in", partial(moved, span or (first, last), times, zoom=0.5))
        _button("Wider", "zoom_out", partial(moved, span, times, zoom=2.0) if span else None)
        _button("Earlier", "arrow_back", partial(moved, span, times, by=-0.5) if span and start > first else None)
        _button("Later", "arrow_forward", partial(moved, span, times, by=0.5) if span and stop < last else None)
        _button("Whole series", "fit_width", (lambda: None) if span else None)
    st.caption(_told(span, times))


def _marked(span: Span | None, times: Times, unit: str) -> None:
    first, last = float(times[0]), float(times[-1])
    if last <= first:
        return
    st.session_state[SLIDER_KEY] = span or (first, last)
    with st.container(horizontal=True, vertical_alignment="center", key="span"):
        st.slider(
            f"Mark a span ({unit}): drag over the chart, or move the ends here", first, last,
            step=(last - first) / (len(times) - 1), format="%.6g", key=SLIDER_KEY, width=420,
            on_change=lambda: state.choose(span=written(within(st.session_state[SLIDER_KEY], times))),
        )  # fmt: skip
        if span is not None:
            exact = times.astype(np.float64)
            told = spans_told([place_in(span, exact)], exact, unit)
            st.markdown(f"Marked on all pages: **{told}**", width="content")
            _button("Clear", "close", lambda: None)


def _told(span: Span | None, times: Times) -> str:
    n_shown = len(times) if span is None else int(np.count_nonzero((times >= span[0]) & (times <= span[1])))
    thinned = "of each pixel the smallest and the largest value" if n_shown > LINE_POINTS else "every one of them"
    return (
        f"{n_shown:,} of {len(times):,} time points; drawn: {thinned}. Drag over the chart to look closer; "
        "*Whole series* returns."
    )


def _button(label: str, icon: str, to: Callable[[], Span | None] | None) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        disabled=to is None,
        key=f"span_{icon}",
        on_click=lambda: None if to is None else state.choose(span=written(to())),
    )


def _take_box(times: Times, box: Box) -> None:
    if (span := within(box.x, times)) is not None:
        state.choose(span=written(span))


def _take_typed(times: Times) -> None:
    span = within((st.session_state[FROM_KEY], st.session_state[TO_KEY]), times)
    state.choose(span=written(span))
