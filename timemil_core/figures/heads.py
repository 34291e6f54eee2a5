"""Each head's attention from the class token, and what the token keeps for itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.canvas import Span, shown_slice
from timemil_core.figures.decimate import FloatArray, bin_mean, time_edges
from timemil_core.figures.importance import anchored_limits, colour_bar
from timemil_core.figures.style import (
    MODEBAR_ROOM,
    THEMES,
    TIME_FORMAT,
    VALUE_FORMAT,
    ThemeName,
    base_layout,
    empty_figure,
    faded,
)
from timemil_core.figures.text import escape, number, shortened

TOKEN_SHARE = 0.2


def head_figure(
    rows: FloatArray,
    times: npt.NDArray[Any],
    time_unit: str = "time point",
    *,
    row_names: Sequence[str] | None = None,
    visible_span: Span | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw each head's attention from the class token: a map over time, and at right the weight on the token itself.

    Parameters
    ----------
    rows
        ``(n_heads, 1 + n_timepoints)``: the class token first.
    times
        ``(n_timepoints,)``.
    row_names
        One a row; by default ``head 1`` …
    visible_span
        The span of time to show, in as many bins as the whole would have; colours stay those of the whole.
    """
    if rows.size == 0 or len(times) == 0:
        return empty_figure("There are no heads to draw.", theme, title)
    names = [f"head {place + 1}" for place in range(len(rows))] if row_names is None else row_names
    flat = 1 / rows.shape[1]
    low, high = anchored_limits(rows[:, 1:], flat)
    height = int(np.clip(len(rows) * 34, 130, 600))
    shown = shown_slice(times, visible_span)
    maps = [
        _head_map(place, weights[shown], times[shown], escape(name), escape(time_unit))
        for place, (weights, name) in enumerate(zip(rows[:, 1:], names, strict=True))
    ]
    fig = go.Figure([*maps, _token_bars(rows[:, 0], names, theme)])
    fig.update_layout(
        xaxis={"domain": [0, 0.94 - TOKEN_SHARE], "title": {"text": escape(time_unit), "standoff": 8}},
        xaxis2={"domain": [1 - TOKEN_SHARE, 1], "anchor": "y", **_token_axis(rows[:, 0])},
        yaxis={
            "tickvals": list(range(len(names))),
            "ticktext": [shortened(name, 18) for name in names],
            "range": [len(names) - 0.5, -0.5],
            "fixedrange": True,
        },
        coloraxis={
            "cmin": low,
            "cmax": high,
            "colorscale": THEMES[theme].signed if low < 0 else THEMES[theme].heat,
            "colorbar": colour_bar("weight", top=1.0, length=height, ticks=_head_ticks(flat, low, high)),
        },
        bargap=0.3,
    )
    fig.update_xaxes(showgrid=False, zeroline=False)
    fig.update_yaxes(showgrid=False, zeroline=False)
    return base_layout(
        fig, theme, height=height + MODEBAR_ROOM + 76, title=title, right=96, top=MODEBAR_ROOM, bottom=76
    )


def _token_axis(weights: FloatArray) -> dict[str, Any]:
    """Return an axis on which a bar of 100 % leaves room for its number at the right."""
    return {
        "range": [min(0.0, 1.2 * float(weights.min())), 2.1 * max(1.0, float(weights.max()))],
        "tickvals": [0, 1],
        "ticktext": ["0", "100 %"],
        "tickangle": 0,
        "title": {"text": "weight on the<br>class token", "standoff": 8},
    }


def _head_ticks(flat: float, low: float, high: float) -> dict[float, str]:
    ticks = {high: number(high), low: number(low), 0.0: "0"}
    return {**ticks, flat: "flat"} if flat / high > 0.1 else ticks


def _head_map(place: int, weights: FloatArray, times: npt.NDArray[Any], name: str, time_title: str) -> go.Heatmap:
    """Return one row of the map; the texts are already escaped."""
    drawn = bin_mean(weights)
    mean = "mean " if len(drawn) < len(weights) else ""
    return go.Heatmap(
        x=time_edges(times),
        y=[place - 0.47, place + 0.47],
        z=drawn[None, :],
        coloraxis="coloraxis",
        name=name,
        hovertemplate=f"<b>{name}</b><br>{time_title}: %{{x{TIME_FORMAT}}}<br>{mean}weight: "
        f"%{{z{VALUE_FORMAT}}}<extra></extra>",
    )


def _token_bars(weights: FloatArray, names: Sequence[str], theme: ThemeName) -> go.Bar:
    return go.Bar(
        x=weights,
        y=np.arange(len(names)),
        orientation="h",
        xaxis="x2",
        yaxis="y",
        marker={"color": faded(THEMES[theme].muted, 0.6)},
        text=[_percent(float(weight)) for weight in weights],
        textposition="outside",
        cliponaxis=False,
        constraintext="none",
        name="class token",
        customdata=[escape(name) for name in names],
        showlegend=False,
        hovertemplate="<b>%{customdata}</b><br>weight on the class token itself: %{x:.2%}<extra></extra>",
    )


def _percent(share: float) -> str:
    return "&lt;0.1 %" if 0 < share < 0.0005 else f"{100 * share:.1f} %"
