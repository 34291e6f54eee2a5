"""What can be taken away from a page: numbers as CSV and NPZ, pictures as HTML and, where a Chromium is found, PNG."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from app.common import trust
from app.common.context import Context
from app.common.drawn_map import DrawnMap
from app.common.parts import theme
from timemil_core.data.export import file_stem
from timemil_core.explain.importance import Importance
from timemil_core.figures.export import can_draw_png, to_html, to_png
from timemil_core.models.trained import TrainedModel
from timemil_core.reports.findings import Asked, find
from timemil_core.reports.page import report
from timemil_core.reports.script import script
from timemil_core.reports.tables import map_csv, map_npz


def asked(chosen: Context, drawn: DrawnMap) -> Asked:
    """Return what a report has to ask to find the drawn map again."""
    assert chosen.model is not None
    return Asked(
        data=chosen.data,
        model=chosen.model_reference,
        series=chosen.series_id,
        method=drawn.method,
        target=chosen.model.class_names[drawn.target],
        filler=trust.filler(chosen),
        settings={name: value for name, value in drawn.settings.items() if value is not None},
    )


def map_downloads(
    chosen: Context, drawn: DrawnMap, importance: Importance, figure: go.Figure, *, key: str = ""
) -> None:
    """Offer the map as CSV and NPZ, the picture as HTML or PNG, a report and a script; files are made when asked for.

    ``key`` tells the buttons of several maps of a page apart.
    """
    series_set, series = chosen.series_set, chosen.series
    stem = file_stem(series_set.name, chosen.series_id, importance.name)
    with st.popover("Download", icon=":material/download:", key=f"downloads{key}"):
        st.download_button(
            "CSV",
            data=lambda: map_csv(series_set, chosen.index, series, importance),
            file_name=f"{stem}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            key=f"map_csv{key}",
            help="A row a time point: signal and map, by channel where the map tells them apart.",
        )
        st.download_button(
            "NPZ",
            data=lambda: map_npz(series_set, chosen.index, series, importance),
            file_name=f"{stem}.npz",
            mime="application/octet-stream",
            icon=":material/download:",
            on_click="ignore",
            key=f"map_npz{key}",
            help="The same as NumPy arrays.",
        )
        title = f"{importance.name}: {series_set.name}, series {chosen.series_id}"
        figure_downloads(figure, stem, title, key=f"figure{key}")
        if chosen.model is not None:
            _report_downloads(chosen, chosen.model, asked(chosen, drawn), stem, key)


def _report_downloads(chosen: Context, model: TrainedModel, question: Asked, stem: str, key: str) -> None:
    colours, series_set = theme(), chosen.series_set
    st.download_button(
        "Report",
        data=lambda: report(model, series_set, find(model, series_set, question), colours),
        file_name=f"{stem}-report.html",
        mime="text/html",
        icon=":material/description:",
        on_click="ignore",
        key=f"map_report{key}",
        help="Pictures, numbers, settings and versions in one page that opens without a network.",
    )
    st.download_button(
        "Script",
        data=lambda: script(model, series_set, question, colours).encode(),
        file_name=f"{stem}.py",
        mime="text/x-python",
        icon=":material/code:",
        on_click="ignore",
        key=f"map_script{key}",
        help="The Python that finds this map and its numbers again.",
    )


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
