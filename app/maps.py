"""Which importance map is drawn: method, class, layer and head. Opens on what measures best for the model."""

from __future__ import annotations

import streamlit as st

from app.parts import plain
from app.slow import DrawnMap
from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.choice import Choice, known_choice
from timemil_core.explain.examination import Examination
from timemil_core.explain.importance import METHODS, methods_for
from timemil_core.models.trained import TrainedModel

MAP_KEY, HEAD_KEY = "map", "head"
MEAN_OF_HEADS = "mean of heads"


def drawable(model: TrainedModel, examination: Examination) -> dict[str, tuple[str, int | None]]:
    """Return what can be drawn: title to (method, layer), attention first, the last layer before the others."""
    maps: dict[str, tuple[str, int | None]] = {
        f"Attention, layer {layer + 1}": ("attention", layer)
        for layer in reversed(range(len(examination.class_token_rows)))
    }
    others = [method for method in methods_for(model) if method.key != "attention"]
    return maps | {method.title: (method.key, None) for method in others if not (maps and method.key == "pooling")}


def opening(maps: dict[str, tuple[str, int | None]], choice: Choice | None) -> str:
    """Return the title to open on: of the best measured method that is better than chance, else the first."""
    titles = list(maps)
    if choice is None or choice.best.merit <= 0:
        return titles[0]
    return next((title for title, (method, _) in maps.items() if method == choice.best.method), titles[0])


def chooser(model: TrainedModel, series_set: SeriesSet, examination: Examination) -> DrawnMap:
    """Draw the choice of a map, say what measures best, and return what was chosen."""
    maps, choice = drawable(model, examination), known_choice(model, series_set)
    first = opening(maps, choice)
    predicted = int(examination.logits.argmax())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.selectbox(
            "Map",
            list(maps),
            index=list(maps).index(first),
            key=MAP_KEY,
            bind="query-params",
            width=290,
            help="Attention and rollout tell where the model looked, for no class in particular; the others are about "
            "one class: what speaks for it, or against it.",
        )
        method, layer = maps[title or first]
        head = _head(examination, layer) if layer is not None else None
        target = _target(model, predicted) if METHODS[method].class_specific else predicted
    if choice is None:
        st.caption("Which map measures best for this model has not been measured: the *Trust* page does it.")
    else:
        st.caption(plain(choice.sentence) + " The *Trust* page compares all.")
    return DrawnMap(method, target, layer, head)


def _head(examination: Examination, layer: int) -> int | None:
    heads = [MEAN_OF_HEADS, *(f"head {head + 1}" for head in range(len(examination.class_token_rows[layer])))]
    choice = st.selectbox("Head", heads, key=HEAD_KEY, width=170, persist_state="session")
    return None if choice in (None, MEAN_OF_HEADS) else heads.index(choice) - 1


def _target(model: TrainedModel, predicted: int) -> int:
    names = list(range(len(model.class_names)))
    choice = st.selectbox(
        "Evidence for the class", names, index=predicted, format_func=model.class_names.__getitem__, width=220
    )
    return predicted if choice is None else choice
