"""What the model says before and after, and whether it is the place that matters or the edit alone."""

from __future__ import annotations

import json

import numpy as np
import streamlit as st

from app import ask
from app.ask import examined, model_of
from app.common.context import Context
from app.common.parts import chart, plain, theme
from app.whatif import edits
from timemil_core.explain.cost import PROBE_TIMEPOINTS
from timemil_core.explain.edits import Comparison, EditedSeries, compare, elsewhere
from timemil_core.figures.beside import beside_figure
from timemil_core.figures.edited import before_after_figure


def compared(chosen: Context, series: EditedSeries, changed: Context) -> Comparison | None:
    """Return the model's view of the series before and after its edits; None while it reads a long one."""
    before = edits.original_examination(chosen)
    after = examined(changed) if series.edits else before
    return None if after is None else compare(model_of(chosen), series, before, after)


def sentence(series: EditedSeries, comparison: Comparison) -> None:
    """Say what became of the prediction."""
    if not series.edits:
        st.info(
            "Nothing is changed yet. Drag over a channel's row to edit a span of that channel, over the map beneath "
            "to edit all channels, or type the span; then choose an edit and apply it.",
            icon=":material/touch_app:",
        )
        return
    if not series.changed_share:
        st.info("The edits change no value of the series.", icon=":material/trending_flat:")
        return
    turned = comparison.before.predicted != comparison.after.predicted
    icon = ":material/swap_horiz:" if turned else ":material/trending_flat:"
    st.info(plain(comparison.sentence), icon=icon)


def probabilities(chosen: Context, series: EditedSeries, comparison: Comparison) -> None:
    """Draw each class's probability before and after."""
    true = chosen.series_set.label_name(chosen.index)
    told = "the true class is not known" if true is None else f"the original is **{plain(true)}**"
    st.markdown(f"**What the model says**; {told}.")
    after = comparison.after.probabilities if series.edits else None
    figure = before_after_figure(comparison.before.probabilities, after, model_of(chosen).class_names, theme=theme())
    chart(figure, key="before_after", alt=comparison.sentence)


def place_matters(chosen: Context, series: EditedSeries) -> None:
    """Show what the last edit does at other places: whether it is the place that matters."""
    past = edits.steps(edits.states(chosen))
    if not series.edits or series.values.shape[1] > PROBE_TIMEPOINTS or len(past[-1].new) != 1:
        return
    st.markdown("**Is it this place?** The last edit, here and elsewhere.")
    found = ask.at_once(
        "The same edit at other places",
        ("elsewhere", *ask.about(chosen), series.index, json.dumps(series.to_json())),
        lambda progress: elsewhere(model_of(chosen), series),
    )
    if found is None:
        st.caption("There is no other place of that length in this series to compare with.")
        return
    figure = beside_figure(
        {"": (np.array([found.own]), found.others)},
        f"change of the {found.quantity}",
        own="here",
        others="at other places",
        theme=theme(),
    )
    chart(figure, key="elsewhere", alt=found.sentence)
    (st.success if found.matters else st.warning)(
        plain(found.sentence), icon=":material/check_circle:" if found.matters else ":material/warning:"
    )
