"""Trust: what this model's maps are worth over a whole set, method by method."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.ask import model_of
from app.common import context
from app.common.context import Context
from app.common.parts import chart, empty_state, guarded, guide, heading, percent, plain, split, theme
from app.trust import questions, spread
from timemil_core.explain.evaluation.attainable import PLACE_RULE
from timemil_core.explain.evaluation.ranking import Ranking
from timemil_core.explain.evaluation.wording import CHIP, fillers_told, measured_on, opening_sentence, place_sentence
from timemil_core.explain.sanity.checks import INSENSITIVE, SanityChecks
from timemil_core.explain.sanity.uniform import can_be_flat
from timemil_core.figures.trust import agreement_figure, ranking_figure, sensitivity_figure
from timemil_core.figures.trust_classes import class_scores_figure
from timemil_core.models.abilities import Ability


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
        )
        return
    with guarded("The ranking of the methods"):
        _ranking(chosen)
    with guarded("The check of the attention"):
        _attention(chosen)
    with guarded("The checks of the methods"):
        _checks(chosen)
    with guarded("The spread over seeds"):
        spread.seeds(chosen)
    _how_to_read()


def _ranking(chosen: Context) -> None:
    st.subheader("Which method's maps are evidence for this model")
    found = questions.ranking(chosen)
    if found is None:
        return
    st.markdown(plain(opening_sentence(found)))
    st.markdown(plain(place_sentence(found.places)))
    standings = [one.standing for one in found.as_shown]
    figure = ranking_figure(
        [one.title for one in found.as_shown],
        np.array([one.of_attainable for one in standings]),
        [one.level for one in standings],
        theme=theme(),
    )
    chart(figure, key="ranking", alt=f"Effect and level of each method; pages open on {found.opening.title}.")
    st.caption(
        f"Measured on {measured_on(found)}, never on the test part; removed points were {fillers_told(found.fillers)}. "
        "The bar is what a map moves the logit by beyond the same map at other places, as a share of what a search for "
        "the most harmful removal finds."
    )
    _by_class(found)


def _by_class(found: Ranking) -> None:
    classes = list(found.places_by_class)
    if len(classes) < 2:
        return
    st.subheader("Does it hold for every class?")
    effects = np.array([[one.by_class[name].of_logit for name in classes] for one in found.as_shown])
    n_series = [found.methods[0].by_class[name].n_series for name in classes]
    figure = class_scores_figure(
        [one.title for one in found.as_shown], classes, effects, n_series,
        quantity="change of the logit beyond other places, as a share of it", chance=0.0, theme=theme(),
    )  # fmt: skip
    chart(figure, key="classes", alt="Effect of each method on each predicted class.")
    for name in classes:
        best = found.best_for(name)
        standing = best.by_class[name]
        place = place_sentence(found.places_by_class[name])
        st.markdown(f"- **{plain(name)}**: {best.title}, {CHIP[standing.level]}. {plain(place)}")
    st.caption(f"{PLACE_RULE} Levels of a class rest on the few series beneath its column: take them as a hint.")


def _attention(chosen: Context) -> None:
    assert chosen.model is not None
    if not can_be_flat(chosen.model, chosen.series_set):
        return
    st.subheader("Is the attention used at all?")
    check = questions.uniform_attention(chosen)
    if check is None:
        return
    cost = check.accuracy - check.uniform_in_time
    told = f"costs {percent(cost, 1)} of the series" if cost > 0 else "costs nothing"
    st.markdown(
        f"Making the last layer's attention the same at every time point {told} in accuracy ({check.n_series} series). "
        + (
            "The model hardly depends on *where* that layer looks. What its map marks may matter all the same, as far "
            "as its level says, but not because attention points there."
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
    if Ability.UNTRAINED not in model_of(chosen).abilities:
        st.markdown("Not known: this classifier cannot be trained anew here, so no untrained one stands beside it.")
        return
    checks = questions.checks_of_methods(chosen)
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
        "restored, first, and the change of the logit is held against the same map at other places, and against other "
        "series' maps. The second makes the weights random from the classifier down (Adebayo et al. 2018). The third "
        "compares the orders into which methods bring the time points of the same series. The tables by class ask "
        "whether one number hides a class for which it fails; the spread over seeds, whether another run of the "
        "same training draws the same picture: points far apart mean that it does not.",
        limits="Removal takes a series out of what the model has seen in training, and what stands in place of removed "
        "points matters; two kinds are tried. Effects compare methods of one model, not models. Few series are "
        "measured: differences between neighbours in the chart mean nothing.",
    )


with guarded("The Trust page"):
    page()
