"""Decision boundary: instance embeddings on a plane, the fully supervised model at left, TimeMIL at right."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.attention.pins import model_title
from app.boundary.planes import Planes, Which
from app.boundary.planes import planes as computed_planes
from app.common import context, span, state
from app.common.chart import link_points, link_signal
from app.common.context import Context, truth
from app.common.parts import chart, empty_state, guarded, guide, heading, percent, picked_ids, plain, split, theme
from timemil_core.explain.boundary import positive_class
from timemil_core.explain.decision_plane import DecisionPlane, RegionName
from timemil_core.explain.labels import labels_for
from timemil_core.explain.regions import NeighbourAgreement
from timemil_core.figures.boundary import boundary_figure
from timemil_core.figures.series import series_figure
from timemil_core.models.abilities import Ability

PAIR, CHOSEN, SAMPLE = "A pair (as in the paper)", "The chosen series", "A sample of the set"
SHOWN: dict[str, Which] = {PAIR: "pair", CHOSEN: "chosen", SAMPLE: "sample"}
NEIGHBOURS, HEAD = "nearest neighbours (as in the paper)", "the model's own head"
TELLS_MORE = 0.02
SHOW_KEY, REGION_KEY, CLASS_KEY = "instances", "region", "positive_class"


def page() -> None:
    """Draw the page."""
    heading("Decision boundary", "Every time point as the backbone sees it, and where the border between classes runs.")
    chosen = context.load()
    if chosen.model is None:
        empty_state(
            f"No model has been trained on **{plain(chosen.series_set.name)}** yet. Train one to see its instances.",
        )
        return
    if Ability.INSTANCES not in chosen.model.abilities:
        empty_state(
            f"{plain(model_title(chosen.model_reference))} classifies a series as a whole: it has no embeddings of "
            "time points that could be laid out on a plane. Choose a TimeMIL model in the sidebar.",
        )
        return
    show, region, target = _settings(chosen)
    with guarded("The planes"):
        planes = computed_planes(chosen, SHOWN[show], region, target)
        if planes is not None:
            _planes(chosen, planes)
    _how_to_read()


def _planes(chosen: Context, planes: Planes) -> None:
    both = planes.supervised is not None
    left, right = split(2, "planes", "wide") if both else reversed(split([2, 1], "planes", "wide"))
    supervised: list[tuple[int, int]] = []
    with left, guarded("The fully supervised model"):
        st.subheader("Fully supervised")
        if planes.supervised is None:
            st.markdown("Not here: this model was trained without its counterpart. A new run trains both.")
            st.page_link("train/page.py", label="Train both", icon=":material/model_training:")
        else:
            supervised = _plane(chosen, planes.indices, planes.supervised, "supervised")
    with right, guarded("TimeMIL"):
        st.subheader("TimeMIL")
        ours = _plane(chosen, planes.indices, planes.timemil, "timemil")
    with guarded("The signal"):
        _signal(chosen, planes.indices, [*supervised, *ours])
    st.subheader("Which network parts the time points better" if both else "How well it parts the time points")
    st.markdown(_parted_told(planes))
    _same_labels(planes)
    for side, view in (("Fully supervised", planes.supervised), ("TimeMIL", planes.timemil)):
        if view is not None:
            st.caption(f"**{side}.** {_faithfulness(view)}")


def _same_labels(planes: Planes) -> None:
    networks = {"Fully supervised": planes.supervised, "TimeMIL": planes.timemil}
    rows = [
        f"| {name} | {_named_right(view.agreements['bag'])} | {_named_right(view.agreements['instance'])} |"
        for name, view in networks.items()
        if view is not None
    ]
    st.markdown(
        "| nearest neighbours name the label of held-out stretches right | bag labels | instance labels |\n"
        "|---|---|---|\n" + "\n".join(rows)
    )
    st.caption(
        "In brackets: what naming the more frequent label alone would score."
        + (
            ""
            if planes.supervised is None
            else " The pictures use bag labels at left and instance labels at right; compare the networks within a "
            "column, where both have the same labels."
        )
    )


def _named_right(agreement: NeighbourAgreement | None) -> str:
    return "too few" if agreement is None else f"{agreement.accuracy:.0%} ({agreement.majority:.0%})"


def _settings(chosen: Context) -> tuple[str, RegionName, int]:
    assert chosen.model is not None
    names = chosen.model.class_names
    with st.container(horizontal=True, vertical_alignment="bottom"):
        show = st.segmented_control(
            "Instances of", [PAIR, CHOSEN, SAMPLE], default=PAIR, required=True, key=SHOW_KEY, bind="query-params"
        )
        region = st.selectbox("Regions by", [NEIGHBOURS, HEAD], key=REGION_KEY, width=300, persist_state="session")
        target = st.selectbox(
            "Positive class (against the rest)", range(len(names)), index=_opening_class(chosen),
            format_func=names.__getitem__, width=240,
        )  # fmt: skip
    return show or PAIR, "head" if region == HEAD else "neighbours", int(target or 0)


def _opening_class(chosen: Context) -> int:
    # The class with instance labels where there are any, else the chosen series' own.
    assert chosen.model is not None
    if chosen.series_set.instance_labels is not None:
        return positive_class(chosen.series_set, chosen.model)
    return max(int(labels_for(chosen.model, chosen.series_set)[chosen.index]), 0)


def _plane(chosen: Context, indices: tuple[int, ...], view: DecisionPlane, side: str) -> list[tuple[int, int]]:
    figure = boundary_figure(
        view.plane.points,
        view.labels,
        view.label_names,
        view.plane.series_index,
        view.plane.timepoint,
        [chosen.series_set.series_ids[index] for index in indices],
        view.times,
        view.regions,
        view.grid.x,
        view.grid.y,
        view.plane.explained,
        view.region_title,
        selected_ids=_in_span(chosen, indices),
        selected_title="in the marked span",
        time_unit=chosen.series_set.time_unit,
        theme=theme(),
    )
    link_points(figure, [chosen.series_set.times(index).tolist() for index in indices])
    event = chart(
        figure, key=f"plane_{side}", alt=f"Instances on the first two principal components, {side}.", pick=True
    )
    return [(int(ids[0]), int(ids[1])) for ids in picked_ids(event)]


def _in_span(chosen: Context, indices: tuple[int, ...]) -> list[tuple[int, int]] | None:
    """Return the instances of the chosen series that lie in the span that is marked on all pages."""
    if chosen.marked is None or chosen.index not in indices:
        return None
    times = chosen.series_set.times(chosen.index)
    inside = np.flatnonzero((times >= chosen.marked[0]) & (times <= chosen.marked[1]))
    return [(indices.index(chosen.index), int(timepoint)) for timepoint in inside]


def _faithfulness(view: DecisionPlane) -> str:
    kept = view.faithfulness
    return (
        f"The plane holds {percent(kept.explained)} of the variance; neighbourhoods are kept to "
        f"{kept.trustworthiness:.2f} (1 is fully). {plain(view.labels_sentence)}"
    )


def _parted_told(planes: Planes) -> str:
    ours = planes.timemil.agreements["instance"]
    theirs = None if planes.supervised is None else planes.supervised.agreements["instance"]
    if ours is None:
        return "Too few time points are positive to tell."
    labels = "instance labels" if theirs is None else "the **same instance labels on both sides**"
    told = f"With {labels}, neighbours name {ours.accuracy:.0%} right for TimeMIL"
    if theirs is not None:
        told += f" and {theirs.accuracy:.0%} for the fully supervised network"
    told += f"; always naming the more frequent label would reach {ours.majority:.0%}."
    if ours.accuracy <= ours.majority + TELLS_MORE:
        told += " These regions tell no more than that."
    return told


def _signal(chosen: Context, indices: tuple[int, ...], picks: list[tuple[int, int]]) -> None:
    st.subheader("The time points on the signal")
    if not picks:
        st.caption(
            "Point at a plane or at the signal: each shows the same moment on the others. Points that you pick (click, "
            "or drag a box) stay marked."
        )
    shown_place = picks[-1][0] if picks else (indices.index(chosen.index) if chosen.index in indices else 0)
    shown = indices[shown_place]
    marked = sorted({timepoint for series, timepoint in picks if indices[series] == shown})
    series_set = chosen.series_set
    times = series_set.times(shown)
    is_chosen = shown == chosen.index  # a span is of the chosen series
    if is_chosen:
        span.controls(chosen.chosen_span, times, series_set.axis)
    figure = series_figure(
        times,
        series_set.series[shown],
        series_set.channel_names,
        series_set.time_unit,
        truth=truth(series_set, shown),
        marked_times=times[np.array(marked, dtype=int)] if marked else None,
        selected_span=chosen.marked if is_chosen else None,
        visible_span=chosen.span if is_chosen else None,
        theme=theme(),
    )
    link_signal(figure, shown_place)
    alt = "The series with the picked time points marked."
    if is_chosen:
        span.zoomable(figure, chosen.chosen_span, times, key="boundary_signal", alt=alt)
    else:
        chart(figure, key="boundary_signal", alt=alt)
    label = series_set.label_name(shown) or "class unknown"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Series {plain(series_set.series_ids[shown])}, {plain(label)}; {len(marked)} time points marked.")
        st.button(
            "Choose this series", key="choose_shown", on_click=lambda: state.choose(series=series_set.series_ids[shown])
        )
        if len(marked) > 1:
            ends = span.written((float(times[marked[0]]), float(times[marked[-1]])))
            st.button(
                "Mark their span on all pages",
                key="mark_picks",
                on_click=lambda: state.choose(series=series_set.series_ids[shown], span=ends),
            )


def _how_to_read() -> None:
    guide(
        "Each point is one time point of a series, embedded by the backbone in 128 dimensions and drawn on the two "
        "directions of largest variance. As in the paper, regions come from nearest neighbours: at left on bag labels "
        "(every time point carries its series' label), at right on instance labels. The model's own head shows instead "
        "what the network says of a bag that holds only the instance at that place.",
        limits="Two components seldom hold all of the variance; the numbers beneath each plane tell how much, and how "
        "far neighbours on the plane are neighbours in truth. Different labels at left and right make borders look "
        "different by themselves: the table beneath gives both networks the same ones. Where no instance "
        "labels are known, the fifth of the time points that the best-measured map marks most stands in for them.",
    )


with guarded("The Decision boundary page"):
    page()
