"""Attention beyond a single series: by class, by head; the prediction it led to, and what its removal does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.decimate import FloatArray, bin_mean, time_edges
from timemil_core.figures.grid import Grid
from timemil_core.figures.importance import anchored_limits, colour_bar
from timemil_core.figures.rows import padded_range
from timemil_core.figures.style import (
    THEMES,
    TIME_FORMAT,
    VALUE_FORMAT,
    ThemeName,
    base_layout,
    class_style,
    empty_figure,
    faded,
)
from timemil_core.figures.text import escape, number, shortened

Curve = tuple[FloatArray, FloatArray, FloatArray]
CLASSES_IN_ONE_PANEL = 4
BAR_HEIGHT = 26
NARROW_BAR_HEIGHT = 20
TOKEN_SHARE = 0.2


def class_mean_figure(
    curves: Mapping[str, Curve],
    positions: FloatArray | None = None,
    *,
    class_indices: Sequence[int] | None = None,
    position_title: str = "relative time (0 = start, 1 = end)",
    quantity: str = "attention, times that of a flat map",
    band: str = "middle half of the series",
    flat: float | None = 1.0,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw each class's mean attention over relative time, with a band.

    Up to four classes share one panel; more have a panel each, on common axes.

    Parameters
    ----------
    curves
        From class name to (mean, low, high), each ``(n_positions,)``.
    positions
        ``(n_positions,)``; by default evenly spaced from 0 to 1.
    class_indices
        Each class's place among all classes, for its colour; by default in the order of ``curves``.
    band
        What low and high enclose; told in the legend.
    flat
        What a flat map has everywhere: drawn as a dashed line.
    """
    if not curves or not all(len(mean) for mean, _, _ in curves.values()):
        return empty_figure("There is no attention to average: no series of any class.", theme, title)
    n_positions = len(next(iter(curves.values()))[0])
    x = np.linspace(0, 1, n_positions) if positions is None else positions
    one_panel = len(curves) <= CLASSES_IN_ONE_PANEL
    grid = Grid(
        1 if one_panel else len(curves), most_columns=1 if one_panel else 4, row_height=300 if one_panel else 110
    )
    everything = np.concatenate([np.concatenate(curve) for curve in curves.values()])
    limits = [0.0, max(padded_range(everything)[1], (flat or 0) * 1.5)]
    for place, (name, curve) in enumerate(curves.items()):
        style = class_style(class_indices[place] if class_indices else place, theme)
        panel = 0 if one_panel else place
        grid.draw(panel, *_banded(x, curve, style.colour, style.dash, escape(name), legend=one_panel))
        if not one_panel:
            grid.label(panel, f"<b>{shortened(name, 28)}</b>")
    if flat is not None:
        for panel in range(grid.n_panels):
            grid.draw(panel, _level(x, flat, f"flat map: {number(flat)}", theme, legend=panel == 0))
    fig = grid.figure(theme, x_title=escape(position_title), y_title=escape(quantity), title=title, y_range=limits)
    fig.add_trace(_legend_band(f"band: {escape(band)}", theme))
    return fig


def _banded(x: FloatArray, curve: Curve, colour: str, dash: str, name: str, *, legend: bool) -> list[go.Scatter]:
    """Return the band and over it the mean; ``name`` is already escaped."""
    mean, low, high = curve
    band = go.Scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([high, low[::-1]]),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=faded(colour, 0.15),
        hoverinfo="skip",
        legendgroup=name,
        showlegend=False,
        name=name,
    )
    line = go.Scatter(
        x=x,
        y=mean,
        mode="lines",
        line={"color": colour, "width": 2, "dash": dash},
        name=name,
        legendgroup=name,
        showlegend=legend,
        customdata=np.stack([low, high], axis=1),
        hovertemplate=f"<b>{name}</b>: %{{y{VALUE_FORMAT}}} (%{{customdata[0]{VALUE_FORMAT}}} to "
        f"%{{customdata[1]{VALUE_FORMAT}}}) at %{{x{TIME_FORMAT}}}<extra></extra>",
    )
    return [band, line]


def _level(x: FloatArray, level: float, name: str, theme: ThemeName, *, legend: bool) -> go.Scatter:
    return go.Scatter(
        x=x[[0, -1]],
        y=np.array([level, level]),
        mode="lines",
        line={"color": THEMES[theme].muted, "width": 1.5, "dash": "dash"},
        name=name,
        legendgroup="level",
        showlegend=legend,
        hoverinfo="skip",
    )


def _legend_band(name: str, theme: ThemeName) -> go.Scatter:
    marker = {"symbol": "square", "size": 13, "color": faded(THEMES[theme].muted, 0.3)}
    return go.Scatter(x=[None], y=[None], mode="markers", marker=marker, name=name, showlegend=True)


def head_figure(
    rows: FloatArray,
    times: npt.NDArray[Any],
    time_unit: str = "time point",
    *,
    row_names: Sequence[str] | None = None,
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
    """
    if rows.size == 0 or len(times) == 0:
        return empty_figure("There are no heads to draw.", theme, title)
    names = [f"head {place + 1}" for place in range(len(rows))] if row_names is None else row_names
    flat = 1 / rows.shape[1]
    low, high = anchored_limits(rows[:, 1:], flat)
    height = int(np.clip(len(rows) * 34, 130, 600))
    maps = [
        _head_map(place, weights, times, escape(name), escape(time_unit))
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
    return base_layout(fig, theme, height=height + 96, title=title, right=96, top=20, bottom=76)


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


def probabilities_figure(
    probabilities: FloatArray,
    class_names: Sequence[str],
    true_class: int | str | None = None,
    predicted: int | str | None = None,
    *,
    quantity: str = "probability",
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a bar a class; the true and the predicted class are told in words.

    Parameters
    ----------
    probabilities
        ``(n_classes,)`` in [0, 1].
    true_class, predicted
        Indices into ``class_names``, or the names; None where not known.
    """
    if len(probabilities) == 0:
        return empty_figure("There are no classes.", theme, title)
    colours = THEMES[theme]
    true_class, predicted = (_class_index(which, class_names) for which in (true_class, predicted))
    ticks = [_class_tick(place, name, true_class, predicted) for place, name in enumerate(class_names)]
    fills = [colours.heat_line if place == predicted else faded(colours.muted, 0.45) for place in range(len(ticks))]
    outlines = [colours.truth if place == true_class else fills[place] for place in range(len(ticks))]
    fig = go.Figure(
        go.Bar(
            x=probabilities,
            y=np.arange(len(ticks)),
            orientation="h",
            marker={"color": fills, "line": {"color": outlines, "width": 2}},
            text=["&lt;0.001" if 0 < share < 0.0005 else f"{share:.3f}" for share in probabilities],
            textposition="outside",
            cliponaxis=False,
            customdata=[escape(name) for name in class_names],
            hovertemplate=f"<b>%{{customdata}}</b><br>{escape(quantity)}: %{{x:.4f}}<extra></extra>",
            showlegend=False,
        )
    )
    fig.update_xaxes(range=[0, 1], title={"text": escape(quantity), "standoff": 8}, zeroline=False, fixedrange=True)
    fig.update_yaxes(
        tickvals=list(range(len(ticks))),
        ticktext=ticks,
        range=[len(ticks) - 0.5, -0.5],
        showgrid=False,
        fixedrange=True,
        zeroline=False,
    )
    height = max(len(ticks), 2) * (BAR_HEIGHT if len(ticks) <= 12 else NARROW_BAR_HEIGHT)
    return base_layout(fig, theme, height=height + 64, title=title, left=80, right=52, top=10, bottom=54)


def _class_index(which: int | str | None, class_names: Sequence[str]) -> int | None:
    """Return the place of a class that is given by its place or its name; None for a name that is not there."""
    if isinstance(which, str):
        return list(class_names).index(which) if which in class_names else None
    return which


def _class_tick(place: int, name: str, true_class: int | None, predicted: int | None) -> str:
    roles = [role for role, which in (("predicted", predicted), ("true", true_class)) if place == which]
    label = shortened(name, 22)
    return f"<b>{label}</b><br><span style='font-size:11px'>{' and '.join(roles)}</span>" if roles else label


def deletion_figure(
    shares: FloatArray,
    curve: FloatArray,
    random_mean: FloatArray,
    low: FloatArray,
    high: FloatArray,
    quantity: str,
    filler: str,
    *,
    method_name: str = "most relevant first",
    random_name: str = "random blocks",
    band: str = "5 to 95 %",
    mode: Literal["deletion", "insertion"] = "deletion",
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw how a prediction changes while time points are removed (or restored), against random orders.

    Parameters
    ----------
    shares
        ``(n_steps,)`` in [0, 1]: the share of time points removed or restored.
    curve
        ``(n_steps,)``: the prediction when the most relevant go first.
    random_mean, low, high
        ``(n_steps,)``: the mean of random orders and their band.
    quantity
        What is predicted: ``"probability of walking"``.
    filler
        What stands in for removed time points; named on the axis.
    """
    if len(shares) == 0:
        return empty_figure("Nothing was removed yet.", theme, title)
    verb = {"deletion": "removed", "insertion": "restored"}[mode]
    colours = THEMES[theme]
    position = f"share of time points {verb}"
    random, method = f"{escape(random_name)}: mean and {escape(band)}", escape(method_name)
    fig = go.Figure(
        [
            *_banded(shares, (random_mean, low, high), colours.muted, "dash", random, legend=True),
            go.Scatter(
                x=shares,
                y=curve,
                mode="lines+markers",
                line={"color": colours.heat_line, "width": 2.5},
                marker={"size": 6},
                name=method,
                hovertemplate=f"<b>{method}</b>: %{{y{VALUE_FORMAT}}}, %{{x:.0%}} {verb}<extra></extra>",
            ),
        ]
    )
    fig.update_xaxes(
        title={"text": f"{position}<br>(filled with: {escape(filler)})", "standoff": 8},
        tickformat=".0%",
        range=[float(shares.min()), float(shares.max())],
        zeroline=False,
    )
    fig.update_yaxes(title={"text": shortened(quantity, 40), "standoff": 8}, zeroline=False)
    fig.update_layout(hovermode="x")
    return base_layout(fig, theme, height=340, title=title, bottom=72)
