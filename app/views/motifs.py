"""Motifs: the spans that the model finds important, put together by shape, each with what removing it does."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app import context, jobs, span, state
from app.context import Context
from app.parts import chart, empty_state, guarded, guide, heading, plain, split, theme
from timemil_core.data.wording import counted
from timemil_core.explain.choice import known_choice
from timemil_core.explain.importance import methods_for
from timemil_core.explain.motifs import Atlas, Motif, Occurrence, motif_atlas
from timemil_core.explain.windows import window_length
from timemil_core.figures.motifs import presence_figure, removal_effect_figure, shape_figure, when_figure

METHOD_KEY, SEED = "motif_method", 0
LINKS_SHOWN = 8


def page() -> None:
    """Draw the page."""
    heading("Motifs", "The spans that the model finds important in many series, put together by their shape.")
    chosen = context.load()
    if chosen.model is None:
        empty_state(
            f"No model has been trained on **{plain(chosen.series_set.name)}** yet, so there are no motifs to show. "
            "Train one, or choose another data set in the sidebar.",
            page="views/train.py",
            label="Train a model on these data",
            icon=":material/model_training:",
        )
        return
    atlas = _atlas(chosen)
    if atlas is not None:
        _cards(chosen, atlas)
    _how_to_read()


def _atlas(chosen: Context) -> Atlas | None:
    assert chosen.model is not None
    model, series_set = chosen.model, chosen.series_set
    methods = {method.key: method.title for method in methods_for(model)}
    known = known_choice(model, series_set)
    best = known.best.method if known else "occlusion"
    longest = int(series_set.lengths.max())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        method = st.selectbox(
            "Important by", list(methods), index=list(methods).index(best), format_func=methods.__getitem__,
            key=METHOD_KEY, width=300, persist_state="session",
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
        st.button(
            "Make the atlas",
            icon=":material/grid_view:",
            type="primary",
            key="motif_make",
            on_click=lambda: jobs.begin(
                key,
                lambda progress: motif_atlas(model, series_set, method, window=window, seed=SEED, progress=progress),
            ),
        )
    atlas: Atlas | None = jobs.begun("The atlas: maps of many series, their shapes, and what removing them does", key)
    if atlas is None and jobs.jobs().find(key) is None:
        st.caption(
            "It takes from half a minute to several minutes, in the background: maps of up to 60 series, the "
            "distances of their spans, and the removal of each motif and of random spans."
        )
    return atlas


def _cards(chosen: Context, atlas: Atlas) -> None:
    st.caption(plain(" ".join(atlas.notes)))
    if not atlas.motifs:
        st.info("No two spans are alike: there is no motif to show.", icon=":material/info:")
    for motif in atlas.motifs:
        with st.container(border=True), guarded("A motif"):
            _card(chosen, motif)


def _card(chosen: Context, motif: Motif) -> None:
    assert chosen.model is not None
    name, series_set = chosen.model.class_names[motif.target], chosen.series_set
    key = f"motif_{motif.target}_{motif.place}"
    step = 1 / (series_set.sampling_rate or 1.0)
    st.markdown(
        f"#### {plain(name)}: motif {motif.place + 1} of {motif.n_places}\n"
        f"{counted(len(motif.members), 'span')} of {len({one.series for one in motif.members})} series"
    )
    (st.success if motif.is_used else st.warning)(
        plain(motif.sentence), icon=":material/check_circle:" if motif.is_used else ":material/warning:"
    )
    left, right = split([1.2, 1], key, "wide")
    with left:
        st.markdown("**Shape**, in the data's own unit")
        core = (motif.core[0] * step, motif.core[1] * step)
        figure = shape_figure(
            motif.times * step, motif.mean, motif.low, motif.high, series_set.channel_names, series_set.time_unit,
            core, class_index=motif.target, theme=theme(),
        )  # fmt: skip
        chart(figure, key=f"{key}_shape", alt=f"Mean shape of the motif over {len(motif.members)} spans.")
        st.caption("Mean and 90 % of its spans, warped onto the most typical one; outside the dashed lines its margin.")
        st.markdown("**Where in time**")
        middles = np.array([(one.start + one.stop - 1) / 2 * step for one in motif.members])
        end = float(series_set.lengths.max() - 1) * step
        figure = when_figure(middles, end, series_set.time_unit, theme=theme())
        chart(figure, key=f"{key}_when", alt="How many of its spans lie where in time.")
    with right:
        st.markdown("**How often**, in series that it was not found in")
        names = list(chosen.model.class_names)
        counts = {name: (one.found, one.of) for name, one in motif.presence.items()}
        figure = presence_figure(counts, [names.index(name) for name in counts], theme=theme())
        chart(figure, key=f"{key}_presence", alt="In what share of each class's series it is present.")
        st.markdown("**What removing it does**")
        tests = {"where cut": motif.removal} | ({"found again": motif.held_out} if motif.held_out else {})
        falls = {name: (test.falls, test.random.ravel()) for name, test in tests.items()}
        figure = removal_effect_figure(falls, f"logit of {name}", theme=theme())
        chart(figure, key=f"{key}_removal", alt=motif.sentence)
    _links(chosen, motif.members, f"{key}_member", "The series behind it")
    _links(chosen, motif.matches, f"{key}_match", "Found again in")


def _links(chosen: Context, spans: tuple[Occurrence, ...], key: str, title: str) -> None:
    if not spans:
        return
    series_set, more = chosen.series_set, len(spans) - LINKS_SHOWN
    st.markdown(f"**{title}**" + (f", the {LINKS_SHOWN} most typical of {len(spans)}" if more > 0 else ""))
    with st.container(horizontal=True, gap="small"):
        for place, one in enumerate(spans[:LINKS_SHOWN]):
            times = series_set.times(one.series)
            ends = float(times[one.start]), float(times[one.stop - 1])
            opened = st.button(
                f"{plain(series_set.series_ids[one.series])} · {ends[0]:.4g} to {ends[1]:.4g}",
                key=f"{key}_{place}", type="tertiary", icon=":material/visibility:",
            )  # fmt: skip
            if opened:
                shown = span.within(ends, times)
                state.choose(series=series_set.series_ids[one.series], span=span.written(shown))
                st.switch_page("views/attention.py")


def _how_to_read() -> None:
    guide(
        "For each class that the model says, its most important spans are cut out, compared by dynamic time warping "
        "(aeon) and put together (scikit-learn's agglomerative clustering, as many clusters as the silhouette finds). "
        "A card is one such shape. The coloured sentence tells whether the model uses it: the motif is removed, and so "
        "are random spans of the same length; where the shape was found again in series that had no say in it, those "
        "count. Spans beneath the card open on the Attention page.",
        limits="A motif is what an importance method marks, not all that the model uses: what is told twice in a "
        "series is missed. A span has one length; shorter and longer patterns are cut or padded. Present means "
        "similar, by a threshold taken from the motif's own members. Long cuttings are compared in 48 points, a series "
        "shorter than a cutting is stretched. Removal replaces points by noise and masks them: both are choices.",
    )


with guarded("The Motifs page"):
    page()
