"""The answer, which the app opens on: what tells each class apart, in a sentence and a picture, with its evidence."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

import streamlit as st

from app import ask
from app.answer import doors, result
from app.common import context, trust
from app.common.context import Context
from app.common.parts import chart, empty_state, guarded, plain, split, theme
from timemil_core.data.wording import counted
from timemil_core.explain.answer import Answer, ClassAnswer
from timemil_core.explain.answering import MOST_MAPS, method_for
from timemil_core.explain.cost import PROBE_TIMEPOINTS, beginning
from timemil_core.explain.evaluation.kept import share_measured
from timemil_core.explain.evaluation.ranking import Ranking, known_ranking
from timemil_core.explain.evaluation.wording import MEANING, measured_on, of_itself_in_short, of_itself_sentence
from timemil_core.explain.importance import METHODS, explain
from timemil_core.explain.kept_answer import answer_and_keep, known_answer
from timemil_core.explain.progress import Progress
from timemil_core.figures.answer import examples_figure, mean_figure, verdict_of
from timemil_core.models.shelf import locate

LEGEND = ":orange[orange]: for the class, :blue[blue]: against it"
FIRST_CLASSES = 4  # that are drawn unasked: a page of forty pictures is neither read nor quick
UNMEASURED = "What these maps are worth for this model has not been measured yet."
ALL_KEY = "all_classes"


def page() -> None:
    """Draw the page."""
    chosen = context.load()
    st.title("What tells the classes apart")
    if chosen.model is None:
        empty_state(
            f"No model has been trained on **{plain(chosen.series_set.name)}** yet. Train one to see what it finds.",
        )
    else:
        with guarded("What tells the classes apart"):
            _answer(chosen)
    with guarded("The lessons"):
        doors.lessons()
    with guarded("The list of models"):
        doors.models()
    doors.to_top(chosen.model_reference)


def _answer(chosen: Context) -> None:
    model, series_set = ask.model_of(chosen), chosen.series_set
    folder, ranking = locate(chosen.model_reference), known_ranking(model, series_set)
    key = (*ask.about(chosen), ranking is not None)
    found: Answer | None = ask.at_once(
        "What tells each class", ("known answer", *key), lambda progress: known_answer(model, series_set, folder)
    )
    if found is None:
        found = _found(chosen, ranking, ("answer", *key))
    if found is None:
        return
    worth = "" if ranking is None else of_itself_in_short(ranking)
    about = "Guessing: all are called by the most frequent class."
    if worth and ranking is not None:
        about += f" The level was measured on {measured_on(ranking)}, not on the test part."
    st.caption(" · ".join(filter(None, (plain(series_set.name), result.in_words(found), worth, LEGEND))), help=about)
    if ranking is None:
        _unmeasured(chosen)
    shown = found.classes if st.session_state.get(ALL_KEY) == key else found.classes[:FIRST_CLASSES]
    for told in shown:
        _class(chosen, found, told)
    if len(shown) < len(found.classes):
        more = counted(len(found.classes) - len(shown), "more class")
        st.button(f"Show {more}", icon=":material/expand_more:", on_click=_show_all, args=(key,))
    with guarded("What is right and wrong"):
        result.result(chosen, found)
    _how_found(chosen, found, ranking)


def _found(chosen: Context, ranking: Ranking | None, key: tuple[Hashable, ...]) -> Answer | None:
    """Return the answer once it is found, which goes on in the background; over long series it is offered first."""
    model, series_set = ask.model_of(chosen), chosen.series_set

    def compute(progress: Progress) -> Answer:
        return answer_and_keep(model, series_set, progress=progress)

    if series_set.lengths.max() <= PROBE_TIMEPOINTS:
        return ask.prompt("What tells each class", key, compute)
    method, _, _ = method_for(model, ranking, model.class_names[0])
    return ask.computed(
        "What tells each class",
        key,
        MOST_MAPS * int(series_set.lengths.max()),
        lambda n, progress: explain(model, beginning(chosen.series, n), method, 0, progress=progress),
        compute,
        partial(ask.timed, chosen),
    )


def _show_all(key: tuple[object, ...]) -> None:
    st.session_state[ALL_KEY] = key


def _class(chosen: Context, found: Answer, told: ClassAnswer) -> None:
    worth = trust.worth_of(chosen, told.method, told.label)
    meaning = UNMEASURED if told.level is None else f"{MEANING[told.level]} {worth}"
    st.markdown(
        f"{_chip(told)} **{plain(told.name)}**{plain(told.finding)}", help=f"{meaning} Words: [Glossary](glossary)."
    )
    series = f"{told.n_series} {'test ' if found.part == 'test' else ''}series"
    st.caption(f"Map: {METHODS[told.method].title}, mean of {series}")
    limits, names = found.range_of(told.method), found.channel_names
    mean, examples = split([1.2, 1], f"class-{told.label}", "wide")
    with mean:
        figure = mean_figure(told, names, found.time_title, limits, theme=theme())
        chart(figure, key=f"mean_{told.label}", alt=f"{told.sentence}. Mean of {told.n_series} series with their map.")
    with examples:
        telling = {one.name: one.channel for one in found.classes}
        figure = examples_figure(told, names, found.time_title, limits, telling=telling, theme=theme())
        told_series = ", ".join(f"{one.series_id} ({verdict_of(one)})" for one in told.examples)
        chart(figure, key=f"examples_{told.label}", alt=f"Series with their maps: {told_series}.")
        with st.container(horizontal=True):
            for example in told.examples:
                doors.series_link(
                    chosen,
                    example.series_id,
                    plain(example.series_id),
                    is_wrong=example.is_right is False,
                    by=told.method if told.level is None else None,
                )


def _chip(told: ClassAnswer) -> str:
    if told.level is None:
        return f":blue-badge[:material/help: {told.chip}]"
    return f":{trust.COLOURS[told.level]}-badge[{trust.ICONS[told.level]} {told.chip}]"


def _how_found(chosen: Context, found: Answer, ranking: Ranking | None) -> None:
    if ranking is not None and (sentence := of_itself_sentence(ranking)):
        st.markdown(sentence)
    with st.expander("How this was found, and its limits", icon=":material/menu_book:"):
        series = "test series" if found.part == "test" else "series"
        for told in found.classes:
            met = f" They meet the known truth in {told.n_met} of {told.n_marked}." if told.n_marked else ""
            st.markdown(
                f"- **{plain(told.name)}**: maps of {told.n_series} {series} that the model calls so, by "
                f"{METHODS[told.method].title}.{met}"
            )
        st.markdown(
            "The line is the mean signal of series that the model calls so, the colour their mean map, on one scale "
            "for all classes of a method. The bar is the place that holds half of what speaks for the class. The chip "
            "tells what the maps are worth, as measured over many series by removing and "
            "restoring what they mark.\n\n**Limits.** The mean hides what differs between series: see the examples. "
            "Where evidence is spread, a place is a small part of it."
        )


def _unmeasured(chosen: Context) -> None:
    if share_measured(ask.model_of(chosen), chosen.series_set) is not None:
        trust.being_measured(chosen)
        return
    st.page_link("trust/page.py", label="Measure what these maps are worth", icon=":material/verified:")


with guarded("The answer page"):
    page()
