"""What if: change a span of the chosen series and see what the model says then."""

from __future__ import annotations

import streamlit as st

from app.ask import examined
from app.common import context
from app.common.context import Context
from app.common.navigator import series_navigator
from app.common.parts import empty_state, guarded, guide, heading, plain, split
from app.whatif import answer, counterfactuals, edits, form, lineage, picture
from app.whatif.place import chosen_place
from timemil_core.explain.edits import EditedSeries, Place


def page() -> None:
    """Draw the page."""
    heading("What if", "Change a span of a series and see at once what the model makes of it. The original stays.")
    chosen = context.load()
    if chosen.model is None:
        empty_state(
            f"No model has been trained on **{plain(chosen.series_set.name)}** yet, so there is nobody to ask. Train "
            "one, or choose another data set in the sidebar.",
        )
        return
    series_navigator(chosen)
    if examined(chosen) is None:
        return
    with guarded("The edits of the link"):
        edits.take_over(chosen)
    series = edits.edited(chosen)
    edits.show_in_link(series)
    place = _tools(chosen, series)
    if place is not None:
        _answer(chosen, series, place)
    with guarded("The counterfactual"):
        counterfactuals.search(chosen, series)
    _how_to_read()


def _tools(chosen: Context, series: EditedSeries) -> Place | None:
    place = None
    with st.container(border=True), guarded("The edit"):
        with st.container(horizontal=True, vertical_alignment="bottom", key="whatif_tools"):
            place = chosen_place(chosen, series.times)
            form.chosen_edit(chosen, series, place)
        form.refusal()
    return place


def _answer(chosen: Context, series: EditedSeries, place: Place) -> None:
    changed = edits.changed(chosen, series)
    comparison = answer.compared(chosen, series, changed)
    if comparison is None:
        return
    answer.sentence(series, comparison)
    left, right = split([3, 1.35], "whatif")
    with right, guarded("The answer"):
        answer.probabilities(chosen, series, comparison)
        asked_elsewhere = st.container()
        lineage.lineage(chosen, series)
    with left, guarded("The picture"):
        drawn = picture.chosen_map(chosen)
        maps = picture.picture(chosen, series, changed, place, drawn)
        # what takes longer comes after what was asked for
        picture.believed(chosen, changed, drawn, maps)
    with asked_elsewhere, guarded("The same edit elsewhere"):
        answer.place_matters(chosen, series)


def _how_to_read() -> None:
    guide(
        "Drag over the row of a channel to choose a span of that channel, over the map beneath for all channels, or "
        "type the ends; choose an edit and apply it: probabilities and map follow. Where the series was changed, the "
        "original is dotted and the coloured line stands there instead; values that were taken away leave a gap. Each "
        "step of the lineage tells the probability after it, and *Undo* takes back the last. *Is it this place?* shows "
        "what the *same* edit does at other places: only where it does more here than nearly everywhere else is it "
        "this place that the model uses. Both maps are about the class that the model gives the original, and beneath "
        "them stands what removing what they mark does. A counterfactual borrows as little as it can from the nearest "
        "series that the model gives the other class.",
        limits="An edited series may be unlike any that the model has seen, and then its answer tells little about "
        "real ones: edits make steps at their borders. Whatever is taken away is filled by a straight line before the "
        "network sees it. Where each series is normalised by itself, a change at one place moves all others. A "
        "counterfactual is one of many, found by a greedy search: smaller ones may exist, and it only just turns the "
        "model.",
    )


with guarded("The What if page"):
    page()
