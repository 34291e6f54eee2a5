"""What a session has chosen: one selection for all pages, mirrored in the URL.

The URL wins where it says something, so a link opens what it names; else the session's choice is written into it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import streamlit as st

DATA, MODEL, SERIES, SPAN = "data", "model", "series", "span"
PIN_SERIES, PIN_MODEL = "pin_series", "pin_model"
PARAMETERS = (DATA, MODEL, SERIES, SPAN, PIN_SERIES, PIN_MODEL)
BESIDES = {SPAN, PIN_SERIES, PIN_MODEL}  # of a selection: none of them makes one
VIEW, CATALOGUE, UPLOAD = "view", "Catalogue", "Upload your own"  # of the Data page, in the URL too
ACCEPTED = "accepted"  # the uploaded set that this session has just taken in
SELECTION_KEY = "selection"
SEEN_URL_KEY = "selection_url"


@dataclass(frozen=True)
class Selection:
    """References of the chosen data set, model and series, and the span of it that is looked at; empty: none, all.

    ``pin_series`` and ``pin_model`` are held beside them, to compare with.
    """

    data: str = ""
    model: str = ""
    series: str = ""
    span: str = ""
    pin_series: str = ""
    pin_model: str = ""

    def to_query(self) -> dict[str, str]:
        """Return the parts that are chosen, as URL parameters."""
        return {field.name: getattr(self, field.name) for field in fields(self) if getattr(self, field.name)}


def merged(stored: Selection | None, url: dict[str, str], seen_url: dict[str, str], default: Selection) -> Selection:
    """Return the selection of this run.

    Parameters
    ----------
    stored
        What the session had chosen; None in a new session.
    url
        The URL's parameters now.
    seen_url
        The parameters that the session itself wrote last.
    default
        What a new session without parameters opens on.

    A URL that the session did not write is a person's link: it decides. A link that names a data set or a model
    alone leaves the other to be derived from it, never kept from before.
    """
    named = {key: value for key, value in url.items() if key in PARAMETERS}
    if named.keys() - BESIDES and named != seen_url:
        return Selection(**named)
    return default if stored is None else stored


def current(default: Selection) -> Selection:
    """Return the session's selection, taking over what the URL names, and write it back to both."""
    url = _shown()
    chosen = merged(st.session_state.get(SELECTION_KEY), url, st.session_state.get(SEEN_URL_KEY, {}), default)
    store(chosen)
    return chosen


def store(selection: Selection) -> None:
    """Remember a selection and show it in the URL."""
    st.session_state[SELECTION_KEY] = selection
    query = selection.to_query()
    st.session_state[SEEN_URL_KEY] = query
    shown = _shown()
    if shown != query:
        for key in set(shown) - set(query):
            del st.query_params[key]
        st.query_params.update(query)


def choose(**changes: str) -> None:
    """Change parts of the selection; new data start at their first series, and a new series is seen whole.

    For callbacks.
    """
    store(changed(st.session_state.get(SELECTION_KEY) or Selection(), **changes))


def changed(before: Selection, **changes: str) -> Selection:
    """Return a selection with some parts changed and those left out that no longer fit.

    What is pinned stays while series and models change, and belongs to its data set.
    """
    after = replace(before, **changes)
    if SERIES not in changes and after.data != before.data:
        after = replace(after, series="")
    if after.data != before.data:
        after = replace(after, pin_series="", pin_model="")
    if SPAN not in changes and (after.data, after.series) != (before.data, before.series):
        after = replace(after, span="")
    return after


def _shown() -> dict[str, str]:
    return {key: st.query_params[key] for key in PARAMETERS if key in st.query_params}
