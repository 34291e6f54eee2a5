"""Start: what this is, shown on a trained model of real series before a word is read."""

from __future__ import annotations

import streamlit as st

from app import ask
from app.common import context, drawn_map, state, trust
from app.common.context import Context, truth
from app.common.parts import chart, guarded, heading, plain, split, theme
from timemil_core.explain.evaluation.ranking import known_ranking
from timemil_core.figures.series import series_figure
from timemil_core.models.shelf import ShelfEntry, shelf, unreadable

STEPS = [
    (
        "attention/page.py",
        "Attention",
        ":material/visibility:",
        "where it looked, by layer and head, and whether to believe it",
    ),
    ("wavelets/page.py", "Wavelets", ":material/ssid_chart:", "the kernels it learned, in time and in frequency"),
    (
        "boundary/page.py",
        "Decision boundary",
        ":material/scatter_plot:",
        "every time point on a plane, against a fully supervised model",
    ),
]


def page() -> None:
    """Draw the page."""
    heading(
        "See what a time series classifier has learned",
        "TimeMIL learns from labels of whole series which time points matter. Below is a trained model on real data; "
        "every picture here says how far it can be believed.",
    )
    chosen = context.load()
    if chosen.model is None:
        st.info(f"No model has been trained on {plain(chosen.series_set.name)} yet.", icon=":material/info:")
    else:
        with guarded("The opening picture"):
            _opening(chosen)
    with guarded("The ways on"):
        _ways_on()
    with guarded("The list of models"):
        _models()


def _opening(chosen: Context) -> None:
    assert chosen.model is not None
    series_set = chosen.series_set
    examination = ask.examined(chosen)
    if examination is None:
        return
    predicted = int(examination.logits.argmax())
    method = "attention" if examination.class_token_rows else "pooling"
    layer = len(examination.class_token_rows) - 1 if examination.class_token_rows else None
    drawn = drawn_map.DrawnMap(method, predicted, layer)
    importance = drawn_map.explained(chosen, drawn)
    if importance is None:
        return
    true = series_set.label_name(chosen.index)
    name = chosen.model.class_names[predicted]
    verdict = "its true class is not known" if true is None else "correctly" if true == name else f"but it is {true}"
    st.markdown(
        f"**{plain(series_set.name)}**, series {plain(chosen.series_id)}: classified as **{plain(name)}** with "
        f"probability {examination.probabilities[predicted]:.2f}, {plain(verdict)}. The shade is what the class token "
        "took from each time point."
    )
    verdict_place = st.container()
    figure = series_figure(
        series_set.times(chosen.index), series_set.series[chosen.index], series_set.channel_names, series_set.time_unit,
        attention=importance.values, attention_title=importance.name, truth=truth(series_set, chosen.index),
        theme=theme(),
    )  # fmt: skip
    chart(figure, key="opening", alt="A series with the model's attention behind it.")
    with verdict_place:
        trust.worth(chosen, drawn)
        _what_measures_best(chosen, method)


def _what_measures_best(chosen: Context, drawn: str) -> None:
    # The picture is what the network looked at. Where another map marks better what moves it, say which.
    assert chosen.model is not None
    known = known_ranking(chosen.model, chosen.series_set)
    if known is None or known.opening.method == drawn or known.opening.standing.level not in ("strong", "mixed"):
        return
    st.page_link(
        "attention/page.py",
        label=f"**{known.opening.title}** measured best for this model: see its map",
        icon=":material/compare:",
    )


def _ways_on() -> None:
    for column, (target, label, icon, text) in zip(split(3, "steps", "narrow"), STEPS, strict=True):
        with column, st.container(border=True, height="stretch"):
            st.page_link(target, label=f"**{label}**", icon=icon)
            st.caption(text)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown("**Your own series:** upload a CSV, check how it was read, train, and see the same pictures.")
        st.page_link("data/page.py", label="Upload", icon=":material/upload:", query_params={state.VIEW: state.UPLOAD})


def _models() -> None:
    st.subheader("Trained models")
    entries = shelf()
    if not entries:
        st.markdown("None yet: train one on the Train page.")
        return
    for reference, problem in unreadable().items():
        st.warning(f"{plain(reference)} cannot be opened: {plain(problem)}", icon=":material/warning:")
    for start in range(0, len(entries), 3):
        for column, entry in zip(split(3, f"models-{start}", "narrow"), entries[start : start + 3], strict=False):
            with column:
                _card(entry)


def _card(entry: ShelfEntry) -> None:
    scores = entry.facts.get("scores", {})
    with st.container(border=True, height="stretch"):
        st.markdown(f"**{plain(entry.title)}** · {plain(entry.origin)}")
        if scores.get("test_accuracy") is not None:
            st.caption(f"test accuracy {scores['test_accuracy']:.3f} on {entry.facts.get('n_test', '?')} series")
        if worth := entry.facts.get("attention_worth"):
            st.caption(plain(str(worth)))
        st.button(
            "Open", key=f"open_{entry.reference}", icon=":material/open_in_new:",
            on_click=state.choose, kwargs={
                "data": entry.data,
                "model": entry.reference,
                "series": str(entry.facts.get("opening_series", "")),
            },
        )  # fmt: skip


with guarded("The Start page"):
    page()
