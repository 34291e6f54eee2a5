"""The numbers beside every map, that say how far it can be believed."""

from __future__ import annotations

from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.common import drawn_map, results
from app.common.context import Context
from app.common.drawn_map import DrawnMap
from app.common.examined import model_of
from app.common.map_numbers import number_table
from app.common.parts import chart, guarded, percent, plain, theme
from timemil_core.explain.evaluation.fillers import DEFAULT_FILLER, FILLERS, FillerName, fillers_for
from timemil_core.explain.evaluation.truth import ground_truth_scores
from timemil_core.explain.faithfulness import DeletionTest, InsertionTest
from timemil_core.explain.importance import Importance
from timemil_core.explain.removal_verdict import RemovalVerdict
from timemil_core.reports.pictures import curves_figure

FILLER_KEY = "filler"
HEIGHT = 270


def filler(chosen: Context) -> FillerName:
    """Return what stands in place of removed time points, as last chosen; the default where the model cannot do so."""
    asked = st.session_state.get(FILLER_KEY)
    return next((name for name in fillers_for(model_of(chosen)) if name == asked), DEFAULT_FILLER)


def filler_choice(*drawn: Context) -> None:
    """Draw the choice of what stands in place of removed time points, for all maps of the page."""
    st.selectbox(
        "In place of removed points",
        [name for name in FILLERS if all(name in fillers_for(model_of(one)) for one in drawn)],
        format_func=str.capitalize,
        key=FILLER_KEY,
        persist_state="session",
        width=260,
        help="Masked out: the network leaves them out, as it does padding. The verdict tries a second one too.",
    )


def measured(chosen: Context, drawn: DrawnMap, importance: Importance) -> RemovalVerdict | None:
    """Return what removal says of the drawn map; None for a long series until it has been asked for and computed.

    Call it after the picture is drawn: it takes seconds.
    """
    return drawn_map.removal_verdict(chosen, drawn, importance, filler(chosen))


def verdict(found: RemovalVerdict) -> None:
    """Say in plain words what removal means for the map, in a colour and a sign of its own.

    It judges the map of one series; how good its method is over many is told elsewhere, and need not agree.
    """
    told = f"**On this series:** {plain(found.sentence)}"
    if found.level == "strong":
        st.success(told, icon=":material/check_circle:")
    else:
        st.warning(told, icon=":material/warning:")


def panel(
    chosen: Context,
    drawn: DrawnMap,
    importance: Importance,
    sentence: DeltaGenerator,
    place: DeltaGenerator,
    key: str = "",
) -> None:
    """Draw the verdict of one map into its place, and its numbers into theirs, as they arrive."""
    with place:
        st.markdown("**How far to trust this map**")
        table, removed, restored, truth = (st.container() for _ in range(4))
    removal = insertion = None
    with table:
        numbers = st.empty()
    numbers.markdown(number_table(importance, None, None))
    padding = None
    if importance.are_weights:
        padding = results.padding_mass(model_of(chosen), chosen.series_set, chosen.index)
        numbers.markdown(number_table(importance, None, None, padding))
    with sentence, guarded("The removal test"):
        removal = measured(chosen, drawn, importance)
        if removal is not None:
            verdict(removal)
    if removal is not None:
        numbers.markdown(number_table(importance, removal, None, padding))
        with removed:
            _curves(removal.test, "deletion", key)
    with restored, guarded("The test of restoring"):
        insertion = drawn_map.insertion_test(chosen, drawn, importance, filler(chosen))
        if insertion is not None:
            numbers.markdown(number_table(importance, removal, insertion, padding))
            _curves(insertion, "insertion", key)
            st.caption(plain(insertion.sentence))
    with truth, guarded("The comparison with the truth"):
        _truth(chosen, drawn, importance)


def _curves(test: DeletionTest | InsertionTest, mode: Literal["deletion", "insertion"], key: str) -> None:
    chart(curves_figure(test, mode, theme(), HEIGHT), key=f"{mode}{key}", alt=test.sentence)


def _truth(chosen: Context, drawn: DrawnMap, importance: Importance) -> None:
    marked = results.truth(chosen.series_set, chosen.index)
    scores = None if marked is None else ground_truth_scores(importance.values, marked)
    if marked is None or scores is None or chosen.model is None:
        return
    controls = drawn_map.control_scores(chosen, drawn, marked)
    rows = [("this map", scores), *zip(("untrained network", "size of the signal"), controls or (), strict=False)]
    st.markdown("**Against the known truth**")
    st.dataframe(
        {
            "map": [*(name for name, _ in rows), "chance"],
            "AUROC": [*(score.auroc for _, score in rows), 0.5],
            "avg. precision": [*(score.average_precision for _, score in rows), scores.share_of_time],
            "NDCG@n": [*(score.ndcg for _, score in rows), scores.share_of_time],  # each rank is relevant as often
            "mass inside": [*(score.mass_inside for _, score in rows), scores.share_of_time],
            "peak inside": [
                *("yes" if score.pointing_game else "no" for _, score in rows),
                percent(scores.share_of_time),
            ],
        },
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(format="%.2f")
            for name in ("AUROC", "avg. precision", "NDCG@n", "mass inside")
        },
        alt="Scores of this map and of its controls against the instance labels.",
    )
    st.caption("A map that the untrained network or the bare signal matches explains the data, not the model.")
