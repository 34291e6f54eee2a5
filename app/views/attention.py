"""Attention: where the class token looked, and how far that can be believed."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import context, downloads, maps, results, slow, span, trust
from app.context import Context
from app.navigator import series_navigator
from app.parts import chart, empty_state, guarded, guide, heading, plain, split, theme
from app.slow import DrawnMap
from timemil_core.explain.examination import Examination
from timemil_core.explain.importance import Importance
from timemil_core.figures.attention import class_mean_figure, head_figure, probabilities_figure
from timemil_core.figures.series import series_figure


def page() -> None:
    """Draw the page."""
    heading(
        "Attention",
        "What the class token takes from each time point, what speaks for a class, and how far that can be believed.",
    )
    chosen = context.load()
    if chosen.model is None:
        empty_state(
            f"No model has been trained on **{plain(chosen.series_set.name)}** yet, so there is no attention to show. "
            "Train one (a minute or two for a set like BasicMotions), or choose another data set in the sidebar.",
            page="views/train.py",
            label="Train a model on these data",
            icon=":material/model_training:",
        )
        return
    following = series_navigator(chosen)
    examination = results.examine(chosen.model, chosen.series_set, chosen.index)
    drawn = maps.chooser(chosen.model, chosen.series_set, examination)
    verdict, importance = st.container(), None
    with verdict, guarded("The map"):
        importance = slow.explained(chosen, drawn)
    span.controls(chosen.chosen_span, chosen.series_set.times(chosen.index), chosen.series_set.time_unit)
    picture, facts = split([3, 1.15], "attention")
    with picture:
        _picture(chosen, drawn, importance)
    with facts:
        _prediction(chosen, examination)
    if importance is not None:
        test = None
        with verdict, guarded("The removal test"):
            test = trust.measured(chosen, drawn, importance)
            if test is not None:
                trust.verdict(test)
        with facts:
            trust.panel(chosen, drawn, importance, test)
    _more(chosen, examination, drawn.layer)
    _how_to_read()
    if following is not None:
        results.examine(chosen.model, chosen.series_set, following)  # while this one is looked at


def _prediction(chosen: Context, examination: Examination) -> None:
    assert chosen.model is not None
    names = chosen.model.class_names
    predicted = names[int(examination.logits.argmax())]
    true = chosen.series_set.label_name(chosen.index)
    if true is None:
        st.markdown(f"Predicted **{plain(predicted)}**; the true class is not known.")
    elif true == predicted:
        st.markdown(f"Predicted **{plain(predicted)}** :green-badge[:material/check: correct]")
    else:
        st.markdown(f"Predicted **{plain(predicted)}**, is **{plain(true)}** :orange-badge[:material/close: wrong]")
    figure = probabilities_figure(examination.probabilities, names, true, predicted, theme=theme())
    chart(figure, key="probabilities", alt=f"Probability of each class; {predicted} is the highest.")


def _picture(chosen: Context, drawn: DrawnMap, importance: Importance | None) -> None:
    series_set = chosen.series_set
    times = series_set.times(chosen.index)
    shown: dict[str, Any] = {}
    if importance is not None:
        shown = {
            "attention": importance.values,
            "attention_title": importance.name,
            "signed": importance.signed,
            "channel_attention": importance.per_channel,
            "attention_unit": "weight" if importance.are_weights else "importance",
            "flat_reference": importance.are_weights,
        }
    figure = series_figure(
        times,
        series_set.series[chosen.index],
        series_set.channel_names,
        series_set.time_unit,
        truth=results.truth(series_set, chosen.index),
        selected_span=chosen.marked,
        visible_span=chosen.span,
        theme=theme(),
        **shown,
    )
    name = "The signal" if importance is None else importance.name
    alt = f"{name} over the channels of series {chosen.series_id}."
    span.zoomable(figure, chosen.chosen_span, times, key="series", alt=alt)
    if importance is not None:
        st.caption(plain(importance.note))
        downloads.map_downloads(chosen, drawn, importance, figure)


def _more(chosen: Context, examination: Examination, layer: int | None) -> None:
    if not examination.class_token_rows:
        return
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
        curves = slow.class_mean_attention(chosen, layer)
        if curves is None:
            return
        chart(
            class_mean_figure(curves, band="90 % of the series", theme=theme()),
            key="class_means",
            alt="Mean attention over relative time.",
        )
        st.caption("Test series where there are any, grouped by true class; the band holds 90 % of them.")


def _how_to_read() -> None:
    guide(
        "Each row is a channel on one time axis. The shade behind the signals and the curve beneath are the same "
        "numbers: the share of the class token's attention that each time point received in the chosen layer. The "
        "dashed line is a map that knows nothing, 1/T at each point, and the shade is anchored to it: a flat map "
        "looks flat. What the class token kept for itself is told at right and is not part of the picture.",
        limits="Attention has neither a sign nor a class: it tells where the model mixed information from, not what "
        "speaks for the predicted class. By the last layer each point has already gathered its neighbours (235 points "
        "in the backbone) and, in the first layer, the whole series. Whether a map points at what decides is measured "
        "beside it, by removal. The other maps are about one class. The page opens on the map that measures best for "
        "this model on its validation series, and shows the attention's heads beneath.",
    )


with guarded("The Attention page"):
    page()
