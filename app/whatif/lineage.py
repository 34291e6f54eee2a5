"""What was done to the series, step by step, and the way back."""

from __future__ import annotations

import streamlit as st

from app.ask import examined, model_of
from app.common.context import Context
from app.common.parts import plain
from app.whatif import edits
from app.whatif.edits import State
from timemil_core.data.wording import counted
from timemil_core.explain.cost import PROBE_TIMEPOINTS
from timemil_core.explain.edits import EditedSeries

STEPS_IN_SIGHT, HEIGHT = 5, 260


def lineage(chosen: Context, series: EditedSeries) -> None:
    """Draw the steps in order, and the way back."""
    st.markdown(f"**Lineage** of series {plain(series.original_id)}")
    past = edits.states(chosen)
    with st.container(height=HEIGHT if len(past) > STEPS_IN_SIGHT else "content", border=False):
        st.markdown("\n".join(_lines(chosen, past)))
    if series.edits:
        st.caption(f"{series.changed_share:.1%} of time points × channels differ from the original.")
    with st.container(horizontal=True):
        st.button(
            "Undo", icon=":material/undo:", key="whatif_undo", on_click=edits.undo, args=(series,), disabled=not past
        )
        st.button(
            "Original", icon=":material/restart_alt:", key="whatif_reset", on_click=edits.keep,
            args=(EditedSeries(series.series_set, series.index),), disabled=not series.edits,
            help="Back to the original; *Undo* brings the edits back.",
        )  # fmt: skip


def told(series: EditedSeries, new: State) -> str:
    """Return a step in words."""
    if not new:
        return "back to the original"
    if len(new) == 1:
        return series.told(new[0])
    donors = {edit.donor for edit in new}
    source = f" borrowed from series {new[0].donor!r}" if len(donors) == 1 and new[0].donor else ""
    return f"{counted(len(new), 'span')}{source}"


def _lines(chosen: Context, past: tuple[State, ...]) -> list[str]:
    """Return each state with the probability, then, of the class that the model gave the original."""
    before, original = edits.original_examination(chosen), EditedSeries(chosen.series_set, chosen.index)
    name = model_of(chosen).class_names[before.predicted]
    is_short = original.values.shape[1] <= PROBE_TIMEPOINTS  # of a long series each pass takes seconds
    lines = [f"Original: {plain(repr(name))} {before.probabilities[before.predicted]:.3f}\n"]
    for place, step in enumerate(edits.steps(past), start=1):
        then = original.with_edits(step.after)
        line = f"{place}. {plain(told(then, step.new))}"
        if is_short:
            after = examined(edits.changed(chosen, then)) if step.after else before
            line += "" if after is None else f" → {after.probabilities[before.predicted]:.3f}"
        lines.append(line)
    return lines
