"""What the positional encoding adds to one series, one feature at a time and all at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.canvas import SeriesCanvas, Span, shown_slice
from timemil_core.figures.decimate import FloatArray, bin_mean, time_edges
from timemil_core.figures.importance import anchored_limits, colour_bar
from timemil_core.figures.rows import Rows, padded_range
from timemil_core.figures.style import (
    MODEBAR_ROOM,
    THEMES,
    TIME_FORMAT,
    VALUE_FORMAT,
    ThemeName,
    base_layout,
    empty_figure,
)
from timemil_core.figures.text import escape, number

ROW_HEIGHT = 130
ENCODING_BINS = 500
MOST_ENLARGED = 4.0


def encoding_figure(
    times: npt.NDArray[Any],
    before: FloatArray,
    added: FloatArray,
    time_unit: str = "time point",
    *,
    hat: tuple[npt.NDArray[Any], FloatArray] | None = None,
    visible_span: Span | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw one feature over time before the encoding, and beneath it what the encoding adds.

    Both rows share one scale, unless the addition is so small that it would look flat: then its row is enlarged,
    and says how much.

    Parameters
    ----------
    times, before, added
        ``(n_timepoints,)``.
    hat
        Times and values of a kernel laid over the feature where it answers most.
    visible_span
        The span of time to show; points are thinned within it alone, the scales stay those of the whole.
    """
    if len(times) == 0:
        return empty_figure("This series has no time points.", theme, title)
    canvas = SeriesCanvas(Rows(), times, shown_slice(times, visible_span), escape(time_unit), THEMES[theme])
    common = padded_range(np.concatenate([before, added]))
    own = padded_range(added)
    enlarged = (common[1] - common[0]) / (own[1] - own[0])
    note = f"axis enlarged {number(enlarged)} times against the row above" if enlarged > MOST_ENLARGED else ""
    upper = canvas.rows.add(ROW_HEIGHT, "<b>before the encoding</b>", range=common, zeroline=True)
    canvas.rows.draw(upper, canvas.line(before, "before the encoding"))
    if hat is not None:
        line = {"color": THEMES[theme].selection, "width": 3}
        name = "the kernel, where it answers most"
        laid = go.Scatter(x=hat[0], y=hat[1], mode="lines", line=line, name=name, showlegend=True, hoverinfo="skip")
        canvas.rows.draw(upper, laid)
    lower = canvas.rows.add(
        ROW_HEIGHT, "<b>what the encoding adds</b>", note, range=own if note else common, zeroline=True
    )
    look = {"line": {"color": THEMES[theme].heat_line, "width": 1.5}}
    canvas.rows.draw(lower, canvas.line(added, "what the encoding adds", **look))
    return canvas.figure(theme, title, right=16)


def encoding_heat_figure(
    times: npt.NDArray[Any],
    added: FloatArray,
    time_unit: str = "time point",
    *,
    visible_span: Span | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw what the encoding adds to all features: blue below 0, nothing at 0, orange above it.

    Parameters
    ----------
    times
        ``(n_timepoints,)``.
    added
        ``(n_timepoints, L)``.
    visible_span
        The span of time to show, in as many bins as the whole would have.
    """
    if added.size == 0:
        return empty_figure("The encoding adds nothing to this series.", theme, title)
    shown = shown_slice(times, visible_span)
    times = times[shown]
    drawn = bin_mean(np.ascontiguousarray(added[shown].T), ENCODING_BINS)
    _, high = anchored_limits(drawn, None)
    mean = "mean of what is added" if drawn.shape[1] < len(times) else "added"
    fig = go.Figure(
        go.Heatmap(
            x=time_edges(times, ENCODING_BINS),
            y=np.arange(1, added.shape[1] + 1),
            z=drawn,
            zmin=-high,
            zmax=high,
            colorscale=THEMES[theme].signed,
            colorbar=colour_bar(f"{mean}", top=1.0, length=220),
            name="encoding",
            hovertemplate=f"<b>feature %{{y}}</b><br>{escape(time_unit)}: %{{x{TIME_FORMAT}}}<br>{mean}: "
            f"%{{z{VALUE_FORMAT}}}<extra></extra>",
        )
    )
    fig.update_xaxes(title={"text": escape(time_unit), "standoff": 8}, showgrid=False, zeroline=False)
    fig.update_yaxes(title={"text": "feature", "standoff": 8}, showgrid=False, zeroline=False, nticks=6)
    return base_layout(fig, theme, height=352, title=title, right=96, top=MODEBAR_ROOM)
