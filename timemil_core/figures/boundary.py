"""Instances on a plane of two principal components, over the regions that a classifier sees there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.importance import colour_bar
from timemil_core.figures.picking import as_ids
from timemil_core.figures.style import (
    THEMES,
    TIME_FORMAT,
    VALUE_FORMAT,
    ThemeName,
    base_layout,
    class_style,
    empty_figure,
)
from timemil_core.figures.text import escape

HEIGHT = 520
FEW_POINTS = 3000
MOST_POINTS = 6000  # of SVG: a browser draws more too slowly
BORDER = 0.5

IndexArray = npt.NDArray[np.integer[Any]]


def boundary_figure(
    points: FloatArray,
    labels: IndexArray,
    label_names: Sequence[str],
    series_index: IndexArray,
    timepoint: IndexArray,
    series_names: Sequence[str],
    times: npt.NDArray[Any],
    regions: FloatArray,
    grid_x: FloatArray,
    grid_y: FloatArray,
    explained: Sequence[float] | FloatArray,
    region_title: str,
    *,
    selected_ids: Iterable[tuple[int, int]] | None = None,
    selected_title: str = "picked",
    time_unit: str = "time point",
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw instances over the regions of the plane.

    Parameters
    ----------
    points
        ``(n, 2)`` coordinates on the principal components.
    labels
        ``(n,)`` indices into ``label_names``.
    series_index, timepoint
        ``(n,)``: which of ``series_names`` an instance comes from, and which time point of it: its id.
    times
        ``(n,)``: when that is, in ``time_unit``.
    regions
        ``(len(grid_y), len(grid_x))`` in [0, 1]: what the classifier says at each place, 1 for the positive class.
    explained
        ``(2,)``: the share of variance of each component, in [0, 1].
    region_title
        What ``regions`` holds, for the colour bar: ``"probability of walking"``.
    selected_ids, selected_title
        Ids to ring, and what to call them in the legend.

    Returns
    -------
    go.Figure
        The points' ``customdata`` is ``[series_index, timepoint]``. Of more than 6000 instances evenly many are left
        out; the legend tells how many of each label are drawn, and of how many.
    """
    if len(points) == 0:
        return empty_figure("There are no instances to draw.", theme, title)
    step = -(-len(points) // MOST_POINTS)
    drawn = np.arange(0, len(points), step)
    labels = labels.astype(np.int64)
    ids = np.stack([series_index, timepoint], axis=1)
    fig = go.Figure([_region(regions, grid_x, grid_y, region_title, theme), _border(regions, grid_x, grid_y, theme)])
    for label, name in enumerate(label_names):
        which = drawn[labels[drawn] == label]
        of = int((labels == label).sum())
        fig.add_trace(
            _points(points[which], ids[which], times[which], series_names, label, escape(name), of, time_unit, theme)
        )
    if selected_ids is not None:
        fig.add_trace(_rings(points, ids, selected_ids, escape(selected_title), theme))
    fig.update_xaxes(_component_axis(1, grid_x, explained[0]))
    fig.update_yaxes(_component_axis(2, grid_y, explained[1]))
    return base_layout(fig, theme, height=HEIGHT, title=title, right=96)


def _component_axis(place: int, grid: FloatArray, share: float) -> dict[str, Any]:
    return {
        "title": {"text": f"principal component {place} ({100 * share:.0f} % of variance)", "standoff": 8},
        "range": [float(grid[0]), float(grid[-1])],
        "showgrid": False,
        "zeroline": False,
    }


def _region(
    regions: FloatArray, grid_x: FloatArray, grid_y: FloatArray, region_title: str, theme: ThemeName
) -> go.Heatmap:
    return go.Heatmap(
        x=grid_x,
        y=grid_y,
        z=regions,
        zmin=0,
        zmax=1,
        zsmooth="best",
        colorscale=THEMES[theme].signed_behind,
        opacity=0.45,
        colorbar=colour_bar(region_title, top=1.0, length=220, ticks={0.0: "0", BORDER: "0.5", 1.0: "1"}),
        hoverinfo="skip",
        name="regions",
    )


def _border(regions: FloatArray, grid_x: FloatArray, grid_y: FloatArray, theme: ThemeName) -> go.Contour:
    return go.Contour(
        x=grid_x,
        y=grid_y,
        z=regions,
        contours={
            "type": "constraint",
            "operation": "=",
            "value": BORDER,
            "showlabels": True,
            "labelfont": {"size": 12, "color": THEMES[theme].text},
        },
        fillcolor="rgba(0,0,0,0)",
        line={"color": THEMES[theme].text, "width": 2},
        name="border (0.5)",
        showlegend=True,
        showscale=False,
        hoverinfo="skip",
    )


def _points(
    points: FloatArray,
    ids: npt.NDArray[Any],
    times: npt.NDArray[Any],
    series_names: Sequence[str],
    label: int,
    name: str,
    of: int,
    time_unit: str,
    theme: ThemeName,
) -> go.Scatter:
    """Return the points of one label; ``name`` is already escaped, ``of`` counts those that are not drawn too."""
    style = class_style(label, theme)
    few = len(points) <= FEW_POINTS
    return go.Scatter(
        x=points[:, 0],
        y=points[:, 1],
        customdata=as_ids(ids),
        text=times,
        hovertext=[escape(series_names[series]) for series, _ in ids],
        mode="markers",
        marker={
            "color": style.colour,
            "symbol": style.symbol,
            "size": 7 if few else 4,
            "opacity": 0.85 if few else 0.5,
            "line": {"color": THEMES[theme].page, "width": 0.6 if few else 0},
        },
        selected={"marker": {"opacity": 1.0, "size": 10}},
        unselected={"marker": {"opacity": 0.35}},
        name=f"{name} ({of:,})" if of == len(points) else f"{name} ({len(points):,} of {of:,} drawn)",
        showlegend=True,
        hovertemplate=f"<b>{name}</b><br>series: %{{hovertext}}<br>{escape(time_unit)}: %{{text{TIME_FORMAT}}}<br>"
        f"(%{{x{VALUE_FORMAT}}}, %{{y{VALUE_FORMAT}}})<extra></extra>",
    )


def _rings(
    points: FloatArray, ids: npt.NDArray[Any], selected_ids: Iterable[tuple[int, int]], title: str, theme: ThemeName
) -> go.Scatter:
    wanted = set(selected_ids)
    ringed = [place for place, (series, time) in enumerate(ids) if (int(series), int(time)) in wanted]
    return go.Scatter(
        x=points[ringed, 0],
        y=points[ringed, 1],
        mode="markers",
        marker={
            "symbol": "circle-open",
            "size": 15,
            "color": THEMES[theme].text,
            "line": {"width": 2, "color": THEMES[theme].text},
        },
        unselected={"marker": {"opacity": 1.0}},
        name=f"{title} ({len(ringed)})",
        showlegend=True,
        hoverinfo="skip",
    )
