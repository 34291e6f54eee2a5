"""Networks over several data sets, by what their cards tell: ranks, and two of them against each other."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from app.common.parts import chart, plain, split, theme
from timemil_core.compare.contenders import Contender, by_data_set
from timemil_core.compare.several import OverSets, over_sets
from timemil_core.data import catalogue
from timemil_core.errors import SettingsError
from timemil_core.figures.compare import pairwise_figure, ranks_figure

SETS_KEY, FIRST_KEY, SECOND_KEY = "compared_sets", "compared_first", "compared_second"


def sets(data: str) -> None:
    """Draw the comparison over the sets that are chosen; nothing where models were trained on one set alone."""
    titles = {entry.reference: entry.title for entry in catalogue.entries()}
    known = by_data_set()
    trained = [data, *(name for name in known if name in titles and name != data)]
    if len(trained) < 2:
        return
    st.subheader("Over several sets")
    chosen = st.multiselect("Data sets", trained, _usual(trained, known), format_func=titles.__getitem__, key=SETS_KEY)
    try:
        found = over_sets(chosen, known)
    except SettingsError as error:
        st.caption(plain(str(error)))
        return
    st.markdown(f"**{plain(found.in_words())}**")
    left, right = split(2, "several", "wide")
    with left:
        figure = ranks_figure(found.networks, found.ranks.tolist(), found.critical_difference, theme=theme())
        chart(figure, key="ranks", alt=f"Average ranks. {found.in_words()}")
    with right:
        _pair(found, titles)
    table = pd.DataFrame(found.accuracies, columns=list(found.networks)).map("{:.3f}".format)
    table.insert(0, "data set", [titles.get(name, name) for name in found.sets])
    st.dataframe(table, hide_index=True, alt="Test accuracy of each network on each set.")
    st.caption("Test accuracies as the cards tell them, means over seeds; epochs chosen on a test set are left out.")


def _usual(trained: list[str], known: dict[str, list[Contender]]) -> list[str]:
    """Return the sets that share two networks with the first, as far as they all do."""
    kept = trained[:1]
    for name in trained[1:]:
        try:
            over_sets([*kept, name], known)
        except SettingsError:
            continue
        kept.append(name)
    return kept


def _pair(found: OverSets, titles: dict[str, str]) -> None:
    names = list(found.networks)
    with st.container(horizontal=True):
        first = st.selectbox("One network", names, 0, key=FIRST_KEY)
        second = st.selectbox("against", names, 1, key=SECOND_KEY)
    places = names.index(first), names.index(second)
    better, worse = found.wins(*places)
    pairs = [(names[place], found.accuracies[:, place].tolist()) for place in places]
    labels = [titles.get(name, name) for name in found.sets]
    chart(
        pairwise_figure(pairs[0], pairs[1], labels, theme=theme()), key="pairwise",
        alt=f"{first} is better on {better} sets, {second} on {worse}.",
    )  # fmt: skip
    st.caption(f"{plain(first)} is better on {better}, {plain(second)} on {worse} of {len(found.sets)} sets.")
