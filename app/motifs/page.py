"""Motifs: the spans that the model finds important, put together by shape, each with what removing it does."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from app import ask
from app.ask import about, model_of, timed
from app.common import context
from app.common.context import Context
from app.common.parts import duration, empty_state, guarded, guide, heading, plain
from app.motifs.cards import card
from timemil_core.data.export import file_stem
from timemil_core.errors import StorageError
from timemil_core.explain.cost import PROBE_TIMEPOINTS
from timemil_core.explain.evaluation.ranking import opening_method
from timemil_core.explain.importance import methods_for
from timemil_core.explain.motifs import MOST_CLUSTERS, Atlas, atlas_cost, motif_atlas, occurrence_table, summary_table
from timemil_core.explain.motifs.kept import keep_atlas, known_atlas
from timemil_core.explain.progress import Progress
from timemil_core.explain.windows import window_length
from timemil_core.models.shelf import locate

METHOD_KEY, SHOWN_KEY, SEED = "motif_method", "motif_class", 0
ALL = "all classes"


def page() -> None:
    """Draw the page."""
    heading("Motifs", "The spans that the model finds important in many series, put together by their shape.")
    chosen = context.load()
    if chosen.model is None:
        empty_state(
            f"No model has been trained on **{plain(chosen.series_set.name)}** yet, so there are no motifs to show. "
            "Train one, or choose another data set in the sidebar.",
        )
        return
    atlas = _atlas(chosen)
    if atlas is not None:
        st.info(plain(atlas.sentence), icon=":material/grid_view:")
        if atlas.motifs:
            _cards(chosen, atlas)
            with guarded("All motifs"):
                _overview(chosen, atlas)
    _how_to_read()


def _atlas(chosen: Context) -> Atlas | None:
    model, series_set = model_of(chosen), chosen.series_set
    methods = {method.key: method.title for method in methods_for(model)}
    best = opening_method(model, series_set)
    longest = int(series_set.lengths.max())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        method = st.selectbox(
            "Important by", list(methods), index=list(methods).index(best), format_func=methods.__getitem__,
            key=METHOD_KEY, width=300, persist_state="session",
            help="It opens on the method that measured best for this model, occlusion where none was measured.",
        )  # fmt: skip
        window = int(
            st.number_input(
                "Time points of a span",
                2,
                longest,
                window_length(None, int(np.median(series_set.lengths))),
                key=f"motif_window_{series_set.fingerprint}",
                width=200,
            )
        )
        key = ("motifs", model.fingerprint, series_set.fingerprint, method, window)
        folder = locate(chosen.model_reference)
        known: Atlas | None = ask.at_once(
            "The motifs", ("known", *key), lambda progress: known_atlas(model, series_set, method, window, folder)
        )
        if known is None:
            st.button(
                "Find the motifs", icon=":material/grid_view:", type="primary", key="motif_make",
                disabled=ask.is_known(key), on_click=ask.begin, args=(key, partial(_made, chosen, method, window)),
            )  # fmt: skip
    if known is not None:
        return known
    atlas: Atlas | None = ask.begun("The motifs: maps of many series, their shapes, and what removing them does", key)
    if atlas is None and not ask.is_known(key):
        _waiting_time(chosen, method)
    return atlas


def _made(chosen: Context, method: str, window: int, progress: Progress) -> Atlas:
    model, series_set = model_of(chosen), chosen.series_set
    atlas = motif_atlas(model, series_set, method, window=window, seed=SEED, progress=progress)
    with suppress(StorageError):  # it is shown all the same
        keep_atlas(atlas, model, series_set, method)
    return atlas


def _waiting_time(chosen: Context, method: str) -> None:
    model, series_set = model_of(chosen), chosen.series_set
    if series_set.lengths.max() <= PROBE_TIMEPOINTS:
        st.caption(
            "It takes from half a minute to several minutes, in the background: maps of up to 60 series, the "
            "distances of their spans, and the removal of each motif and of random spans."
        )
        return
    cost = ask.prompt(
        "The atlas: how long will it take?",
        ("cost of motifs", *about(chosen), method),
        lambda progress: atlas_cost(model, series_set, method, timed(chosen)),
        ask.PATIENCE_FOR_COSTS,
    )
    if cost is not None:
        st.caption(
            f"In the background: the maps of {cost.n_series} long series take about {duration(cost.maps)} on this "
            f"machine, and each motif that they bring, for the removal of its spans and of random ones, up to "
            f"{duration(cost.motif)} more. There are at most {MOST_CLUSTERS} motifs a class."
        )


def _overview(chosen: Context, atlas: Atlas) -> None:
    st.subheader("All motifs")
    names, series_set = model_of(chosen).class_names, chosen.series_set
    st.dataframe(
        pd.DataFrame(summary_table(atlas, names)),
        hide_index=True,
        alt="Each motif: class, spans, how often it is present, whether the model uses it.",
    )
    st.caption(
        f"{plain(' '.join(atlas.notes))} *Beats random spans*: in how many series removing the motif lowers "
        "the logit of its class more than 95 % of random spans do."
    )
    st.download_button(
        "All spans as CSV",
        data=lambda: pd.DataFrame(occurrence_table(atlas, names, series_set)).to_csv(index=False).encode(),
        file_name=f"{file_stem(series_set.name, 'motifs')}.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        key="motif_csv",
    )


def _cards(chosen: Context, atlas: Atlas) -> None:
    names = model_of(chosen).class_names
    first = sorted(atlas.motifs, key=lambda motif: motif.is_used is not True)  # what the model uses, then the rest
    options = [*sorted({motif.target for motif in atlas.motifs}), None]
    shown = st.selectbox(
        "Motifs of class",
        options,
        index=options.index(first[0].target),
        format_func=lambda label: ALL if label is None else names[label],
        key=f"{SHOWN_KEY}_{chosen.series_set.fingerprint}",
        width=300,
    )
    for motif in first:
        if shown in (None, motif.target):
            with st.container(border=True), guarded("A motif"):
                card(chosen, motif)


def _how_to_read() -> None:
    guide(
        "For each class that the model says, its most important spans are cut out, compared by dynamic time warping "
        "(aeon) and put together (scikit-learn's agglomerative clustering, as many clusters as the silhouette finds). "
        "A card is one such shape. The coloured sentence tells whether the model uses it: the motif is removed, and so "
        "are random spans of the same length; where the shape was found again in series that had no say in it, those "
        "count. A motif that is present in every class is no shape of one class. Present is what is as near to it as "
        "most of its own spans, and nearer than 95 % of spans at random places of other classes' series; many places "
        "of a series are compared, so compare the classes. Spans on the card open on the Attention page.",
        limits="A motif is what an importance method marks, not all that the model uses: what is told twice in a "
        "series is missed. A span has one length; shorter and longer patterns are cut or padded. Present means "
        "similar, by a threshold taken from the series that it was found in. Long cuttings are compared in 48 points, "
        "a series shorter than a cutting is stretched. Removal replaces points by noise and masks them: both are "
        "choices.",
    )


with guarded("The Motifs page"):
    page()
