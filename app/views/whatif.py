"""What if: change a span of the chosen series and see what the model says then."""

from __future__ import annotations

import streamlit as st

from app import context, whatif
from app.context import Context
from app.navigator import series_navigator
from app.parts import chart, empty_state, guarded, guide, heading, plain, split, theme
from timemil_core.explain.edits import EditedSeries, compare
from timemil_core.figures.edited import before_after_figure


def page() -> None:
    """Draw the page."""
    heading("What if", "Change a span of a series and see at once what the model makes of it. The original stays.")
    chosen = context.load()
    if chosen.model is None:
        empty_state(
            f"No model has been trained on **{plain(chosen.series_set.name)}** yet, so there is nobody to ask. Train "
            "one, or choose another data set in the sidebar.",
            page="views/train.py",
            label="Train a model on these data",
            icon=":material/model_training:",
        )
        return
    series_navigator(chosen)
    edited = whatif.edited(chosen)
    asked = whatif.chosen_span(edited)
    picture, tools = split([3, 1.25], "whatif")
    with tools, guarded("The edit"):
        whatif.edit_form(edited, asked)
        whatif.lineage(edited)
    with picture, guarded("The picture"):
        _answer(chosen, edited)
        whatif.picture(chosen, edited, asked)
    with guarded("The counterfactual"):
        whatif.counterfactual_section(chosen, edited)
    _how_to_read()


def _answer(chosen: Context, edited: EditedSeries) -> None:
    assert chosen.model is not None
    comparison = compare(chosen.model, edited, whatif.original_examination(chosen))
    if edited.edits:
        st.info(plain(comparison.sentence), icon=":material/compare_arrows:")
    else:
        st.caption("Nothing is changed yet: drag over the chart or type a span, choose an edit, and apply it.")
    figure = before_after_figure(
        comparison.before.probabilities, comparison.after.probabilities, chosen.model.class_names, theme=theme()
    )
    chart(figure, key="before_after", alt=comparison.sentence)
    whatif.place_matters(chosen, edited)


def _how_to_read() -> None:
    guide(
        "Dotted is the original, the solid line is what the model is shown instead. Drag over the chart to choose a "
        "span, choose channels and an edit, and apply it: probabilities and map follow. Each edit is a step of the "
        "lineage, and *Undo* takes back the last. Beneath the probabilities stands what the *same* edit does at other "
        "places: only where it does more here than there is it this place that the model uses. A counterfactual "
        "borrows as little as it can from the nearest series that the model gives the other class.",
        limits="An edited series may be unlike any that the model has seen, and then its answer tells little about "
        "real ones: edits make steps at their borders. Whatever is taken away is filled by a straight line before the "
        "network sees it. Where each series is normalised by itself, a change at one place moves all others. A "
        "counterfactual is one of many, found by a greedy search: smaller ones may exist.",
    )


with guarded("The What if page"):
    page()
