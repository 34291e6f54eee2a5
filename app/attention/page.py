"""Attention: what speaks for a class in one series, the picture first; what it is worth, and other maps, on a click."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from app import ask
from app.ask import examine_ahead, examined, model_of
from app.attention import maps, marked, pins
from app.attention.map_view import Shown, common_limits, line, picture
from app.common import context, downloads, drawn_map, span, trust
from app.common.context import Context, tested
from app.common.drawn_map import DrawnMap
from app.common.navigator import series_navigator
from app.common.parts import chart, empty_state, guarded, guide, plain, split, theme
from timemil_core.explain import class_means
from timemil_core.explain.agreement import agreement_of
from timemil_core.explain.cost import beginning
from timemil_core.explain.examination import Examination
from timemil_core.explain.sanity.similarity import rank_similarity
from timemil_core.figures.attention import class_mean_figure, head_figure, probabilities_figure
from timemil_core.figures.importance import covering

TIMEPOINTS_FOR_MEANS = 200_000  # of all series of a class mean: a few seconds on two cores


def page() -> None:
    """Draw the page."""
    top = st.container(horizontal=True, vertical_alignment="center", key="top")
    with top:
        st.title("Attention", width="content")
    chosen = context.load()
    if chosen.model is None:
        empty_state(
            f"No model has been trained on **{plain(chosen.series_set.name)}** yet, so there is no attention to show. "
            "Train one (a minute or two for a set like BasicMotions), or choose another data set in the sidebar.",
        )
        return
    with top:
        following = series_navigator(chosen)
    examination = examined(chosen)
    if examination is None:
        span.controls(chosen.chosen_span, chosen.series_set.times(chosen.index), chosen.series_set.axis)
        picture(chosen, {}, [])  # the signal of a long series, while the model reads it
        return
    result = st.container(horizontal=True, vertical_alignment="center", key="result")
    said = result.container(width="stretch")
    with result:
        choice = maps.chooser(chosen, examination)
    beside = None
    with guarded("What is pinned"):
        beside = pins.pinned(chosen)
    if beside is None:
        with said:
            line(chosen, examination, *next(iter(choice.maps.items())))
        shown = _alone(chosen, choice)
    else:
        shown = _pinned(chosen, beside, choice)
    span.controls(chosen.chosen_span, chosen.series_set.times(chosen.index), chosen.series_set.axis)
    if chosen.chosen_span is not None:
        with guarded("What can be done with the marked span"):
            marked.actions(chosen, shown)
    _on_a_click(chosen, examination, choice, shown, beside)
    _how_to_read()
    examine_ahead(chosen, following)


def _explained(chosen: Context, asked: dict[str, DrawnMap]) -> Shown:
    """Compute the maps; of one that takes long, say so and leave it out."""
    shown: Shown = {}
    for title, drawn in asked.items():
        with guarded(f"The map {plain(title)}"):
            if examined(chosen) is not None and (one := drawn_map.explained(chosen, drawn)) is not None:
                shown[title] = drawn, one
    return shown


def _alone(chosen: Context, choice: maps.Choice) -> Shown:
    shown = _explained(chosen, choice.maps)
    with guarded("The picture"):
        limits = [common_limits(chosen, *one, is_fitted=choice.is_fitted) for one in shown.values()]
        figure = picture(chosen, shown, limits)
        if len(shown) > 1:
            _agreement(chosen, shown)
        for drawn, one in list(shown.values())[:1]:
            downloads.map_downloads(chosen, drawn, one, figure)
    return shown


def _pinned(chosen: Context, beside: Context, choice: maps.Choice) -> Shown:
    """Draw the chosen series and what is pinned side by side, by the same maps on the same scales."""
    pairs = [
        (chosen, choice.maps, "Chosen"),
        (beside, {title: _translated(one, chosen, beside) for title, one in choice.maps.items()}, "Pinned"),
    ]
    columns = split(2, "pinned", "wide")
    both = []
    for column, (who, asked, told) in zip(columns, pairs, strict=True):
        with column:
            title = pins.model_title(who.model_reference)
            st.markdown(f"**{told}:** series {plain(who.series_id)} · model {plain(title)}")
            if (examination := examined(who)) is not None:
                line(who, examination, *next(iter(asked.items())))
            both.append(_explained(who, asked))
    if both[0].keys() == both[1].keys():
        limits = [
            covering(*(common_limits(who, *one, is_fitted=choice.is_fitted) for who, one in pair))
            for pair in (
                ((chosen, first), (beside, other))
                for first, other in zip(both[0].values(), both[1].values(), strict=True)
            )
        ]
        for place, (who, other) in enumerate(((chosen, beside), (beside, chosen))):
            with columns[place], guarded("The picture"):
                picture(who, both[place], limits, beside=other, key="_pinned" if place else "")
    return both[0]


def _translated(drawn: DrawnMap, chosen: Context, beside: Context) -> DrawnMap:
    """Return the same map for another model, whose classes may stand in another order."""
    ours, theirs = model_of(chosen).class_names, model_of(beside).class_names
    against = None if drawn.against is None else theirs.index(ours[drawn.against])
    return DrawnMap(drawn.method, theirs.index(ours[drawn.target]), drawn.layer, drawn.head, against)


def _agreement(chosen: Context, shown: Shown) -> None:
    """Say whether the maps point to the same time, and of each what it is worth."""
    values = [one.values for _, one in shown.values()]
    agreement = agreement_of(values)
    times, unit = chosen.series_set.times(chosen.index), chosen.series_set.axis.length
    st.markdown(f"**{plain(agreement.sentence(list(shown), times, unit))}**")
    alike = rank_similarity(values)[0]
    for place, (title, (drawn, _)) in enumerate(shown.items()):
        order = "" if place == 0 or np.isnan(alike[place]) else f" · order as the first map's: {alike[place]:+.2f} of 1"
        trust.chip(chosen, drawn, f"{plain(title)}{plain(order)}")


def _on_a_click(
    chosen: Context, examination: Examination, choice: maps.Choice, shown: Shown, beside: Context | None
) -> None:
    """Draw what is computed only when somebody opens it."""
    worth = _opened("What is this map worth?", "worth", ":material/verified:")
    with worth:
        if worth.open and shown:
            title = next(iter(shown))
            if len(shown) > 1:
                title = st.segmented_control("Of the map", list(shown), default=title, required=True, key="worth_of")
            trust.filler_choice(*([chosen] if beside is None else [chosen, beside]))
            trust.panel(chosen, *shown.get(title or "", next(iter(shown.values()))))
    chances = _opened("How likely is each class?", "chances", ":material/bar_chart:")
    with chances:
        if chances.open:
            _probabilities(chosen, examination)
    if examination.class_token_rows:
        more = _opened(
            "Where each attention head looks, and each class",
            "heads_and_classes",
            ":material/stacked_line_chart:",
        )
        with more:
            if more.open:
                _heads_and_classes(chosen, examination, next(iter(choice.maps.values())).layer)


def _opened(label: str, key: str, icon: str) -> Any:
    return st.expander(label, key=key, icon=icon, bind="query-params", on_change="rerun")


def _probabilities(chosen: Context, examination: Examination) -> None:
    names = model_of(chosen).class_names
    name = names[examination.predicted]
    true = chosen.series_set.label_name(chosen.index)
    figure = probabilities_figure(examination.probabilities, names, true, name, theme=theme())
    chart(figure, key="probabilities", alt=f"Probability of each class; {name} is the highest.")


def _heads_and_classes(chosen: Context, examination: Examination, layer: int | None) -> None:
    layer = len(examination.class_token_rows) - 1 if layer is None else layer
    heads, classes = split(2, "heads", "wide")
    with heads, guarded("The heads"):
        st.subheader(f"Each head of layer {layer + 1}")
        rows = examination.class_token_rows[layer]
        series_set = chosen.series_set
        figure = head_figure(
            rows, series_set.times(chosen.index), series_set.time_unit, visible_span=chosen.span, theme=theme()
        )
        chart(figure, key="heads", alt="Attention of each head over time, and each head's mass on the class token.")
        st.caption("Heads differ widely, in untrained networks too: one head that fits what you expect proves nothing.")
    with classes, guarded("The mean of each class"):
        st.subheader("Mean attention of each class")
        curves = _class_mean_attention(chosen, layer)
        if curves is None:
            return
        chart(
            class_mean_figure(curves, band="90 % of the series", theme=theme()),
            key="class_means",
            alt="Mean attention over relative time.",
        )
        st.caption("Test series where there are any, grouped by true class; the band holds 90 % of them.")


def _class_mean_attention(chosen: Context, layer: int) -> dict[str, class_means.ClassMean] | None:
    """Return the mean attention of each true class, on the test series where there are any."""
    model, test = model_of(chosen), tested(chosen.series_set)
    affordable = int(TIMEPOINTS_FOR_MEANS // test.lengths.mean())
    n_series = min(len(test), int(np.clip(affordable, 2 * test.n_classes, 200)))
    return ask.computed(
        f"The mean attention of each class, over {n_series} series",
        ("class means", *ask.about(chosen), layer),
        int(n_series * test.lengths.mean()),
        lambda n, progress: model.detailed(beginning(chosen.series, n)),
        lambda progress: class_means.class_mean_attention(
            model, test, layer=layer, by="true", max_series=n_series, progress=progress
        ),
        partial(ask.timed, chosen),
    )


def _how_to_read() -> None:
    guide(
        "Each row is a channel on one time axis. The shade behind the signals and the curve beneath are the same "
        "numbers: orange where a time point speaks for the class, blue where against; of maps that know no class, the "
        "darker the more. Colours are on one scale for all series of the model, so that a series with nothing in it "
        "looks pale; *Map* fits them to this series. Of attention the dashed line is a map that knows nothing, which "
        "has 1/T at each of T time points. Drag over the chart to mark a span. *Compare* puts other methods beneath, "
        "or another series or model beside it.",
        limits="Attention has neither a sign nor a class: it tells where the model mixed information from, not what "
        "speaks for the predicted class. By the last layer each point has already gathered its neighbours and, in the "
        "first layer, the whole series. The page opens on the map that measures best for this model and class: whether "
        "it points at what decides is measured over many series, by removal and by restoring, against the same map "
        "moved to other places and against other series' maps.",
    )


with guarded("The Attention page"):
    page()
