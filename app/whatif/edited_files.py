"""An edited series to take away: its values, its lineage, and the report and the script that begin with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import pandas as pd
import streamlit as st

from app.ask import model_of
from app.common import downloads
from app.common.context import Context
from app.common.drawn_map import DrawnMap
from app.common.parts import theme
from timemil_core.data.export import file_stem
from timemil_core.data.formulas import guarded
from timemil_core.explain.edits import EditedSeries
from timemil_core.reports.findings import Asked, find
from timemil_core.reports.page import report
from timemil_core.reports.script import script


def edited_table(series: EditedSeries) -> pd.DataFrame:
    """Return a row a time point: its time, and each channel as it was and as it is now."""
    series_set = series.series_set
    columns = {series_set.time_unit: series.times}
    for name, before, after in zip(series_set.channel_names, series.original, series.values, strict=True):
        columns[guarded(f"{name}, original")], columns[guarded(f"{name}, edited")] = before, after
    return pd.DataFrame(columns)


def asked(chosen: Context, series: EditedSeries, drawn: DrawnMap) -> Asked:
    """Return what a report has to ask to find the edited series and its map again."""
    return replace(downloads.asked(chosen, drawn), edits=series.edits)


def offered(chosen: Context, series: EditedSeries, drawn: DrawnMap) -> None:
    """Offer all of it; files are made when asked for."""
    model, series_set, colours = model_of(chosen), chosen.series_set, theme()
    question = asked(chosen, series, drawn)
    stem = file_stem(series_set.name, series.original_id, "edited" if series.edits else "original")
    with st.container(horizontal=True):
        _file("CSV", lambda: edited_table(series).to_csv(index=False).encode(), f"{stem}.csv", "text/csv",
              "A row a time point: each channel as it was, and as it is now.")  # fmt: skip
        _file("JSON", lambda: json.dumps(series.to_json(), indent=2).encode(), f"{stem}.json", "application/json",
              "The lineage: what was done to which series of which data. The commands `explain` and `report` do it "
              "again with `--edits`.")  # fmt: skip
        _file("Report", lambda: report(model, series_set, find(model, series_set, question), colours),
              f"{stem}-report.html", "text/html",
              "Pictures before and after, lineage, numbers, settings and versions in one page that opens without a "
              "network.")  # fmt: skip
        _file("Script", lambda: script(model, series_set, question, colours).encode(), f"{stem}.py", "text/x-python",
              "The Python that makes the edited series, its map and its numbers again.")  # fmt: skip


_ICONS: dict[str, Literal[":material/download:", ":material/description:", ":material/code:"]] = {
    "Report": ":material/description:",
    "Script": ":material/code:",
}


def _file(label: str, data: Callable[[], bytes], name: str, mime: str, told: str) -> None:
    st.download_button(
        label,
        data=data,
        file_name=name,
        mime=mime,
        icon=_ICONS.get(label, ":material/download:"),
        on_click="ignore",
        key=f"whatif_{label.lower()}",
        help=told,
    )
