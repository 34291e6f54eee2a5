"""Trust: what this model's maps are worth over a whole set, method by method."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.common import context, whole_set
from app.common.context import Context
from app.common.parts import chart, empty_state, guarded, guide, heading, percent, plain, split, theme
from app.trust import flat_attention, trust_spread
from timemil_core.explain.choice import Choice
from timemil_core.explain.sanity.checks import INSENSITIVE, SanityChecks
from timemil_core.explain.uniform import can_be_flat
from timemil_core.figures.trust import agreement_figure, merits_figure, sensitivity_figure


def page() -> None:
    """Draw the page."""
    heading(
        "Trust",
        "Which pictures of this model are evidence, which are decoration: every method measured on the same series.",
    )
    chosen = context.load()
    if chosen.model is None:
        empty_state(
            f"No model has been trained on **{plain(chosen.series_set.name)}** yet. Train one to measure its maps.",
            page="train/page.py",
            label="Train a model on these data",
            icon=":material/model_training:",
        )
        return
    with guarded("The merits of the methods"):
        _merits(chosen)
    with guarded("The scores by class"):
        trust_spread.classes(chosen)
    with guarded("The check of the attention"):
        _attention(chosen)
    with guarded("The checks of the methods"):
        _checks(chosen)
    with guarded("The spread over seeds"):
        trust_spread.seeds(chosen)
    _how_to_read()


def _merits(chosen: Context) -> None:
    st.subheader("Which method's map matters most to the model")
    choice = whole_set.method_choice(chosen)
    if choice is None:
        return
    (st.info if choice.best.merit > 0 else st.warning)(plain(choice.sentence))
    merits = choice.merits
    figure = merits_figure(
        [one.title for one in merits],
        np.array([one.merit for one in merits]),
        np.array([one.beats_random for one in merits]),
        theme=theme(),
    )
    chart(figure, key="merits", alt=f"Merit of each method; {choice.best.title} is the highest.")
    st.caption(_measured_on(choice))


def _measured_on(choice: Choice) -> str:
    return (
        f"Measured on {choice.n_series} {choice.part} series, never on the test part, by removing and restoring what a "
        f"map marks (removed points: {' and '.join(choice.fillers)}), against all methods' maps at random places. "
        "A map that means nothing beats 95 % of them in about 10 % of the curves."
    )


def _attention(chosen: Context) -> None:
    assert chosen.model is not None
    if not can_be_flat(chosen.model, chosen.series_set):
        return
    st.subheader("Is the attention used at all?")
    check = flat_attention.uniform_attention(chosen)
    if check is None:
        return
    cost = check.accuracy - check.uniform_in_time
    told = f"costs {percent(cost, 1)} of the series" if cost > 0 else "costs nothing"
    st.markdown(
        f"Making the last layer's attention the same at every time point {told} in accuracy ({check.n_series} series). "
        + (
            "The model hardly depends on *where* that layer looks: its attention map is no reason for a prediction."
            if cost < 0.05
            else "Where that layer looks matters to the model."
        )
    )
    columns = split(3, "uniform", "narrow")
    for column, label, value in zip(
        columns,
        ("Accuracy, as it is", "attention flat in time", "flat, none on the class token"),
        (check.accuracy, check.uniform_in_time, check.uniform),
        strict=True,
    ):
        delta = None if value == check.accuracy else f"{value - check.accuracy:+.3f}"
        column.metric(label, f"{value:.3f}", delta)


def _checks(chosen: Context) -> None:
    st.subheader("Does a map come from what was learned?")
    checks = whole_set.checks_of_methods(chosen)
    if checks is None:
        return
    st.markdown(_sensitivity_told(checks))
    figure = sensitivity_figure(checks.methods, checks.stages, checks.kept, theme=theme())
    chart(figure, key="sensitivity", alt="Rank correlation of each method's map with itself as weights become random.")
    st.caption(
        f"Means over {checks.n_series} {checks.part} series. A line that stays high at the right draws the data or the "
        "architecture, not the training. A method that knows no class cannot change with the classifier."
    )
    st.subheader("Do the methods agree?")
    figure = agreement_figure(checks.methods, checks.agreement, theme=theme())
    chart(figure, key="agreement", alt="Rank correlation between the maps of each pair of methods.")
    st.caption("Methods that disagree cannot all be right; methods that agree can be wrong together.")


def _sensitivity_told(checks: SanityChecks) -> str:
    if not checks.insensitive:
        return (
            "With every trained weight made random, no method's map keeps a rank correlation above "
            f"{INSENSITIVE} with the trained model's: all of them depend on the training."
        )
    names = ", ".join(f"**{plain(name)}**" for name in checks.insensitive)
    return (
        f"With every trained weight made random, these maps stay much the same: {names}. They tell little of training."
    )


def _how_to_read() -> None:
    guide(
        "The first chart asks whether what a map marks is what the model uses: marked points are removed, and "
        "restored, first, and the change of the logit is compared with that of all methods' maps at random places. The "
        "second makes the weights random from the classifier down (Adebayo et al. 2018). The third compares the orders "
        "into which methods bring the time points of the same series. The tables by class ask whether one number hides "
        "a class for which it fails; the spread over seeds, whether another run of the same training draws the same "
        "picture: points far apart mean that it does not.",
        limits="Removal takes a series out of what the model has seen in training, and what stands in place of removed "
        "points matters; two kinds are averaged. Merits compare methods of one model, not models. Few series are "
        "measured: differences between neighbours in the chart mean nothing.",
    )


with guarded("The Trust page"):
    page()
