"""The search for a counterfactual: offered, shown while it runs, and what it found, to be looked at like any edit."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app import ask
from app.ask import model_of
from app.common.context import Context
from app.common.parts import plain
from app.whatif import edits
from timemil_core.explain.counterfactual import Counterfactual, counterfactual
from timemil_core.explain.edits import EditedSeries


def search(chosen: Context, series: EditedSeries) -> None:
    """Offer the search for a counterfactual of the original, show how far it is, and what it found."""
    model, series_set, index = model_of(chosen), chosen.series_set, chosen.index
    names, before = model.class_names, edits.original_examination(chosen)
    st.subheader("What would have to change?")
    others = [int(label) for label in np.argsort(-before.logits) if label != before.predicted]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = st.selectbox(
            f"For the model to say, instead of {names[before.predicted]}",
            others,
            format_func=names.__getitem__,
            width=300,
            key=f"whatif_target_{model.fingerprint}_{index}",
        )
        key = ("counterfactual", model.fingerprint, series_set.fingerprint, index, target)
        st.button(
            "Find a counterfactual",
            icon=":material/search:",
            key="whatif_search",
            help="The smallest change that is found of the original, whatever was edited above.",
            on_click=lambda: ask.begin(
                key, lambda progress: counterfactual(model, series_set, index, target, progress=progress)
            ),
        )
    found: Counterfactual | None = ask.begun("The search for a counterfactual", key)
    if found is not None:
        _show(found, series)


def _show(found: Counterfactual, series: EditedSeries) -> None:
    if found.edited is None:
        st.warning(plain(found.sentence), icon=":material/search_off:")
        return
    is_small = found.is_small_and_particular
    (st.success if is_small else st.warning)(
        plain(found.sentence), icon=":material/check_circle:" if is_small else ":material/warning:"
    )
    st.button(
        "Show it above",
        icon=":material/arrow_upward:",
        key="whatif_show",
        on_click=edits.keep,
        args=(found.edited,),
        disabled=found.edited.edits == series.edits,
        help="As one step of the lineage; *Undo* takes it back.",
    )
