"""Published accuracies of a set, beside what this program measured of its own models."""

from __future__ import annotations

import streamlit as st

from app.common.parts import chart, plain, theme
from timemil_core.data.published import published
from timemil_core.figures.data import MeasuredHere, accuracies_figure
from timemil_core.models.shelf import shelf


def accuracies(reference: str, *, largest_class: float | None = None) -> None:
    """Draw what is published of a set with its sources; nothing where nothing is."""
    listed = published(reference)
    if not listed:
        return
    st.subheader("Published accuracies")
    figure = accuracies_figure(
        [(one.method, one.accuracy, one.source.title) for one in listed],
        measured=_measured(reference),
        largest_class=largest_class,
        theme=theme(),
    )
    chart(figure, key="published", alt="Published test accuracy of each method.")
    sources = {one.source.citation: one.source.note for one in listed}
    told = "\n".join(f"- {plain(citation)}. {plain(note)}" for citation, note in sources.items())
    st.caption(f"Quoted, not measured here, but for the diamonds. Sources:\n{told}")


def _measured(reference: str) -> list[MeasuredHere]:
    entries = [entry for entry in shelf() if entry.data == reference]
    return [
        MeasuredHere(entry.title, float(score))
        for entry in entries
        if isinstance(score := entry.facts.get("scores", {}).get("test_accuracy"), float)
    ]
