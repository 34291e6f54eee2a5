"""Where to edit: the span and the channels. Typed, dragged over the chart, or marked on another page.

The span of a short series is the one that all pages share. A long series is looked at through its span, so there the
span to edit is another one, of this page alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import streamlit as st

from app.common import span as shared
from app.common import state
from app.common.chart import Box
from app.common.context import Context
from app.common.span import Span, Times
from timemil_core.explain.edits import Place, place_between

FROM_KEY, TO_KEY, CHANNELS_KEY = "whatif_from", "whatif_to", "whatif_channels"
SEEN_KEY = "whatif_seen"
LEAST_POINTS = 5


def opening_span(times: Times) -> Span:
    """Return the middle tenth of a series, to open on, and five points of it at least."""
    n = len(times)
    length = min(max(n // 10, LEAST_POINTS), n)
    start = (n - length) // 2
    return float(times[start]), float(times[start + length - 1])


def snapped(span: Span, times: Times) -> Span:
    """Return the times of the first and the last point within a span; where there is none, of the nearest point."""
    inside = times[(times >= span[0]) & (times <= span[1])]
    if not len(inside):
        nearest = float(times[np.abs(times - sum(span) / 2).argmin()])
        return nearest, nearest
    return float(inside[0]), float(inside[-1])


def chosen_place(chosen: Context, times: Times) -> Place:
    """Draw span and channels to edit, and return them: at least the time point nearest to what was typed."""
    series_set = chosen.series_set
    _settle(chosen, times)
    first, last = float(times[0]), float(times[-1])
    step = (last - first) / max(len(times) - 1, 1) or 1.0
    for label, key in ((f"From, {series_set.time_unit}", FROM_KEY), ("to", TO_KEY)):
        st.number_input(
            label, first, last, key=key, step=step, format="%.6g", width=150, on_change=partial(_share, times)
        )
    st.multiselect(
        "Channels",
        range(series_set.n_channels),
        format_func=series_set.channel_names.__getitem__,
        key=CHANNELS_KEY,
        placeholder="all channels",
        width=300,
        disabled=series_set.n_channels == 1,
    )
    return place_between(times, *_ends(times), st.session_state[CHANNELS_KEY], n_channels=series_set.n_channels)


def take_box(times: Times, channel_of: Mapping[str, int], box: Box) -> None:
    """Make a box that was dragged over the chart the place to edit: over a channel's row it is of that channel."""
    st.session_state[FROM_KEY], st.session_state[TO_KEY] = snapped(box.x, times)
    channel = channel_of.get(box.y_axis)
    st.session_state[CHANNELS_KEY] = [] if channel is None else [channel]
    _share(times)


def _settle(chosen: Context, times: Times) -> None:
    """Take over what was marked elsewhere; open anew where another set has other times and channels."""
    before, now = st.session_state.get(SEEN_KEY), (chosen.series_set.fingerprint, chosen.marked)
    st.session_state[SEEN_KEY] = now
    kept = [st.session_state[key] for key in (FROM_KEY, TO_KEY) if key in st.session_state]
    fits = len(kept) == 2 and all(times[0] <= end <= times[-1] for end in kept)
    is_other = before is None or before[0] != now[0]
    if chosen.marked is not None and (before != now or not fits):
        ends = snapped(chosen.marked, times)
    elif is_other or not fits:
        seen = times if chosen.span is None else times[(times >= chosen.span[0]) & (times <= chosen.span[1])]
        ends = opening_span(seen if len(seen) else times)
    else:
        ends = kept[0], kept[1]
    st.session_state[FROM_KEY], st.session_state[TO_KEY] = ends
    if is_other or CHANNELS_KEY not in st.session_state:
        st.session_state[CHANNELS_KEY] = []


def _share(times: Times) -> None:
    """Mark the span on all pages, where they would not look closer at it instead."""
    if not shared.is_thinned(times):
        state.choose(span=shared.written(shared.within(_ends(times), times)))


def _ends(times: Times) -> Span:
    first, last = sorted((float(st.session_state[FROM_KEY]), float(st.session_state[TO_KEY])))
    return snapped((first, last), times)
