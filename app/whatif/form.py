"""What to do to the span: the kind of edit, its settings, and the button that does it."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from app.common.context import Context
from app.common.parts import plain
from app.common.sidebar import series_labels
from app.whatif import edits
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.edits import KINDS, Edit, EditedSeries, Place
from timemil_core.explain.edits.edit import SETTINGS, EditKind
from timemil_core.explain.edits.place import Times

LEVELS = {"span mean": "the span's mean", "series mean": "the series' mean", "zero": "0"}
KIND_KEY, REFUSED_KEY = "whatif_kind", "whatif_refused"


def chosen_edit(chosen: Context, series: EditedSeries, place: Place) -> None:
    """Draw kind and settings of an edit, and the button that applies it."""
    kind: EditKind = st.selectbox(
        "Edit",
        list(KINDS),
        format_func=lambda key: KINDS[key].title,
        key=KIND_KEY,
        persist_state="session",
        width=210,
        help="\n".join(f"- **{one.title}**: {one.help}" for one in KINDS.values()),
    )
    settings = _settings(kind, chosen.series_set, series.times, chosen.index, place)
    st.button(
        "Apply",
        icon=":material/edit:",
        type="primary",
        key="whatif_apply",
        on_click=_apply,
        args=(series, kind, place, settings),
    )


def refusal() -> None:
    """Say why the last edit was not possible, if it was not."""
    if refused := st.session_state.pop(REFUSED_KEY, None):
        st.error(plain(refused), icon=":material/error:")


def other_class(series_set: SeriesSet, index: int) -> int:
    """Return the first series of another class, to borrow from; else the first other series, else the series itself."""
    others = np.delete(np.arange(len(series_set)), index)
    unlike = others[series_set.labels[others] != series_set.labels[index]]
    return int(unlike[0]) if len(unlike) else int(others[0]) if len(others) else index


def _settings(kind: EditKind, series_set: SeriesSet, times: Times, index: int, place: Place) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    step = float(np.median(np.diff(times))) if len(times) > 1 else 1.0
    # widgets of one set would keep amounts that mean nothing in another
    key, unit = f"whatif_{series_set.fingerprint}", series_set.time_unit
    if levels := SETTINGS[kind].get("level"):
        label = "Around" if kind == "scale" else "At"
        settings["level"] = st.selectbox(
            label, levels, format_func=LEVELS.__getitem__, key=f"whatif_level_{kind}",
            persist_state="session", width=180,
        )  # fmt: skip
    if kind == "scale":
        settings["amount"] = st.number_input("Factor", -100.0, 100.0, 2.0, 0.5, key="whatif_factor", width=130)
    elif kind == "smooth":
        settings["amount"] = st.number_input(
            f"Width, {unit}", step, None, 5 * step, step, key=f"{key}_width", width=150, format="%.6g"
        )
    elif kind == "shift":
        settings["amount"] = st.number_input(
            f"Later by, {unit}", None, None, 5 * step, step, key=f"{key}_shift", width=150, format="%.6g",
            help="Below 0: earlier.",
        )  # fmt: skip
    elif kind == "swap":
        settings |= _donor(series_set, index, place, key)
    return settings


def _donor(series_set: SeriesSet, index: int, place: Place, key: str) -> dict[str, Any]:
    donor = st.selectbox(
        "Other series",
        series_set.series_ids,
        index=other_class(series_set, index),
        format_func=series_labels(series_set).__getitem__,
        key=f"{key}_donor",
        width=260,
    )
    start = st.number_input(
        "From its time point", 0, None, place.start, key=f"{key}_from_{place.start}", width=160,
        help="Counted from 0. It opens on the time point at which the span begins.",
    )  # fmt: skip
    return {"donor": donor, "donor_start": int(start)}


def _apply(series: EditedSeries, kind: EditKind, place: Place, settings: dict[str, Any]) -> None:
    try:
        edits.keep(series.with_edit(Edit(kind, place, **settings)))
    except SettingsError as error:
        st.session_state[REFUSED_KEY] = str(error)
