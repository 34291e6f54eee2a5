"""Which importance maps are drawn: chosen for the user, by what measures best; others, classes and heads on demand."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from app.ask import model_of
from app.attention import pins
from app.common.context import Context
from app.common.drawn_map import DrawnMap
from timemil_core.explain.evaluation.ranking import Ranking, known_ranking, told_by_itself
from timemil_core.explain.examination import Examination
from timemil_core.explain.importance import METHODS, methods_for
from timemil_core.models.trained import TrainedModel

MAP_KEY, HEAD_KEY, BESIDE_KEY, CLASS_KEY, AGAINST_KEY, FIT_KEY = "map", "head", "beside", "class", "against", "fit"
MEAN_OF_HEADS = "mean of heads"
BEST, PREDICTED, ALL_OTHERS = "best", "predicted", "all others"
EVIDENCE = ("strong", "mixed")
Maps = dict[str, tuple[str, int | None]]


@dataclass(frozen=True)
class Choice:
    """The maps that are drawn, the main one first, by title; and whether colours are fitted to this series alone."""

    maps: dict[str, DrawnMap]
    is_fitted: bool


def drawable(model: TrainedModel, examination: Examination) -> Maps:
    """Return what can be drawn: title to (method, layer), attention first, the last layer before the others."""
    maps: Maps = {
        f"Attention, layer {layer + 1}": ("attention", layer)
        for layer in reversed(range(len(examination.class_token_rows)))
    }
    others = [method for method in methods_for(model) if method.key != "attention"]
    return maps | {method.title: (method.key, None) for method in others if not (maps and method.key == "pooling")}


def opening(maps: Maps, ranking: Ranking | None, class_name: str, *, own: str | None = None) -> str:
    """Return the title to open on: of what measures best for a class where it is evidence, else the first.

    Where nothing has been measured, ``own`` is the method by which the model tells itself.
    """
    titles = list(maps)
    if ranking is None:
        return next((title for title, (method, _) in maps.items() if method == own), titles[0])
    best = ranking.best_for(class_name)
    if EVIDENCE.count(best.standing.level) + EVIDENCE.count(ranking.level_of(best.method, class_name) or "none") == 0:
        return titles[0]
    return next((title for title, (method, _) in maps.items() if method == best.method), titles[0])


def chooser(chosen: Context, examination: Examination) -> Choice:
    """Draw the choices behind two buttons, and return the maps that were chosen."""
    model = model_of(chosen)
    maps, ranking = drawable(model, examination), known_ranking(model, chosen.series_set)
    with st.popover("Map", icon=":material/layers:", key="map_choice"):
        method_place = st.container()
        target, against = _classes(model, examination)
        with method_place:
            first = _first(maps, is_measured=ranking is not None) or opening(
                maps, ranking, model.class_names[target], own=told_by_itself(model)
            )
        head = _head(examination, maps[first][1])
        is_fitted = st.toggle(
            "Fit colours to this series", key=FIT_KEY, bind="query-params",
            help="Otherwise one scale holds for all series of the model, so that one with nothing in it looks pale.",
        )  # fmt: skip
    with st.popover("Compare", icon=":material/compare:", key="compare_choice"):
        others = st.multiselect(
            "Methods beneath", list(maps), key=BESIDE_KEY, bind="query-params", width=360,
            help="Their maps of the same series, on the same axis of time.",
        )  # fmt: skip
        pins.bar(chosen)
    titles = [first, *(title for title in others if title != first)]
    if not any(METHODS[maps[title][0]].class_specific for title in titles):
        target, against = examination.predicted, None
    return Choice(
        {
            title: DrawnMap(
                maps[title][0],
                target,
                maps[title][1],
                head if title == first else None,
                against if METHODS[maps[title][0]].class_specific else None,
            )
            for title in titles
        },
        bool(is_fitted),
    )


def _first(maps: Maps, *, is_measured: bool) -> str | None:
    best = "what measures best" if is_measured else "the usual one, as nothing is measured yet"
    title = st.selectbox(
        "Map",
        [BEST, *maps],
        # Not told by its name: a browser keeps a chosen option's text when that alone changes, from series to series.
        format_func=lambda title: best if title == BEST else title,
        key=MAP_KEY,
        bind="query-params",
        width=360,
        help="Attention and rollout tell where the model looked, for no class in particular; the others are about "
        "one class: what speaks for it, or against it.",
    )
    return title if title in maps else None


def _head(examination: Examination, layer: int | None) -> int | None:
    if layer is None:
        return None
    heads = [MEAN_OF_HEADS, *(f"head {head + 1}" for head in range(len(examination.class_token_rows[layer])))]
    choice = st.selectbox("Head", heads, key=HEAD_KEY, width=360, persist_state="session")
    return None if choice in (None, MEAN_OF_HEADS) else heads.index(choice) - 1


def _classes(model: TrainedModel, examination: Examination) -> tuple[int, int | None]:
    names = model.class_names
    target = _class("Evidence for the class", CLASS_KEY, names, PREDICTED, "the predicted one")
    against = _class("and not for", AGAINST_KEY, names, ALL_OTHERS, ALL_OTHERS)
    target = examination.predicted if target is None else target
    if target == against:
        st.caption("A class cannot be contrasted with itself: this is the evidence for it alone.")
    return target, None if target == against else against


def _class(label: str, key: str, names: tuple[str, ...], usual: str, told: str) -> int | None:
    # The first stands for no choice, and follows the series; by their names, so that those of another set are not kept.
    options = [usual, *names]
    choice = st.selectbox(
        label, options, format_func=lambda name: told if name == usual else name, key=key, bind="query-params",
        width=360,
        help="One class named here contrasts the two: what speaks for the one rather than the other."
        if key == AGAINST_KEY else "Of maps that are about a class.",
    )  # fmt: skip
    return names.index(choice) if choice in names else None
