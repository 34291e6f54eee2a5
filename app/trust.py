"""The panel beside every map: the numbers that say how far it can be believed."""

from __future__ import annotations

import streamlit as st

from app import results, slow
from app.context import Context
from app.parts import chart, guarded, plain, split, theme
from app.slow import DrawnMap
from timemil_core.explain.faithfulness import DeletionTest
from timemil_core.explain.fillers import FillerName
from timemil_core.explain.importance import Importance
from timemil_core.explain.scores import flatness, ground_truth_scores
from timemil_core.figures.attention import deletion_figure

BELIEVABLE = 0.95  # share of random block orders that a map has to beat
FILLER_KEY = "filler"
FILLERS: list[FillerName] = ["noise", "local mean", "interpolation"]


def measured(chosen: Context, drawn: DrawnMap, importance: Importance) -> DeletionTest | None:
    """Return the removal test of the drawn map; None for a long series until it has been asked for and computed.

    Call it after the picture is drawn: it takes seconds.
    """
    return slow.removal_test(chosen, drawn, importance, st.session_state.get(FILLER_KEY, FILLERS[0]))


def panel(chosen: Context, drawn: DrawnMap, importance: Importance, test: DeletionTest | None) -> None:
    """Draw the numbers of one map."""
    st.markdown("**How far to trust this map**")
    if test is not None:
        with guarded("The removal test"):
            _removal(test)
    with guarded("The map's numbers"):
        _shape(importance)
    with guarded("The comparison with the truth"):
        _truth(chosen, drawn, importance)


def verdict(test: DeletionTest) -> None:
    """Say in one sentence what the removal test means for the map, in a colour and a sign of its own."""
    if test.rank >= BELIEVABLE:
        st.success(plain(test.sentence), icon=":material/check_circle:")
    else:
        st.warning(plain(test.sentence), icon=":material/warning:")


def _removal(test: DeletionTest) -> None:
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
    st.selectbox("Removed points are replaced by", FILLERS, key=FILLER_KEY, persist_state="session")
    st.caption(
        f"Comprehensiveness {test.comprehensiveness:+.3f} (removing the top 20 %: higher is better), "
        f"sufficiency {test.sufficiency:+.3f} (keeping only the top 20 %: lower is better); probabilities."
    )


def _shape(importance: Importance) -> None:
    left, right = split(2, "shape", "narrow")
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


def _truth(chosen: Context, drawn: DrawnMap, importance: Importance) -> None:
    marked = results.truth(chosen.series_set, chosen.index)
    scores = None if marked is None else ground_truth_scores(importance.values, marked)
    if marked is None or scores is None or chosen.model is None:
        return
    controls = slow.control_scores(chosen, drawn, marked)
    rows = [("this map", scores), *zip(("untrained network", "size of the signal"), controls or (), strict=False)]
    st.markdown("**Against the known truth**")
    st.dataframe(
        {
            "map": [*(name for name, _ in rows), "chance"],
            "AUROC": [*(score.auroc for _, score in rows), 0.5],
            "avg. precision": [*(score.average_precision for _, score in rows), scores.share_of_time],
        },
        hide_index=True,
        column_config={name: st.column_config.NumberColumn(format="%.2f") for name in ("AUROC", "avg. precision")},
        alt="Scores of this map and of its controls against the instance labels.",
    )
    st.caption("A map that the untrained network or the bare signal matches explains the data, not the model.")
