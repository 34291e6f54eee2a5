"""A Plotly figure as an element that is updated in place, which ``st.plotly_chart`` is not.

Streamlit names its own chart by what it shows, so each new figure is a new element that the browser builds from
nothing; at 6 channels of 20,000 time points that took most of the step to another series. Here the element is named by
its key alone, and the browser hands the next figure to ``Plotly.react``. The Plotly that draws is its makers' own
bundle of the kinds of traces in a plane, which Streamlit serves from ``app/static``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from timemil_core.figures.style import CHART_CONFIG

POINTS, BOX = "points", "box"
LIBRARY = "app/static/plotly-cartesian.min.js"
_CHART = st.components.v2.component(
    "timemil.chart", js=Path(__file__).with_name("chart.js").read_text(encoding="utf-8"), isolate_styles=False
)


@dataclass(frozen=True)
class Box:
    """A box that was dragged over a chart: its ends in the units of the axes, and the names of these (``y3``)."""

    x: tuple[float, float]
    y: tuple[float, float]
    x_axis: str
    y_axis: str


def draw(
    figure: go.Figure,
    *,
    key: str,
    alt: str,
    pick: bool = False,
    on_box: Callable[[Box], None] | None = None,
    zoom: bool = True,
) -> list[dict[str, Any]]:
    """Draw a figure and return the points that are picked in it.

    Parameters
    ----------
    figure
        The figure. Another figure under the same key replaces it in place; zoom and picked points end with it.
    key
        The element's name.
    alt
        What the picture shows, for those who cannot see it.
    pick
        Points can be picked, by a click or by a box around them.
    on_box
        Called before the page runs when a box was dragged over the chart.
    zoom
        Offer the browser's own zoom, which enlarges what was drawn and brings no further points.

    Returns
    -------
    list of dict
        ``x``, ``y``, ``curve_number``, ``point_index`` and ``customdata`` of each picked point.
    """
    figure_text = figure.to_json(validate=False)
    version = hashlib.blake2b(figure_text.encode(), digest_size=8).hexdigest()
    select = POINTS if pick else BOX if on_box is not None else ""
    asked = {"library": LIBRARY, "alt": alt, "name": key, "select": select, "zoom": zoom, "version": version}
    asked["config"] = CHART_CONFIG
    state = _CHART(
        key=key,
        data=f'{json.dumps(asked)[:-1]}, "figure": {figure_text}}}'.encode(),
        # a state is kept only where somebody asks to be called
        on_points_change=lambda: None,
        on_box_change=lambda: None if on_box is None else _tell(key, on_box),
    )
    chosen = state.get(POINTS) or {}
    # Points that were picked in the figure before this one are not points of this one.
    return chosen["points"] if chosen.get("version") == version else []


def link_points(figure: go.Figure, times: Sequence[Sequence[Any]]) -> None:
    """Let each point of a figure and its time on `link_signal`'s show each other when one of them is pointed at.

    ``times[series][timepoint]`` is the time of the point whose ``customdata`` begins with these two.
    """
    figure.update_layout(meta={"linked": {"times": times}})


def link_signal(figure: go.Figure, series: int) -> None:
    """Let the time axis of a figure belong to a series of `link_points`."""
    figure.update_layout(meta={"linked": {"series": series}})


def _tell(key: str, on_box: Callable[[Box], None]) -> None:
    if (found := st.session_state[key].get(BOX)) is not None:
        on_box(Box(tuple(sorted(found["x"])), tuple(sorted(found["y"])), found["xref"], found["yref"]))
