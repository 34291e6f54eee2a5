"""The panel beside every map: the numbers that say how far it can be believed."""

from __future__ import annotations

import streamlit as st

from app import results
from app.context import Context
from app.parts import chart, guarded, plain, theme
from timemil_core.explain.examination import Examination
from timemil_core.explain.importance import Importance
from timemil_core.explain.scores import flatness, ground_truth_scores
from timemil_core.figures.attention import deletion_figure

FILLERS = ["interpolation", "local mean", "noise"]


def panel(chosen: Context, examination: Examination, importance: Importance, target: int) -> None:
    """Draw the numbers of one map."""
    st.subheader("How far to trust this map")
    with guarded("The removal test"):
        _removal(chosen, importance, target)
    with guarded("The map's numbers"):
        _shape(importance)
    with guarded("The comparison with the truth"):
        _truth(chosen, importance, target)


def _removal(chosen: Context, importance: Importance, target: int) -> None:
    assert chosen.model is not None
    filler = st.session_state.get("filler", FILLERS[0])
    test = results.deletion_test(chosen.model, chosen.series_set, chosen.index, importance.values, target, filler)
    believable = test.rank >= 0.95
    st.markdown(
        f"{':green' if believable else ':orange'}[{':material/check_circle:' if believable else ':material/warning:'}] {plain(test.sentence)}"
    )
    figure = deletion_figure(
        test.shares,
        test.curve,
        test.random_mean,
        test.random_low,
        test.random_high,
        test.quantity,
        test.filler,
        theme=theme(),
    )
    chart(figure, key="deletion", alt=test.sentence)
    st.selectbox("Removed points are replaced by", FILLERS, key="filler", persist_state="session")
    st.caption(
        f"Comprehensiveness {test.comprehensiveness:+.3f} (removing the top 20 %: higher is better), "
        f"sufficiency {test.sufficiency:+.3f} (keeping only the top 20 %: lower is better); probabilities."
    )


def _shape(importance: Importance) -> None:
    left, right = st.columns(2)
    if not importance.signed:
        left.metric(
            "Flatness",
            f"{flatness(importance.values):.3f}",
            help="Entropy of the map over that of a flat one: 1 is flat, 0 is a single point.",
        )
    if importance.class_token_mass is not None:
        right.metric(
            "On the class token",
            f"{100 * importance.class_token_mass:.1f} %",
            help="Attention that the class token kept for itself; it is at no time point.",
        )
    if not importance.class_specific:
        st.caption("This map has neither a sign nor a class: it is no evidence *for* the predicted class.")


def _truth(chosen: Context, importance: Importance, target: int) -> None:
    marked = results.truth(chosen.series_set, chosen.index)
    if marked is None or chosen.model is None:
        return
    scores = ground_truth_scores(importance.values, marked)
    if scores is None:
        return
    control = results.control_scores(chosen.model, chosen.series_set, chosen.index, importance, target)
    st.markdown("**Against the known truth**")
    st.dataframe(
        {
            "map": ["this one", "untrained network", "|signal|", "chance"],
            "AUROC": [scores.auroc, *(score.auroc for score in control), 0.5],
            "average precision": [
                scores.average_precision,
                *(score.average_precision for score in control),
                scores.share_of_time,
            ],
        },
        hide_index=True,
        column_config={name: st.column_config.NumberColumn(format="%.2f") for name in ("AUROC", "average precision")},
    )
    st.caption("A map that the untrained network or the bare signal matches explains the data, not the model.")
