"""What can be taken away from a page: the numbers as CSV, the picture as HTML and, where a Chromium is found, PNG."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from app.context import Context
from timemil_core.data.export import file_stem
from timemil_core.data.formulas import guarded
from timemil_core.explain.importance import Importance
from timemil_core.figures.export import can_draw_png, to_html, to_png


def map_table(chosen: Context, importance: Importance) -> pd.DataFrame:
    """Return the drawn map with its time axis and the signal, a row a time point."""
    values = chosen.series_set.series[chosen.index]
    table = pd.DataFrame({chosen.series_set.time_unit: chosen.series_set.times(chosen.index)})
    for name, channel in zip(chosen.series_set.channel_names, values, strict=True):
        table[guarded(name)] = channel
    table[importance.name] = importance.values
    if chosen.series_set.instance_labels is not None:
        table["instance label"] = chosen.series_set.instance_labels[chosen.index].astype(int)
    return table


def map_downloads(chosen: Context, importance: Importance, figure: go.Figure) -> None:
    """Offer the map as CSV and the picture as HTML or PNG; the files are made when asked for."""
    stem = file_stem(chosen.series_set.name, chosen.series_id, importance.name)
    with st.container(horizontal=True):
        st.download_button(
            "CSV",
            data=lambda: map_table(chosen, importance).to_csv(index=False).encode(),
            file_name=f"{stem}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            key="map_csv",
        )
        figure_downloads(figure, stem, f"{importance.name}: {chosen.series_set.name}, series {chosen.series_id}")


def figure_downloads(figure: go.Figure, stem: str, title: str, *, key: str = "figure") -> None:
    """Offer a figure as HTML that opens offline, and as PNG where it can be drawn."""
    st.download_button(
        "HTML",
        data=lambda: to_html(figure, title),
        file_name=f"{stem}.html",
        mime="text/html",
        icon=":material/download:",
        on_click="ignore",
        key=f"{key}_html",
        help="Opens in any browser without a network.",
    )
    if can_draw_png():
        st.download_button(
            "PNG",
            data=lambda: to_png(figure) or b"",
            file_name=f"{stem}.png",
            mime="image/png",
            icon=":material/download:",
            on_click="ignore",
            key=f"{key}_png",
        )
