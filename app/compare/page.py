"""Compare: the models of one data set side by side, who is right where, and whether they look at the same places."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from app import ask
from app.common import context, loading, state
from app.common.parts import chart, empty_state, guarded, guide, plain, split, theme
from app.compare import maps, more, several
from timemil_core.compare.comparison import Comparison, compare
from timemil_core.compare.contenders import Contender, contenders, of_several_seeds
from timemil_core.compare.tables import (
    CHOSEN_ON_TEST,
    card_table,
    exact_table,
    latex,
    published_protocols,
    published_table,
    shown_table,
)
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.wording import counted
from timemil_core.figures.compare import accuracy_against_time_figure
from timemil_core.figures.confusion import confusion_figure
from timemil_core.models import shelf

MODELS_KEY, TABLE_KEY = "compared", "disagreed_series"
MOST_LISTED = 200
MOST_AT_FIRST = 8


def page() -> None:
    """Draw the page."""
    with st.container(horizontal=True, vertical_alignment="center", key="top"):
        st.title("Compare", width="content")
        choice = st.container(width="content")
    series_set, data = context.load_data(), state.current(state.Selection()).data
    found = contenders(data)
    if not found:
        empty_state(f"No model has been trained on **{plain(series_set.name)}** yet, so there is nothing to compare.")
        more.networks(data)
        return
    with choice:
        chosen = _chosen(found)
    if not chosen:
        st.info("Choose at least one model.", icon=":material/info:")
        return
    comparison = _compared(series_set, chosen)
    if comparison is None:
        st.dataframe(card_table(chosen), hide_index=True, alt="What each model's card tells.")
        st.caption("What their cards tell, until all have been asked for each series.")
        return
    st.markdown(f"**{plain(comparison.in_words())}**")
    with guarded("The table of models"):
        _table(comparison, data)
    with guarded("Where they disagree"):
        _disagreements(comparison, data)
    with guarded("Right and wrong"):
        _confusions(comparison)
    with guarded("Over several sets"):
        several.sets(data)
    with guarded("What others have published"):
        _published(data)
    with guarded("Train others"):
        more.networks(data)
    _how_to_read()


def _chosen(found: list[Contender]) -> list[Contender]:
    groups = {_group_name(group): group for group in of_several_seeds(found).values()}
    with st.popover(f"Models ({len(groups)})", icon=":material/model_training:"):
        asked = st.multiselect(
            "Models", list(groups), list(groups)[:MOST_AT_FIRST], key=MODELS_KEY, width=420,
            help="All that were trained on the chosen data set, here or in a sweep; those that differ in their seed "
            "alone together.",
        )  # fmt: skip
    return [one for name in asked for one in groups[name]]


def _group_name(group: Sequence[Contender]) -> str:
    one = group[0]
    own = "" if one.title in (one.network, one.facts.get("data_name")) or len(group) > 1 else f" · {one.title}"
    return f"{one.network}{own}" + (f", {len(group)} seeds" if len(group) > 1 else "")


def _name(one: Contender) -> str:
    seed = "" if one.seed is None else f", seed {one.seed}"
    own = "" if one.title in (one.network, one.facts.get("data_name")) else f" · {one.title}"
    return f"{one.network}{seed}{own}"


def _compared(series_set: SeriesSet, chosen: Sequence[Contender]) -> Comparison | None:
    versions = tuple((one.reference, shelf.version(one.reference)) for one in chosen)
    opened = {one.reference: loading.model(one.reference) for one in chosen}
    return ask.prompt(
        f"What {counted(len(chosen), 'model')} say of each series",
        ("compared", series_set.fingerprint, versions),
        lambda progress: compare(series_set, chosen, opened.__getitem__, progress),
    )


def _table(comparison: Comparison, data: str) -> None:
    st.dataframe(shown_table(comparison), hide_index=True, alt="A row a network: scores, evidence of its maps, times.")
    told = f"On {len(comparison.true):,} {'test series' if comparison.part == 'test' else 'series'}; "
    told += "± is the standard deviation over seeds. Precision, recall and F1 are means over classes."
    if any(row.chosen_on_test for row in comparison.rows):
        told += f" * {CHOSEN_ON_TEST}: these scores are too good."
    st.caption(told)
    with st.container(horizontal=True):
        name = f"compare-{data}"
        csv = exact_table(comparison).to_csv(index=False).encode()
        st.download_button("CSV", csv, f"{name}.csv", "text/csv", icon=":material/download:", key="csv")
        st.download_button("LaTeX", latex(comparison), f"{name}.tex", icon=":material/download:", key="latex")
    figure = accuracy_against_time_figure(
        [(row.network, row.means["accuracy"], row.deviations["accuracy"], row.seconds) for row in comparison.rows],
        theme=theme(),
    )
    if len(comparison.rows) > 1:
        chart(figure, key="accuracy_time", alt="Accuracy of each network against the seconds that it took to fit.")


def _disagreements(comparison: Comparison, data: str) -> None:
    if len(comparison.contenders) < 2:
        return
    st.subheader("Where they disagree")
    st.markdown(comparison.agreement_in_words())
    listed = [
        *comparison.disagreed.tolist(),
        *(i for i in comparison.wrong_by_all.tolist() if i not in comparison.disagreed),
    ]
    if not listed:
        listed = list(range(min(len(comparison.true), MOST_LISTED)))
    rows = listed[:MOST_LISTED]
    names, series_set = comparison.series_set.class_names, comparison.series_set
    table = pd.DataFrame(
        {
            "series": [series_set.series_ids[index] for index in rows],
            "true class": [names[comparison.true[index]] for index in rows],
            **{
                _name(one): [_said(comparison, place, index) for index in rows]
                for place, one in enumerate(comparison.contenders)
            },
        }
    )
    picked = st.dataframe(
        table, hide_index=True, key=TABLE_KEY, on_select="rerun", selection_mode="single-row", height=300,
        alt="Series, those on which models disagree first, and what each says.",
    )  # fmt: skip
    chosen = picked.selection.rows
    index = rows[chosen[0]] if chosen and chosen[0] < len(rows) else rows[0]
    maps.side_by_side(comparison, index, data)


def _said(comparison: Comparison, place: int, index: int) -> str:
    said = comparison.predicted[place, index]
    name = comparison.series_set.class_names[said]
    return name if said == comparison.true[index] else f"✗ {name}"


def _confusions(comparison: Comparison) -> None:
    st.subheader("Right and wrong by class")
    firsts = [group[0] for group in of_several_seeds(comparison.contenders).values()]
    places = [comparison.contenders.index(one) for one in firsts]
    places = [place for place in places if (comparison.predicted[place] != comparison.true).any()]
    if not places:
        st.markdown("No model has any series wrong.")
        return
    columns = split(min(len(places), 3), "confusions", "wide")
    for column, place in zip(columns, places[:3], strict=False):
        with column:
            one = comparison.contenders[place]
            st.markdown(f"**{plain(_name(one))}**")
            figure = confusion_figure(comparison.confusion(place), comparison.series_set.class_names, theme=theme())
            n_wrong = int((comparison.predicted[place] != comparison.true).sum())
            chart(figure, key=f"confusion_{place}", alt=f"Confusion matrix of {_name(one)}: {n_wrong} wrong.")
    if len(places) > 3:
        st.caption(f"Of {len(places)} models with a wrong series, the first three; choose others above.")


def _published(data: str) -> None:
    table = published_table(data)
    if table.empty:
        return
    st.subheader("What others have published")
    st.dataframe(table, hide_index=True, height=min(36 * (len(table) + 1), 300), alt="Published accuracies.")
    st.caption(plain(" ".join(published_protocols(data))))


def _how_to_read() -> None:
    guide(
        "Every model is asked for the same series now, on this machine. A row is a network with its settings; where it "
        "was trained under several seeds, scores are means with their spread. Evidence says what its maps are worth "
        "by the measurement of the Trust page: a more accurate model need not have truer maps.",
        limits="With few test series a difference of one or two is chance. Times to fit are those of the machine at "
        "that hour. Published figures were made by other protocols, some by choosing the epoch on the test set.",
    )


with guarded("The Compare page"):
    page()
