"""Which edits a session has made of each series, and the way back: every state is kept, so each step can be undone."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from app.ask import examined
from app.common.context import Context
from timemil_core.explain.edits import Edit, EditedSeries
from timemil_core.explain.edits.link import as_text, from_text
from timemil_core.explain.examination import Examination

EDITS_KEY, TAKEN_KEY = "whatif_states", "whatif_taken"
LINK = "edits"  # in the address
MOST_SERIES_KEPT, MOST_STATES = 20, 200

State = tuple[Edit, ...]
"""All edits of a series at one moment, in order."""


@dataclass(frozen=True)
class Step:
    """What was done at once: one edit, or all of a counterfactual; none where the original was brought back."""

    new: State
    after: State


def states(chosen: Context) -> tuple[State, ...]:
    """Return what the chosen series has been through in this session, the present state last; empty: never edited."""
    return _kept().get(_key(chosen.series_set.fingerprint, chosen.series_id), ())


def take_over(chosen: Context) -> None:
    """Make the edits that the address holds, once in a session, where the series has none of its own.

    Raises
    ------
    SettingsError
        Where they cannot be read, or are not possible on this series.
    """
    text = st.query_params.get(LINK, "")
    if not text or st.session_state.get(TAKEN_KEY) == text:
        return
    st.session_state[TAKEN_KEY] = text
    if not states(chosen):
        series = EditedSeries(chosen.series_set, chosen.index).with_edits(from_text(text))
        _store(series, (series.edits,))


def show_in_link(series: EditedSeries) -> None:
    """Write the present state into the address, so that it survives a reload and can be sent."""
    text = as_text(series.edits) if series.edits else None
    st.session_state[TAKEN_KEY] = text
    if text is None:
        st.query_params.pop(LINK, None)
    elif st.query_params.get(LINK) != text:
        st.query_params[LINK] = text


def edited(chosen: Context) -> EditedSeries:
    """Return the chosen series with this session's edits of it."""
    past = states(chosen)
    return EditedSeries(chosen.series_set, chosen.index).with_edits(past[-1] if past else ())


def changed(chosen: Context, series: EditedSeries) -> Context:
    """Return what to ask about the edited series as about any other: a set of its own with one series."""
    return Context(series.as_set(), chosen.data, chosen.model, chosen.model_reference, 0)


def original_examination(chosen: Context) -> Examination:
    """Return what the model computes of the series as it was: the page has waited for it."""
    examination = examined(chosen)
    assert examination is not None
    return examination


def keep(series: EditedSeries) -> None:
    """Make this the present state of its series. For callbacks."""
    past = _kept().pop(_key(series.series_set.fingerprint, series.original_id), ())
    _store(series, (*past, series.edits)[-MOST_STATES:])


def undo(series: EditedSeries) -> None:
    """Go back to the state before, whatever the last step was. For callbacks."""
    _store(series, _kept().pop(_key(series.series_set.fingerprint, series.original_id), ())[:-1])


def steps(past: tuple[State, ...]) -> list[Step]:
    """Return what was new in each state."""
    before = ((), *past)[: len(past)]
    return [
        Step(state[len(earlier) :] if state[: len(earlier)] == earlier else state, state)
        for earlier, state in zip(before, past, strict=True)
    ]


def _store(series: EditedSeries, past: tuple[State, ...]) -> None:
    kept = _kept()
    if past:
        kept[_key(series.series_set.fingerprint, series.original_id)] = past
    for oldest in list(kept)[:-MOST_SERIES_KEPT]:
        del kept[oldest]


def _kept() -> dict[tuple[str, str], tuple[State, ...]]:
    kept: dict[tuple[str, str], tuple[State, ...]] = st.session_state.setdefault(EDITS_KEY, {})
    return kept


def _key(fingerprint: str, series_id: str) -> tuple[str, str]:
    return fingerprint, series_id
