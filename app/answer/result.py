"""What the model gets right: the result in words, the wrong series, and a confusion matrix that leads to the series."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.answer.doors import series_link
from app.ask import model_of
from app.common.context import Context
from app.common.parts import chart, picked_ids, plain, split, theme
from timemil_core.data.series_set import UNKNOWN_LABEL, IntArray
from timemil_core.data.wording import counted
from timemil_core.explain.answer import Answer
from timemil_core.figures.confusion import confusion_figure

MOST_LINKS = 7


def in_words(found: Answer) -> str:
    """Say how many of the classified series are right, and how many if all were called by the most frequent class."""
    series = "test series" if found.part == "test" else "series"
    if not found.n_known:
        return counted(len(found.indices), series)
    often = int(np.bincount(found.true[found.true != UNKNOWN_LABEL]).max())
    return f"{found.n_known - len(found.wrong):,} of {counted(found.n_known, series)} right (guessing: {often:,})"


def result(chosen: Context, found: Answer) -> None:
    """Draw what is right and wrong, where true classes are known."""
    if not found.n_known:
        return
    class_names = model_of(chosen).class_names
    st.subheader("Right and wrong")
    words, matrix = split([1, 1.2], "result")
    with matrix:
        counts = found.confusion(len(class_names))
        picked = picked_ids(
            chart(
                confusion_figure(counts, class_names, theme=theme()), key="confusion", pick=True,
                alt=f"Confusion matrix: {in_words(found)}.",
            )
        )  # fmt: skip
    with words:
        wrong = len(found.wrong)
        told = {0: "none is wrong", 1: "the wrong one:"}.get(wrong, f"the {wrong:,} wrong ones:")
        st.markdown(f"**{in_words(found)}**; {told}")
        _series(chosen, found, found.wrong)
        for true, predicted in picked[:1]:
            st.markdown(f"**{plain(class_names[true])}**, called **{plain(class_names[predicted])}**:")
            _series(chosen, found, found.indices[(found.true == true) & (found.predicted == predicted)])
        if not picked:
            st.caption("A click on a cell lists its series.")


def _series(chosen: Context, found: Answer, indices: IntArray) -> None:
    names = model_of(chosen).class_names
    with st.container(horizontal=True):
        for index in indices[:MOST_LINKS].tolist():
            place = int(np.flatnonzero(found.indices == index)[0])
            true, predicted = found.true[place], found.predicted[place]
            series_id = chosen.series_set.series_ids[index]
            label = plain(series_id)
            if true != predicted:
                label += f" is {plain(names[true])}, called {plain(names[predicted])}"
            series_link(chosen, series_id, label, is_wrong=true != predicted)
    if len(indices) > MOST_LINKS:
        st.caption(f"and {len(indices) - MOST_LINKS:,} more")
