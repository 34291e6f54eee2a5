"""Series: all of them at a glance, sorted, filtered, confused ones by a click; a row opens in Attention."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app import ask
from app.ask import model_of
from app.common import context, state
from app.common.context import Context
from app.common.navigator import classified
from app.common.parts import empty_state, guarded, plain, split, theme
from timemil_core.data.series_set import UNKNOWN_LABEL, BoolArray, IntArray
from timemil_core.explain.cost import beginning
from timemil_core.explain.evaluation.ranking import Ranking, known_ranking, opening_method
from timemil_core.explain.importance import METHODS, Importance, explain
from timemil_core.explain.progress import Progress
from timemil_core.explain.scale import scale_of
from timemil_core.explain.workbench import Classified
from timemil_core.figures.thumbnail import thumbnail

SHOW_KEY, CLASS_KEY, TABLE_KEY, CONFUSION_KEY = "show", "true_class", "series_table", "confusion"
WRONG, UNSURE, TEST, TRAIN = "wrong", "unsure", "test part", "training part"
ANY = "any class"
MOST_PICTURES = 300
ROW_HEIGHT = 52
PIXELS_A_LETTER, ROOM_BESIDE = 8, 260  # of the confusion matrix: its names, and what is free beside the table
OPEN_KEY = "open_series"


def page() -> None:
    """Draw the page."""
    with st.container(horizontal=True, vertical_alignment="center", key="top"):
        st.title("Series", width="content")
        filters = st.container(horizontal=True, vertical_alignment="center")
    chosen = context.load()
    if chosen.model is None:
        empty_state(
            f"No model has been trained on **{plain(chosen.series_set.name)}** yet, so nothing is predicted. Train "
            "one, or choose another data set in the sidebar.",
        )
        return
    told = classified(chosen)
    if told is None:
        return
    with filters:
        kept = _filtered(chosen, told)
    place = st.container()
    left, right = _room(model_of(chosen).class_names)
    with right, guarded("The confusion matrix"):
        kept &= _confusion(chosen, told)
    rows = np.flatnonzero(kept)
    rows = rows[np.lexsort((told.lead[rows], ~told.wrong[rows]))]  # first the wrong ones, then the least sure
    with place:
        st.markdown(
            f"{len(rows)} of {len(kept)} series, the wrong ones first, then the least sure. "
            f"{_right_by_part(chosen, told)}Click the box at the left of a row to open it in Attention."
        )
    with left, guarded("The table of series"):
        if len(rows):
            _table(chosen, told, rows)
        else:
            st.markdown("No series fits: take a filter off, or click the cell again.")


def _room(class_names: Sequence[str]) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return places for the table and for the confusion matrix: beneath it where names would not fit beside it."""
    if PIXELS_A_LETTER * (max(map(len, class_names)) + sum(map(len, class_names))) > ROOM_BESIDE:
        return st.container(), st.container()
    left, right = split([2.5, 1.2], "series")
    return left, right


def _right_by_part(chosen: Context, told: Classified) -> str:
    """Say how many of each part are right: those that were learned from tell little of new ones."""
    known = told.true != UNKNOWN_LABEL
    own = {word: known & (chosen.series_set.split == part) for part, word in (("test", "test"), ("train", "training"))}
    said = [
        f"{int((one & ~told.wrong).sum())} of {int(one.sum())} {word} series" for word, one in own.items() if one.any()
    ]
    return f"Right: {', '.join(said)}. " if said else ""


def _filtered(chosen: Context, told: Classified) -> BoolArray:
    """Draw the filters and return ``(n_series,)``: which series they keep."""
    part, names = chosen.series_set.split, model_of(chosen).class_names
    asked = st.pills(
        "Show only", [WRONG, UNSURE, TEST, TRAIN], selection_mode="multi", key=SHOW_KEY, bind="query-params",
        label_visibility="collapsed", help="Unsure: a second class comes within 20 per cent points.",
    )  # fmt: skip
    true = st.selectbox(
        "True class", [ANY, *names], key=CLASS_KEY, bind="query-params", width=170, label_visibility="collapsed"
    )
    kept = np.ones(len(part), dtype=np.bool_)
    masks = {WRONG: told.wrong, UNSURE: told.unsure, TEST: part == "test", TRAIN: part == "train"}
    for name in asked or []:
        kept &= masks[name]
    return kept & (told.true == names.index(true)) if true in names else kept


def _confusion(chosen: Context, told: Classified) -> BoolArray:
    """Draw how often each class was taken for each, and return which series the picked cell keeps."""
    names = list(model_of(chosen).class_names)
    counts = pd.DataFrame(told.confusion(len(names)), index=[f"is {name}" for name in names], columns=names)
    st.markdown("**Taken for** (a cell filters)")
    picked = st.dataframe(
        counts, key=CONFUSION_KEY, on_select="rerun", selection_mode="single-cell",
        alt="How many series of each true class (row) the model gave each class (column).",
    )  # fmt: skip
    kept = np.ones(len(told.true), dtype=np.bool_)
    for row, column in picked.selection.cells:
        if column in names:
            kept &= (told.true == row) & (told.predicted == names.index(column))
    return kept


def _table(chosen: Context, told: Classified, rows: IntArray) -> None:
    series_set, model = chosen.series_set, model_of(chosen)
    names = [*model.class_names, "unknown"]  # -1 is the last
    ranking = known_ranking(model, series_set)
    method = opening_method(model, series_set) if ranking is None else ranking.quickest.method
    maps = _maps(chosen, method) if len(series_set) <= MOST_PICTURES else None
    limits = (0.0, 1.0) if maps is None else scale_of([one for one in maps if one is not None])
    pictures = []
    for index in rows[:MOST_PICTURES].tolist():
        one = None if maps is None else maps[index]
        reach = limits if isinstance(limits, tuple) else limits.limits(int(series_set.lengths[index]))
        pictures.append(thumbnail(series_set.series[index], None if one is None else one.values, reach, theme()))
    table = pd.DataFrame(
        {
            "signal and map": [*pictures, *[None] * (len(rows) - len(pictures))],
            "series": [series_set.series_ids[index] for index in rows],
            "true": [names[label] for label in told.true[rows]],
            "predicted": [names[label] for label in told.predicted[rows]],
            "result": ["wrong" if told.wrong[index] else "" if told.true[index] < 0 else "right" for index in rows],
            "probability": 100 * told.probability[rows],
            "evidence": [_level(ranking, method, names[label]) for label in told.predicted[rows]],
            "part": series_set.split[rows],
        }
    )
    st.dataframe(
        table,
        hide_index=True,
        key=TABLE_KEY,
        height=640,
        row_height=ROW_HEIGHT,
        on_select=partial(_open, chosen, rows),
        selection_mode="single-row",
        column_config={
            "signal and map": st.column_config.ImageColumn(width=230, help=f"The map is {METHODS[method].title}."),
            "probability": st.column_config.ProgressColumn(format="%.0f %%", min_value=0, max_value=100),
            "evidence": st.column_config.TextColumn(help="What these maps are worth for this class of the model."),
        },
        alt="All series with what the model predicts of each.",
    )
    if st.session_state.pop(OPEN_KEY, False):
        st.switch_page("attention/page.py")


def _open(chosen: Context, rows: IntArray) -> None:
    picked = st.session_state[TABLE_KEY].selection.rows
    if picked:
        state.choose(series=chosen.series_set.series_ids[int(rows[picked[0]])])
        st.session_state[OPEN_KEY] = True


def _level(ranking: Ranking | None, method: str, class_name: str) -> str:
    if ranking is None:
        return "not measured"
    return ranking.level_of(method, class_name) or ranking.level_of(method) or "not measured"


def _maps(chosen: Context, method: str) -> list[Importance | None] | None:
    """Return the map of each series; None until they are computed."""
    model, series_set = model_of(chosen), chosen.series_set

    def compute(progress: Progress) -> list[Importance | None]:
        maps: list[Importance | None] = []
        for index, series in enumerate(series_set.series):
            progress(index, len(series_set))
            maps.append(explain(model, series, method) if np.isfinite(series).any() else None)
        return maps

    return ask.computed(
        f"The maps of all {len(series_set)} series",
        ("maps of all", *ask.about(chosen), method),
        int(series_set.lengths.sum()),
        lambda n, progress: explain(model, beginning(chosen.series, n), method, progress=progress),
        compute,
        partial(ask.timed, chosen),
    )


with guarded("The Series page"):
    page()
