"""One series with each model's best-measured map, side by side, and what all of them mark."""

from __future__ import annotations

from functools import partial

import streamlit as st

from app import ask
from app.attention.map_view import limits_of
from app.common import loading, state
from app.common.parts import chart, guarded, plain, split, theme
from timemil_core.compare.comparison import Comparison
from timemil_core.compare.contenders import of_several_seeds
from timemil_core.data.series_set import FloatArray, SeriesSet
from timemil_core.explain.agreement import agreement_of
from timemil_core.explain.evaluation.ranking import known_ranking, opening_method
from timemil_core.explain.importance import METHODS, Importance, explain
from timemil_core.explain.progress import Progress
from timemil_core.figures.series import series_figure
from timemil_core.models.trained import TrainedModel

MOST_MAPS = 4


def side_by_side(comparison: Comparison, index: int, data: str) -> None:
    """Draw a series of the comparison with a map of each of its first models, for the class that each one gives."""
    series_set, one = comparison.series_set, comparison.series_set.series[index]
    true = series_set.class_names[comparison.true[index]]
    st.markdown(f"**Series {plain(series_set.series_ids[index])}**, it is {plain(true)}: what speaks for each answer")
    shown: dict[str, Importance] = {}
    answers: dict[str, None] = {}
    columns = split(2, "compared_maps", "wide")
    whole = loading.data_set(data)
    firsts = [group[0] for group in of_several_seeds(comparison.contenders).values()]
    for shown_as, contender in enumerate(firsts[:MOST_MAPS]):
        place = comparison.contenders.index(contender)
        with columns[shown_as % 2], guarded(f"The map of {plain(contender.network)}"):
            model = loading.model(contender.reference)
            method = opening_method(model, whole)
            found = _map(model, comparison, index, method)
            if found is None:
                continue
            said = comparison.predicted[place, index]
            answers[series_set.class_names[said]] = None
            mark = ":material/check:" if said == comparison.true[index] else ":material/close:"
            st.markdown(
                f"**{plain(contender.network)}** {mark} {plain(series_set.class_names[said])} · "
                f"{METHODS[method].title} · {_worth(model, whole, method)}"
            )
            figure = series_figure(
                series_set.times(index), one, series_set.channel_names, series_set.time_unit,
                attention=found.values, attention_title=METHODS[method].title, attention_unit=found.unit,
                channel_attention=found.per_channel, signed=found.signed, flat_reference=False,
                map_limits=limits_of(found, one.shape[1]), theme=theme(),
            )  # fmt: skip
            chart(figure, key=f"compared_{place}", alt=f"{METHODS[method].title} of {contender.network}.")
            shown[contender.network if contender.network not in shown else contender.title] = found
            if st.button("Open in Attention", icon=":material/visibility:", key=f"open_{place}"):
                state.choose(model=contender.reference, series=series_set.series_ids[index])
                st.switch_page("attention/page.py")
    if len(answers) > 1:
        st.markdown(f"Each map speaks for its own model's answer ({plain(' or '.join(answers))}): they need not agree.")
    if len(shown) > 1:
        agreement = agreement_of([found.values for found in shown.values()])
        sentence = agreement.sentence(list(shown), series_set.times(index), series_set.axis.length)
        st.markdown(f"**{plain(sentence)}**")
    if len(firsts) > MOST_MAPS:
        st.caption(f"Maps of the first {MOST_MAPS} of {len(firsts)} networks; choose others above.")


def _map(model: TrainedModel, comparison: Comparison, index: int, method: str) -> Importance | None:
    series_set = comparison.series_set
    compute = partial(_explained, model, series_set.series[index], method)
    return ask.prompt(
        METHODS[method].title, ("compared map", model.fingerprint, series_set.fingerprint, index, method), compute
    )


def _explained(model: TrainedModel, series: FloatArray, method: str, progress: Progress) -> Importance:
    return explain(model, series, method, progress=progress)


def _worth(model: TrainedModel, whole: SeriesSet, method: str) -> str:
    ranking = known_ranking(model, whole)
    level = None if ranking is None else ranking.level_of(method)
    return "not measured" if level is None else f"evidence: {level}"
