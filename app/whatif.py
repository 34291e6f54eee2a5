"""The parts of the What if page: the span, the form of an edit, the lineage, the picture, the counterfactual."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import streamlit as st

from app import jobs, results, slow
from app import span as visible
from app.context import Context
from app.loading import HASHES
from app.parts import plain, theme
from app.plotting.element import Box, draw
from app.slow import DrawnMap
from timemil_core.data.export import file_stem
from timemil_core.errors import SettingsError
from timemil_core.explain.cost import PROBE_TIMEPOINTS
from timemil_core.explain.counterfactual import Counterfactual, counterfactual
from timemil_core.explain.edits import KINDS, Edit, EditedSeries, Elsewhere, Place, elsewhere, place_between
from timemil_core.explain.edits.edit import SETTINGS, EditKind
from timemil_core.explain.edits.place import Times
from timemil_core.explain.examination import Examination
from timemil_core.explain.importance import methods_for
from timemil_core.figures.edited import edited_figure

EDITS_KEY, PICTURE_KEY = "whatif_edits", "whatif_picture"
FROM_KEY, TO_KEY, CHANNELS_KEY, KIND_KEY = "whatif_from", "whatif_to", "whatif_channels", "whatif_kind"
MAP_KEY = "whatif_map"
WIDTH_KEY, SHIFT_KEY, DONOR_KEY = "whatif_width", "whatif_shift", "whatif_donor"
MOST_SERIES_KEPT = 20  # whose edits a session remembers
QUICK = "occlusion"


def edited(chosen: Context) -> EditedSeries:
    """Return the chosen series with this session's edits of it."""
    return EditedSeries(chosen.series_set, chosen.index).with_edits(_kept().get(_key(chosen), ()))


def original_examination(chosen: Context) -> Examination:
    """Return what the model computes of the series as it was."""
    assert chosen.model is not None
    return results.examine(chosen.model, chosen.series_set, chosen.index)


def boxed(box: Box, times: Times) -> tuple[float, float] | None:
    """Return the times of the first and the last point within a box dragged over a chart; None where there is none."""
    inside = times[(times >= box.x[0]) & (times <= box.x[1])]
    return (float(inside[0]), float(inside[-1])) if len(inside) else None


def opening_span(times: Times) -> tuple[float, float]:
    """Return the middle tenth of a series, to open on."""
    n = len(times)
    start = int(0.45 * n)
    return float(times[start]), float(times[min(start + max(n // 10, 1), n) - 1])


def chosen_span(series: EditedSeries) -> tuple[float, float]:
    """Draw the two ends of the span to edit and return them; a box on the chart sets them, too."""
    times = series.times
    first, last = float(times[0]), float(times[-1])
    kept = [st.session_state[key] for key in (FROM_KEY, TO_KEY) if key in st.session_state]
    if _is_other(series) or len(kept) < 2 or not all(first <= end <= last for end in kept):
        st.session_state[FROM_KEY], st.session_state[TO_KEY] = opening_span(times)
    step = (last - first) / max(len(times) - 1, 1) or 1.0
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for label, key in ((f"Span from, {series.series_set.time_unit}", FROM_KEY), ("to", TO_KEY)):
            st.number_input(label, first, last, key=key, step=step, format="%.6g", width=170)
        st.multiselect(
            "Channels",
            range(series.series_set.n_channels),
            format_func=series.series_set.channel_names.__getitem__,
            key=CHANNELS_KEY,
            placeholder="all channels",
            width=300,
        )
    return st.session_state[FROM_KEY], st.session_state[TO_KEY]


def edit_form(series: EditedSeries, asked: tuple[float, float]) -> None:
    """Draw kind and settings of an edit, and the button that applies it."""
    st.markdown("**Edit the span**")
    kind: EditKind = st.selectbox(
        "Edit", list(KINDS), format_func=lambda key: KINDS[key].title, key=KIND_KEY, persist_state="session"
    )
    st.caption(KINDS[kind].help)
    settings = _settings(kind, series, asked)
    st.button(
        "Apply", icon=":material/edit:", type="primary", key="whatif_apply",
        on_click=_apply, args=(series, kind, asked, settings),
    )  # fmt: skip
    if refused := st.session_state.pop("whatif_refused", None):
        st.error(plain(refused), icon=":material/error:")


def lineage(series: EditedSeries) -> None:
    """Draw the edits in order, undo, and what to take away."""
    st.markdown(f"**Lineage** of series {plain(series.original_id)}")
    if not series.edits:
        st.caption("The original.")
        return
    st.markdown("\n".join(f"{place}. {plain(told)}" for place, told in enumerate(series.lineage, start=1)))
    st.caption(f"{series.changed_share:.1%} of time points × channels differ from the original.")
    with st.container(horizontal=True):
        st.button("Undo", icon=":material/undo:", key="whatif_undo", on_click=_keep, args=(series.undone(),))
        st.button(
            "Original", icon=":material/restart_alt:", key="whatif_reset",
            on_click=_keep, args=(EditedSeries(series.series_set, series.index),),
        )  # fmt: skip
        st.download_button(
            "JSON",
            data=lambda: json.dumps(series.to_json(), indent=2).encode(),
            file_name=f"{file_stem(series.series_set.name, series.original_id, 'edits')}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            key="whatif_json",
        )


def picture(chosen: Context, series: EditedSeries, asked: tuple[float, float]) -> None:
    """Draw the signal and the map, before and after; a box dragged over it becomes the span."""
    times = series.times
    visible.controls(chosen.chosen_span, times, chosen.series_set.time_unit)
    maps, title = _maps(chosen, series)
    figure = edited_figure(
        times,
        series.original,
        series.values,
        chosen.series_set.channel_names,
        chosen.series_set.time_unit,
        maps=maps,
        map_title=title,
        selected_span=(min(asked), max(asked)),
        visible_span=chosen.span,
        theme=theme(),
    )
    figure.update_layout(dragmode="select")
    draw(
        figure,
        key=PICTURE_KEY,
        alt=f"Series {series.original_id} before and after {len(series.edits)} edits, and the map of each.",
        on_box=lambda box: _take_box(box, times),
    )


def place_matters(chosen: Context, series: EditedSeries) -> None:
    """Say what the last edit does at other places: whether it is the place that matters."""
    assert chosen.model is not None
    if not series.edits or series.values.shape[1] > PROBE_TIMEPOINTS:
        return
    found = _elsewhere(chosen.model, chosen.series_set, series.index, json.dumps(series.to_json()))
    if found is not None:
        st.caption(plain(found.sentence))


def counterfactual_section(chosen: Context, series: EditedSeries) -> None:
    """Offer the search for a counterfactual, show how far it is, and what it found."""
    assert chosen.model is not None
    model, names = chosen.model, chosen.model.class_names
    st.subheader("What would have to change?")
    before = original_examination(chosen)
    others = [int(label) for label in np.argsort(-before.logits) if label != before.predicted]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = st.selectbox(
            f"For the model to say, instead of {names[before.predicted]}",
            others,
            format_func=names.__getitem__,
            width=300,
        )
        key = ("counterfactual", model.fingerprint, chosen.series_set.fingerprint, chosen.index, target)
        st.button(
            "Find a counterfactual",
            icon=":material/search:",
            key="whatif_search",
            on_click=lambda: jobs.begin(
                key, lambda progress: counterfactual(model, chosen.series_set, chosen.index, target, progress=progress)
            ),
        )
    found: Counterfactual | None = jobs.begun("The search for a counterfactual", key)
    if found is None:
        return
    if found.edited is None:
        st.warning(plain(found.sentence), icon=":material/search_off:")
        return
    st.success(plain(found.sentence), icon=":material/check_circle:")
    st.button(
        "Show it above", icon=":material/arrow_upward:", key="whatif_show", on_click=_keep, args=(found.edited,),
        disabled=found.edited.edits == series.edits,
    )  # fmt: skip


def _maps(chosen: Context, series: EditedSeries) -> tuple[tuple[np.ndarray, np.ndarray] | None, str]:
    assert chosen.model is not None
    methods = {method.key: method.title for method in methods_for(chosen.model)}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        method = st.selectbox(
            "Map", list(methods), index=list(methods).index(QUICK), format_func=methods.__getitem__, key=MAP_KEY,
            width=300, persist_state="session",
        )  # fmt: skip
    # one class for both maps, or they could not be compared
    drawn = DrawnMap(str(method), original_examination(chosen).predicted)
    own = slow.explained(chosen, drawn)
    if not series.edits or own is None:
        return (None if own is None else (own.values, own.values)), "" if own is None else own.name
    changed = Context(series.as_set(), chosen.data, chosen.model, chosen.model_reference, 0)
    theirs = slow.explained(changed, drawn)
    return (None if theirs is None else (own.values, theirs.values)), own.name


def _settings(kind: EditKind, series: EditedSeries, asked: tuple[float, float]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    times, takes = series.times, SETTINGS[kind]
    step = float(times[1] - times[0]) if len(times) > 1 else 1.0
    unit = series.series_set.time_unit
    if takes.get("level"):
        settings["level"] = st.selectbox(
            "Around" if kind == "scale" else "At", takes["level"], key=f"whatif_level_{kind}", persist_state="session"
        )
    if kind == "scale":
        settings["amount"] = st.number_input("Factor", -100.0, 100.0, 2.0, 0.5, key="whatif_factor")
    elif kind == "smooth":
        settings["amount"] = st.number_input(f"Width, {unit}", step, None, 5 * step, step, key=WIDTH_KEY)
    elif kind == "shift":
        settings["amount"] = st.number_input(
            f"Later by, {unit}", None, None, 5 * step, step, key=SHIFT_KEY, help="Below 0: earlier."
        )
    elif kind == "swap":
        names = series.series_set.series_ids
        settings["donor"] = st.selectbox(
            "Other series", names, index=int(series.index == 0 and len(names) > 1), key=DONOR_KEY
        )
        start = int(np.searchsorted(times, min(asked)))
        settings["donor_start"] = int(
            st.number_input("From its time point", 0, None, start, key=f"whatif_from_{start}")
        )
    return settings


def _apply(series: EditedSeries, kind: EditKind, asked: tuple[float, float], settings: dict[str, Any]) -> None:
    n_channels = series.series_set.n_channels
    try:
        place: Place = place_between(series.times, *asked, st.session_state.get(CHANNELS_KEY), n_channels=n_channels)
        _keep(series.with_edit(Edit(kind, place, **settings)))
    except SettingsError as error:
        st.session_state["whatif_refused"] = str(error)


def _kept() -> dict[tuple[str, str], tuple[Edit, ...]]:
    kept: dict[tuple[str, str], tuple[Edit, ...]] = st.session_state.setdefault(EDITS_KEY, {})
    return kept


def _key(chosen: Context) -> tuple[str, str]:
    return chosen.series_set.fingerprint, chosen.series_id


def _keep(series: EditedSeries) -> None:
    kept = _kept()
    kept.pop((series.series_set.fingerprint, series.original_id), None)
    if series.edits:
        kept[series.series_set.fingerprint, series.original_id] = series.edits
    for oldest in list(kept)[:-MOST_SERIES_KEPT]:
        del kept[oldest]


def _is_other(series: EditedSeries) -> bool:
    """Tell whether the page shows another set than before: its times and channels are others."""
    before = st.session_state.get("whatif_set")
    st.session_state["whatif_set"] = series.series_set.fingerprint
    if before == series.series_set.fingerprint:
        return False
    st.session_state[CHANNELS_KEY] = []
    for key in (WIDTH_KEY, SHIFT_KEY, DONOR_KEY):
        st.session_state.pop(key, None)
    return True


def _take_box(box: Box, times: Times) -> None:
    if (span := boxed(box, times)) is not None:
        st.session_state[FROM_KEY], st.session_state[TO_KEY] = span


@st.cache_data(max_entries=64, hash_funcs=HASHES, show_spinner="The same edit at other places …")
def _elsewhere(model: Any, series_set: Any, index: int, content: str) -> Elsewhere | None:
    return elsewhere(model, EditedSeries.from_json(json.loads(content), series_set))
