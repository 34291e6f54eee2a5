"""Which importance maps are drawn: methods, class, contrast, layer and head. Opens on what measures best."""

from __future__ import annotations

import streamlit as st

from app.ask import model_of
from app.common.context import Context
from app.common.drawn_map import DrawnMap
from app.common.parts import plain
from timemil_core.explain.evaluation.ranking import Ranking, known_ranking
from timemil_core.explain.evaluation.wording import opening_sentence
from timemil_core.explain.examination import Examination
from timemil_core.explain.importance import METHODS, methods_for
from timemil_core.models.trained import TrainedModel

MAP_KEY, HEAD_KEY, BESIDE_KEY, CLASS_KEY, AGAINST_KEY = "map", "head", "beside", "class", "against"
MEAN_OF_HEADS = "mean of heads"
USUAL, NOTHING = "usual", "nothing"  # of what stands beside: attention where another map is drawn, unless a pin does
PREDICTED, ALL_OTHERS = "predicted", "all others"
Maps = dict[str, tuple[str, int | None]]


def drawable(model: TrainedModel, examination: Examination) -> Maps:
    """Return what can be drawn: title to (method, layer), attention first, the last layer before the others."""
    maps: Maps = {
        f"Attention, layer {layer + 1}": ("attention", layer)
        for layer in reversed(range(len(examination.class_token_rows)))
    }
    others = [method for method in methods_for(model) if method.key != "attention"]
    return maps | {method.title: (method.key, None) for method in others if not (maps and method.key == "pooling")}


def opening(maps: Maps, ranking: Ranking | None) -> str:
    """Return the title to open on: of the method that measures best where it is evidence, else the first."""
    titles = list(maps)
    if ranking is None or ranking.opening.standing.level not in ("strong", "mixed"):
        return titles[0]
    return next((title for title, (method, _) in maps.items() if method == ranking.opening.method), titles[0])


def second(asked: str, first: str, maps: Maps, *, is_pinned: bool) -> str | None:
    """Return the title of the map that is drawn beside the first, None for none.

    Usually the last layer's attention stands beside any other map, so that what people expect can be compared with
    what measures best; a pinned series or model takes that place.
    """
    if asked == USUAL:
        attention = next((title for title, (method, _) in maps.items() if method == "attention"), None)
        asked = attention if attention is not None and maps[first][0] != "attention" and not is_pinned else NOTHING
    return asked if asked in maps and asked != first else None


def chooser(chosen: Context, examination: Examination, *, is_pinned: bool) -> list[DrawnMap]:
    """Draw the choice of maps, say what measures best, and return the one or two that were chosen."""
    model = model_of(chosen)
    maps, ranking = drawable(model, examination), known_ranking(model, chosen.series_set)
    best = opening(maps, ranking)
    with st.container(horizontal=True, vertical_alignment="bottom", key="maps"):
        first = _first(maps, best)
        beside = second(_beside(maps), first, maps, is_pinned=is_pinned)
        titles = [first] if beside is None else [first, beside]
        head = _head(examination, maps[first][1])
        about_a_class = any(METHODS[maps[title][0]].class_specific for title in titles)
        target, against = _classes(model, examination) if about_a_class else (examination.predicted, None)
    _told(ranking, target if target == against else None, model)
    return [
        DrawnMap(
            method := maps[title][0],
            target,
            maps[title][1],
            head if title == first else None,
            against if METHODS[method].class_specific and against != target else None,
        )
        for title in titles
    ]


def _told(ranking: Ranking | None, itself: int | None, model: TrainedModel) -> None:
    if itself is not None:
        st.caption(f"A class cannot be contrasted with itself: this is the evidence for "
                   f"{plain(model.class_names[itself])} alone.")  # fmt: skip
    if ranking is None:
        st.caption("Which map measures best for this model has not been measured: the *Trust* page does it.")
    else:
        st.caption(plain(opening_sentence(ranking)))


def _first(maps: Maps, best: str) -> str:
    title = st.selectbox(
        "Map",
        list(maps),
        index=list(maps).index(best),
        key=MAP_KEY,
        bind="query-params",
        width=290,
        help="Attention and rollout tell where the model looked, for no class in particular; the others are about "
        "one class: what speaks for it, or against it.",
    )
    return title or best


def _beside(maps: Maps) -> str:
    titles = {USUAL: "attention, where another is drawn", NOTHING: "nothing"}
    asked = st.selectbox(
        "Beside it",
        [USUAL, NOTHING, *maps],
        format_func=lambda title: titles.get(title, title),
        key=BESIDE_KEY,
        bind="query-params",
        width=270,
        help="Another map of the same series, with its own numbers.",
    )
    return asked or USUAL


def _head(examination: Examination, layer: int | None) -> int | None:
    if layer is None:
        return None
    heads = [MEAN_OF_HEADS, *(f"head {head + 1}" for head in range(len(examination.class_token_rows[layer])))]
    choice = st.selectbox("Head", heads, key=HEAD_KEY, width=150, persist_state="session")
    return None if choice in (None, MEAN_OF_HEADS) else heads.index(choice) - 1


def _classes(model: TrainedModel, examination: Examination) -> tuple[int, int | None]:
    names = model.class_names
    # Not told by its name: a browser keeps a chosen option's text when that alone changes, the name on the last series.
    target = _class("Evidence for the class", CLASS_KEY, names, PREDICTED, "the predicted one")
    against = _class("and not for", AGAINST_KEY, names, ALL_OTHERS, ALL_OTHERS)
    return examination.predicted if target is None else target, against


def _class(label: str, key: str, names: tuple[str, ...], usual: str, told: str) -> int | None:
    # The first stands for no choice, and follows the series; by their names, so that those of another set are not kept.
    options = [usual, *names]
    choice = st.selectbox(
        label, options, format_func=lambda name: told if name == usual else name, key=key, bind="query-params",
        width=200,
        help="One class named here contrasts the two: what speaks for the one rather than the other."
        if key == AGAINST_KEY else None,
    )  # fmt: skip
    return names.index(choice) if choice in names else None
