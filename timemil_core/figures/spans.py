"""Spans and moments of time, drawn through the rows of a figure and told in its legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.data.runs import runs
from timemil_core.figures.decimate import HEAT_BINS, time_edges
from timemil_core.figures.style import TIME_FORMAT, faded

Domain = tuple[float, float]


def truth_spans(times: npt.NDArray[Any], truth: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
    """Return begin and end in time of each run of True, ``(n_runs, 2)``; runs less than a pixel apart are joined."""
    spans = runs(truth)
    if len(spans) > 1 and (closer := len(times) // HEAT_BINS):
        apart = np.flatnonzero(spans[1:, 0] - spans[:-1, 1] > closer)
        spans = np.stack([spans[np.append(0, apart + 1), 0], spans[np.append(apart, len(spans) - 1), 1]], axis=1)
    return time_edges(times, len(times))[spans]


def truth_bars(spans: npt.NDArray[Any], colour: str, time_title: str, *, whole: bool = True) -> go.Bar:
    """Return hatched and outlined bars over the spans ``(n_runs, 2)``; ``time_title`` is already escaped.

    ``whole`` tells whether they are those of the whole series, or of the span of it that is shown.
    """
    none = "ground truth: no time point is relevant" if whole else "ground truth: no relevant time point in this span"
    name = "ground truth: relevant time points" if len(spans) else none
    if not len(spans):
        spans = np.full((1, 2), np.nan)  # nothing is drawn, and the legend still tells it
    return go.Bar(
        base=spans[:, 0],
        x=spans[:, 1] - spans[:, 0],
        y=np.zeros(len(spans)),
        width=1.0,
        orientation="h",
        customdata=spans,
        marker={
            "color": faded(colour, 0.15),
            "line": {"color": colour, "width": 1.5},
            "pattern": {"shape": "/", "size": 6, "solidity": 0.3, "fgcolor": colour, "bgcolor": faded(colour, 0.15)},
        },
        name=name,
        showlegend=True,
        hovertemplate=f"ground truth<br>{time_title}: %{{customdata[0]{TIME_FORMAT}}} to "
        f"%{{customdata[1]{TIME_FORMAT}}}<extra></extra>",
    )


def mark_times(
    fig: go.Figure,
    times: npt.NDArray[Any],
    domains: Sequence[Domain],
    colour: str,
    *,
    dash: str = "solid",
    width: float = 1.5,
) -> None:
    """Draw a line through each row at each time, all as one shape; the labels between rows stay free."""
    if len(times) == 0:
        return
    segments = [f"M {float(time)!r},{low:.5f} L {float(time)!r},{high:.5f}" for time in times for low, high in domains]
    line = {"color": colour, "width": width, "dash": dash}
    fig.add_shape(type="path", path=" ".join(segments), xref="x", yref="paper", line=line, opacity=0.85)


def bracket_span(
    fig: go.Figure, span: tuple[float, float], domains: Sequence[Domain], colour: str, thickness: float
) -> None:
    """Bracket a span of time: a bar over the rows, ``thickness`` as a share of height, and its borders in each row.

    Nothing is laid over the rows, where it would change the colours of a map.
    """
    fig.add_shape(
        type="rect",
        x0=span[0],
        x1=span[1],
        y0=1 - thickness,
        y1=1,
        xref="x",
        yref="paper",
        line={"width": 0},
        fillcolor=colour,
    )
    mark_times(fig, np.array(span), [*domains, (domains[0][1], 1.0)], colour, dash="dash")


def legend_line(name: str, colour: str, dash: str = "solid") -> go.Scatter:
    """Return a legend entry, with nothing drawn, for lines that are shapes; ``name`` is already escaped."""
    return go.Scatter(
        x=[None], y=[None], mode="lines", line={"color": colour, "dash": dash, "width": 1.5}, name=name, showlegend=True
    )


def legend_patch(name: str, colour: str) -> go.Scatter:
    """Return a legend entry, with nothing drawn, for bracketed spans; ``name`` is already escaped."""
    marker = {"symbol": "line-ew", "size": 14, "line": {"color": colour, "width": 4}, "color": colour}
    return go.Scatter(x=[None], y=[None], mode="markers", marker=marker, name=name, showlegend=True)
