"""Attention: where the class token looked, what speaks for a class, and how far both can be believed."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from app import ask
from app.ask import examine_ahead, examined, model_of
from app.attention import maps, pins
from app.attention.map_view import MapView, draw_picture, predicted, probabilities
from app.common import context, span, trust
from app.common.context import Context, tested
from app.common.drawn_map import DrawnMap
from app.common.navigator import series_navigator
from app.common.parts import chart, empty_state, guarded, guide, heading, plain, split, theme
from timemil_core.explain import class_means
from timemil_core.explain.cost import beginning
from timemil_core.explain.examination import Examination
from timemil_core.explain.importance import METHODS
from timemil_core.explain.sanity.similarity import rank_similarity
from timemil_core.figures.attention import class_mean_figure, head_figure

SINGLE = [3, 1.35]
TIMEPOINTS_FOR_MEANS = 200_000  # of all series of a class mean: a few seconds on two cores


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
            page="train/page.py",
            label="Train a model on these data",
            icon=":material/model_training:",
        )
        return
    following = series_navigator(chosen)
    pins.bar(chosen)
    examination = examined(chosen)
    if examination is None:
        _alone(chosen)
        return
    beside = None
    with guarded("What is pinned"):
        beside = pins.pinned(chosen)
    drawn = maps.chooser(chosen, examination, is_pinned=beside is not None)
    span.controls(chosen.chosen_span, chosen.series_set.times(chosen.index), chosen.series_set.time_unit)
    if beside is not None:
        _pinned(chosen, beside, drawn)
    elif len(drawn) > 1:
        _two_maps(chosen, examination, drawn)
    else:
        _one_map(chosen, examination, drawn[0])
    _more(chosen, examination, drawn[0].layer)
    _how_to_read()
    examine_ahead(chosen, following)


def _alone(chosen: Context) -> None:
    """Draw the signal of a long series while the model reads it."""
    span.controls(chosen.chosen_span, chosen.series_set.times(chosen.index), chosen.series_set.time_unit)
    picture, _ = split(SINGLE, "attention")
    with picture:
        draw_picture(chosen, None, None, beside=None, key="")


def _one_map(chosen: Context, examination: Examination, drawn: DrawnMap) -> None:
    verdict = st.container()
    picture, facts = split(SINGLE, "attention")
    prediction, numbers, settings = (facts.container() for _ in range(3))
    view = MapView(chosen, drawn, verdict, picture, numbers)
    view.explain()
    view.draw()  # the first thing that is sent: it is what one looks for
    with prediction:
        predicted(chosen, examination)
        probabilities(chosen, examination)
    with settings:
        trust.filler_choice(chosen)
    view.judge()


def _two_maps(chosen: Context, examination: Examination, drawn: list[DrawnMap]) -> None:
    """Draw two maps of the same series side by side."""
    said, alike = split(2, "common", "wide")
    with said:
        predicted(chosen, examination)
    views = _columns([(chosen, one, "") for one in drawn], "maps")
    for view in views:
        view.explain()
        view.draw()
    with alike:
        _agreement(views)
    chances, settings = split(2, "chances", "wide")
    with chances:
        probabilities(chosen, examination)
    with settings:
        trust.filler_choice(chosen)
    for view in views:
        view.judge()


def _agreement(views: list[MapView]) -> None:
    shown = [view.importance for view in views if view.importance is not None]
    if len(shown) < 2:
        return
    alike = rank_similarity([one.values for one in shown])[0, 1]
    if np.isnan(alike):
        st.markdown("One of the two maps is the same everywhere: there is nothing to compare.")
        return
    means = "much the same order" if alike > 0.7 else "partly the same order" if alike > 0.3 else "different orders"
    st.markdown(
        f"The two maps bring the time points into {means} (rank correlation {f'{alike:.2f}'.replace('-', '−')})."
    )


def _pinned(chosen: Context, beside: Context, drawn: list[DrawnMap]) -> None:
    """Draw the chosen series and what is pinned side by side, by the same maps on the same scales."""
    told = [f"**Chosen:** {_name(chosen)}", f"**Pinned:** {_name(beside)}"]
    if any(METHODS[one.method].class_specific for one in drawn):
        st.caption(f"Both maps are about the class {plain(model_of(chosen).class_names[drawn[0].target])}, on one "
                   "scale; so are the signals.")  # fmt: skip
    for place, one in enumerate(drawn):
        contexts = [(chosen, one), (beside, _translated(one, chosen, beside))]
        views = _columns(
            [(who, which, text) for (who, which), text in zip(contexts, told, strict=True)],
            f"pinned{place or ''}",
            with_prediction=place == 0,
            first_key=str(place or ""),
        )
        for view in views:
            view.explain()
        for view, other in zip(views, reversed(views), strict=True):
            view.draw(other.as_beside)
        for view in views:
            view.judge()
    trust.filler_choice(chosen, beside)


def _name(chosen: Context) -> str:
    return f"series {plain(chosen.series_id)} · model {plain(pins.model_title(chosen.model_reference))}"


def _translated(drawn: DrawnMap, chosen: Context, beside: Context) -> DrawnMap:
    """Return the same map for another model, whose classes may stand in another order."""
    ours, theirs = model_of(chosen).class_names, model_of(beside).class_names
    against = None if drawn.against is None else theirs.index(ours[drawn.against])
    return DrawnMap(drawn.method, theirs.index(ours[drawn.target]), drawn.layer, drawn.head, against)


def _columns(
    what: list[tuple[Context, DrawnMap, str]], key: str, *, with_prediction: bool = False, first_key: str = ""
) -> list[MapView]:
    """Lay out views side by side: the verdicts above the pictures, the numbers beneath.

    ``key`` names the columns on the page; ``first_key`` is added to the keys of the first view.
    """
    views = []
    for place, (column, (who, drawn, text)) in enumerate(zip(split(len(what), key, "wide"), what, strict=True)):
        own = first_key if place == 0 else f"_{key}_{place}"
        with column:
            if text:
                st.markdown(text)
            if with_prediction and (examination := examined(who)) is not None:
                predicted(who, examination)
            verdict = st.container(key=f"verdict-{key}-{place}")  # as high as its neighbour's: pictures on one line
            picture = st.container()
            if with_prediction and examination is not None:
                probabilities(who, examination, own)
            views.append(MapView(who, drawn, verdict, picture, st.container(), own))
    return views


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
        "numbers. Of attention it is the share of the class token's attention that each time point received in the "
        "chosen layer; the dashed line is a map that knows nothing, 1/T at each point, and the shade is anchored to "
        "it: a flat map looks flat. What the class token kept for itself is told among the numbers and is not part of "
        "the picture. Maps about a class are orange where a time point speaks for it, blue where against; with a "
        "second class, for the one rather than the other. A pinned series or model stands beside the chosen one by the "
        "same map, colours and axes on one scale.",
        limits="Attention has neither a sign nor a class: it tells where the model mixed information from, not what "
        "speaks for the predicted class. By the last layer each point has already gathered its neighbours (235 points "
        "in the backbone) and, in the first layer, the whole series. Whether a map points at what decides is measured "
        "over many series, by removal and by restoring, against the same map moved to other places and against other "
        "series' maps. The page opens on the map that measures best for this model, and shows attention beside it. "
        "Logits of two models are not comparable: of a pinned model compare the ranks, not the falls.",
    )


with guarded("The Attention page"):
    page()
