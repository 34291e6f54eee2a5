"""The signal and the map of it, before and after; and how far each of the two maps can be believed."""

from __future__ import annotations

from functools import partial

import plotly.graph_objects as go
import streamlit as st

from app.ask import model_of
from app.common import drawn_map, trust
from app.common import span as visible
from app.common.chart import draw
from app.common.context import Context, truth
from app.common.drawn_map import DrawnMap
from app.common.parts import guarded, plain, theme
from app.whatif import edited_files, edits
from app.whatif.place import take_box
from timemil_core.explain.edits import EditedSeries, Place
from timemil_core.explain.evaluation.ranking import opening_method
from timemil_core.explain.importance import Importance, methods_for
from timemil_core.figures.edited import edited_figure

MAP_KEY = "whatif_map"

Maps = tuple[Importance | None, Importance | None]
"""Of the original and of the edited series, the same method for the same class; None where not computed."""


def chosen_map(chosen: Context) -> DrawnMap:
    """Draw the choice of a map and return it: of one class for both series, or they could not be compared."""
    model = model_of(chosen)
    first = opening_method(model, chosen.series_set)
    methods = {method.key: method.title for method in methods_for(model)}
    method = st.selectbox(
        "Map",
        list(methods),
        index=list(methods).index(first),
        format_func=methods.__getitem__,
        key=MAP_KEY,
        width=300,
        persist_state="session",
        help="It opens on the method that measured best for this model, occlusion where none was measured.",
    )
    return DrawnMap(method or first, edits.original_examination(chosen).predicted)


def picture(chosen: Context, series: EditedSeries, changed: Context, place: Place, drawn: DrawnMap) -> Maps:
    """Draw the signal and the map, before and after; a box dragged over it becomes the place to edit."""
    times = series.times
    if visible.is_thinned(times):
        visible.controls(chosen.span, times, chosen.series_set.axis)
    own = drawn_map.explained(chosen, drawn)
    theirs = drawn_map.explained(changed, drawn) if series.edits and own is not None else None
    figure = _figure(chosen, series, place, (own, theirs))
    draw(
        figure,
        key="whatif_picture",
        alt=f"Series {series.original_id} before and after {len(series.edits)} edits, and the map of each.",
        zoom=not visible.is_thinned(times),
        on_box=partial(take_box, times, dict(figure.layout.meta["channels"])),
    )
    if own is not None:
        st.caption(plain(own.note))
        edited_files.offered(chosen, series, drawn)
    return own, theirs


def believed(chosen: Context, changed: Context, drawn: DrawnMap, maps: Maps) -> None:
    """Say of each map how far it points at what the model uses."""
    for name, which, importance in zip(("original", "edited series"), (chosen, changed), maps, strict=True):
        if importance is None:
            continue
        with guarded("What this series shows"):
            found = trust.measured(which, drawn, importance)
            if found is not None:
                st.markdown(f"**How far to trust the map of the {name}**")
                trust.verdict(which, drawn, found)


def _figure(chosen: Context, series: EditedSeries, place: Place, maps: Maps) -> go.Figure:
    own, theirs = maps
    times = series.times
    figure = edited_figure(
        times,
        series.original,
        series.values,
        chosen.series_set.channel_names,
        chosen.series_set.time_unit,
        maps=None if own is None else (own.values, None if theirs is None else theirs.values),
        map_title="" if own is None else own.name,
        map_unit="importance" if own is None else own.unit,
        truth=truth(chosen.series_set, chosen.index),
        selected_span=(float(times[place.start]), float(times[place.stop - 1])),
        visible_span=chosen.span,
        theme=theme(),
    )
    return figure.update_layout(dragmode="select")
