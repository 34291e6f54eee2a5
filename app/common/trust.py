"""The numbers beside every map, that say how far it can be believed."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from app import ask
from app.common import drawn_map
from app.common.context import Context, truth
from app.common.drawn_map import DrawnMap
from app.common.map_numbers import number_table
from app.common.parts import chart, guarded, percent, plain, split, theme
from timemil_core.explain.evaluation.fillers import IN_PLACE, Donors, FillerName, fillers_for
from timemil_core.explain.evaluation.kept import share_measured
from timemil_core.explain.evaluation.ranking import known_ranking
from timemil_core.explain.evaluation.standing import Level, Standing
from timemil_core.explain.evaluation.truth import ground_truth_scores
from timemil_core.explain.evaluation.verdict import SeriesVerdict
from timemil_core.explain.evaluation.wording import CHIP, MEANING, place_sentence, series_sentence, standing_sentence
from timemil_core.explain.importance import METHODS, Importance
from timemil_core.explain.padding import mass_on_padding
from timemil_core.reports.pictures import cell_heading, curves_figure

FILLER_KEY = "filler"
FITTING = "what fits the model"
HEIGHT = 270
COLOURS: dict[Level, Literal["green", "orange", "gray", "violet"]] = {
    "strong": "green", "mixed": "orange", "none": "gray", "cannot be tested": "violet"
}  # fmt: skip
ICONS: dict[Level, str] = {
    "strong": ":material/check_circle:",
    "mixed": ":material/contrast:",
    "none": ":material/block:",
    "cannot be tested": ":material/help:",
}
UNMEASURED = "What this method is worth for this model has not been measured: the *Trust* page does it."
BEGUN = "What this method is worth for this model is being measured since the training ended."
DEFINITIONS = (
    "**Beyond other places**: how much more than at other places of the series removing what the map marks moves the "
    "class's score. **Comprehensiveness**: how far the class's probability falls when what is marked most is removed. "
    "**Sufficiency**: how far it falls when only that is kept. **Flatness**: how evenly the map is spread over time. "
    "**On the class token**: what the model's summary of the series kept for itself."
)
METER = (
    '<meter min="0" max="1" value="{share:.3f}" title="{told}" aria-label="{told}" style="width:3.5rem;height:.7rem">'
    "</meter> <small>{share:.0%}</small>"
)


@st.fragment(run_every=2.0)
def being_measured(chosen: Context) -> None:
    """Tell how far the process that trained the model has come with the ranking; draw the page anew once it is done."""
    model, series_set = ask.model_of(chosen), chosen.series_set
    share = share_measured(model, series_set)
    if share is None or known_ranking(model, series_set) is not None:
        st.rerun()
    st.progress(
        share,
        text="What these maps are worth is being measured since the training ended: what follows may still change",
    )


def filler(chosen: Context) -> FillerName | None:
    """Return what stands in place of removed time points, as last chosen; None for what fits the model."""
    asked = st.session_state.get(FILLER_KEY)
    possible = fillers_for(ask.model_of(chosen), _donors(chosen))
    return next((name for name in possible if name == asked), None)


def filler_choice(*drawn: Context) -> None:
    """Draw the choice of what stands in place of removed time points, for all maps of the page."""
    possible = [fillers_for(ask.model_of(one), _donors(one)) for one in drawn]
    st.selectbox(
        "In place of removed points",
        [FITTING, *(name for name in IN_PLACE if all(name in some for some in possible))],
        format_func=str.capitalize,
        key=FILLER_KEY,
        persist_state="session",
        width=260,
        help="What fits the model: two kinds that are nearest to what it was trained on.",
    )


def _donors(chosen: Context) -> Donors:
    examination = ask.examined(chosen)
    assert examination is not None  # the page has waited for it
    return drawn_map.donors(chosen, examination.predicted)


def measured(chosen: Context, drawn: DrawnMap, importance: Importance) -> SeriesVerdict | None:
    """Return what removal says of the drawn map; None for a long series until it has been asked for and computed.

    Call it after the picture is drawn: it takes seconds.
    """
    return drawn_map.verdict(chosen, drawn, importance, filler(chosen))


def standing(chosen: Context, drawn: DrawnMap) -> tuple[Standing, str] | None:
    """Return what the drawn method was measured to be worth for this model, and over what.

    For the explained class where that was measured; None where nothing was.
    """
    model = ask.model_of(chosen)
    known = known_ranking(model, chosen.series_set)
    ranked = None if known is None else known.of(drawn.method)
    if known is None or ranked is None:
        return None
    name = model.class_names[drawn.target]
    found = ranked.by_class.get(name, ranked.standing)
    of_class = f" of class {name!r}" if name in ranked.by_class else ""
    return found, f"{found.n_series} {known.part} series{of_class}"


def worth_of(chosen: Context, method: str, target: int) -> str:
    """Say what a method was measured to be worth for a class, with the numbers, escaped; nothing where nothing was."""
    found = standing(chosen, DrawnMap(method, target))
    return "" if found is None else plain(standing_sentence(METHODS[method].title, *found))


def chip(chosen: Context, drawn: DrawnMap, said: str) -> None:
    """Write a line (already escaped) with the level of evidence of a map and how much of what can be found it finds."""
    found = standing(chosen, drawn)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if found is None:
            is_begun = share_measured(ask.model_of(chosen), chosen.series_set) is not None
            badge, told = ("being measured", BEGUN) if is_begun else ("not measured", UNMEASURED)
            st.markdown(f"{said} :blue-badge[:material/help: {badge}]", help=told, width="content")
            return
        level = found[0].level
        badge = f":{COLOURS[level]}-badge[{ICONS[level]} {CHIP[level]}]"
        worth = worth_of(chosen, drawn.method, drawn.target)
        st.markdown(f"{said} {badge}", help=f"{MEANING[level]} {worth}", width="content")
        if level in ("strong", "mixed"):
            share = min(max(found[0].of_attainable, 0.0), 1.0)
            told = f"{share:.0%} of what a search for the most harmful removal finds"
            st.html(METER.format(share=share, told=told), width="content")


def worth(chosen: Context, drawn: DrawnMap) -> None:
    """Say what the drawn method is worth for this model, for the explained class where that was measured."""
    found = standing(chosen, drawn)
    if found is None:
        st.badge("not measured", icon=":material/help:", color="blue")
        st.caption(UNMEASURED)
        return
    level = found[0].level
    st.badge(CHIP[level], icon=ICONS[level], color=COLOURS[level])
    st.markdown(plain(standing_sentence(METHODS[drawn.method].title, *found)))
    known = known_ranking(ask.model_of(chosen), chosen.series_set)
    if known is not None:
        name = ask.model_of(chosen).class_names[drawn.target]
        st.markdown(plain(place_sentence(known.places_by_class.get(name, known.places))))


def verdict(chosen: Context, drawn: DrawnMap, found: SeriesVerdict) -> None:
    """Say in plain words what this one series shows of its map."""
    known = known_ranking(ask.model_of(chosen), chosen.series_set)
    st.caption(plain(series_sentence(found, None if known is None else known.of(drawn.method))))


def panel(chosen: Context, drawn: DrawnMap, importance: Importance) -> None:
    """Draw what one map is worth, over many series and on this one, with its numbers and curves, as they arrive."""
    left, right = split(2, "worth")
    with left:
        worth(chosen, drawn)
        sentence, numbers = st.container(), st.empty()
        st.caption(plain(importance.note))
    numbers.markdown(number_table(importance, None), help=DEFINITIONS)
    padding = _padding_mass(chosen) if importance.are_weights else None
    with sentence, guarded("What this series shows"):
        found = measured(chosen, drawn, importance)
        if found is not None:
            verdict(chosen, drawn, found)
            numbers.markdown(number_table(importance, found, padding), help=DEFINITIONS)
            with right:
                _curves(found)
    with guarded("The comparison with the truth"):
        _truth(chosen, drawn, importance)


def _padding_mass(chosen: Context) -> float | None:
    """Return the weight of all layers on padding, were half as much put behind a series; None where unmeasured."""
    model = ask.model_of(chosen)
    if not model.network.config.masks_padding or chosen.is_long:
        return None  # an import attends to zeros of its own, which its map's note tells; of a long series it takes long
    key = ("padding", *ask.about(chosen), chosen.index)
    return ask.at_once("The weight on padding", key, lambda progress: mass_on_padding(model, chosen.series))


def _curves(found: SeriesVerdict) -> None:
    for place, cell in enumerate(found.curves.cells):
        chart(curves_figure(found, cell, theme(), HEIGHT), key=f"curve{place}", alt=cell_heading(cell))


def _truth(chosen: Context, drawn: DrawnMap, importance: Importance) -> None:
    marked = truth(chosen.series_set, chosen.index)
    scores = None if marked is None else ground_truth_scores(importance.values, marked)
    if marked is None or scores is None or chosen.model is None:
        return
    controls = drawn_map.control_scores(chosen, drawn, marked)
    rows = [("this map", scores), *zip(("untrained network", "size of the signal"), controls or (), strict=False)]
    st.markdown("**Against the known truth**")
    st.dataframe(
        {
            "map": [*(name for name, _ in rows), "chance"],
            "AUROC": [*(score.auroc for _, score in rows), 0.5],
            "avg. precision": [*(score.average_precision for _, score in rows), scores.share_of_time],
            "NDCG@n": [*(score.ndcg for _, score in rows), scores.share_of_time],  # each rank is relevant as often
            "mass inside": [*(score.mass_inside for _, score in rows), scores.share_of_time],
            "peak inside": [
                *("yes" if score.pointing_game else "no" for _, score in rows),
                percent(scores.share_of_time),
            ],
        },
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(format="%.2f")
            for name in ("AUROC", "avg. precision", "NDCG@n", "mass inside")
        },
        alt="Scores of this map and of its controls against the instance labels.",
    )
    st.caption("A map that the untrained network or the bare signal matches explains the data, not the model.")
