"""What can be done with a marked span: its share of the evidence, taking it away, where else it occurs, motifs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from app import ask
from app.ask import model_of
from app.attention.map_view import Shown
from app.common import state
from app.common.context import Context
from app.common.parts import percent, plain
from app.common.span import written
from timemil_core.explain.agreement import place_in, share_in, spans_told
from timemil_core.explain.cost import beginning
from timemil_core.explain.occurrences import Occurrence, occurrences

FOUND_KEY = "occurrences"
DISTANCE = "Root mean square of the differences over all channels, in standard deviations of the training data."


def actions(chosen: Context, shown: Shown) -> None:
    """Say how much of the evidence the marked span holds, and offer what to do with it."""
    assert chosen.chosen_span is not None
    times = chosen.series_set.times(chosen.index)
    place = place_in(chosen.chosen_span, times)
    told = spans_told([place], times, chosen.series_set.axis.length)
    shares = {title: share_in(importance.values, place) for title, (_, importance) in shown.items()}
    told_shares = {
        title: "none, for nothing in it is positive" if share is None else percent(share)
        for title, share in shares.items()
    }
    held = "; ".join(f"{plain(title)}: **{share}**" for title, share in told_shares.items())
    st.markdown(
        f"{told} is {percent((place[1] - place[0]) / len(times))} of the time. Of the evidence it holds, by {held}.",
        help="Of what is positive in the map, over all time points: what speaks for the class, or was looked at.",
    )
    with st.container(horizontal=True, key="marked"):
        st.page_link("whatif/page.py", label="Take it away", icon=":material/content_cut:")
        st.page_link("motifs/page.py", label="Motifs of the model", icon=":material/grid_view:")
    with st.expander(
        "Where else does it occur?", key="elsewhere", icon=":material/search:", on_change="rerun"
    ) as found:
        if found.open:
            _elsewhere(chosen, place)


def _elsewhere(chosen: Context, place: tuple[int, int]) -> None:
    model, series_set = model_of(chosen), chosen.series_set
    found = ask.computed(
        "Where else the marked span occurs",
        ("occurrences", *ask.about(chosen), chosen.index, place),
        int(series_set.lengths.sum()) if chosen.is_long else 0,
        lambda n, progress: model.preparation.transform([beginning(chosen.series, n)]),
        lambda progress: occurrences(model, series_set, chosen.index, place, progress=progress),
        partial(ask.timed, chosen),
    )
    if found is None:
        return
    if not found:
        st.markdown("No series of this set is long enough to hold it.")
        return
    st.dataframe(
        _table(chosen, found),
        hide_index=True,
        key=FOUND_KEY,
        on_select=partial(_open, chosen, found),
        selection_mode="single-row",
        column_config={"distance": st.column_config.NumberColumn(format="%.2f", help=DISTANCE)},
        alt="The stretches that are most like the marked span.",
    )
    name = series_set.label_name(chosen.index)
    others = [one for one in found if one.index != chosen.index]
    if name is not None and others:
        n_alike = sum(series_set.label_name(one.index) == name for one in others)
        st.caption(f"{n_alike} of the {len(others)} nearest in other series are of class {plain(name)}. Click a row.")


def _table(chosen: Context, found: Sequence[Occurrence]) -> list[dict[str, Any]]:
    series_set = chosen.series_set
    return [
        {
            "series": series_set.series_ids[one.index],
            "class": series_set.label_name(one.index) or "unknown",
            "where": spans_told([one.place], series_set.times(one.index), series_set.axis.length),
            "distance": one.distance,
        }
        for one in found
    ]


def _open(chosen: Context, found: Sequence[Occurrence]) -> None:
    rows = st.session_state[FOUND_KEY].selection.rows
    if rows:
        one = found[rows[0]]
        times = chosen.series_set.times(one.index)
        ends = float(times[one.place[0]]), float(times[one.place[1] - 1])
        state.choose(series=chosen.series_set.series_ids[one.index], span=written(ends))
