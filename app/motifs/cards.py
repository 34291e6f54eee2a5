"""A card for a motif: its shape, when and how often it falls, what removing it does, and the series behind it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.ask import model_of
from app.common import span, state
from app.common.context import Context
from app.common.parts import chart, plain, split, theme
from timemil_core.data.series_set import SeriesSet
from timemil_core.data.time_axis import axis_unit
from timemil_core.data.wording import counted
from timemil_core.explain.motifs import Motif, Occurrence
from timemil_core.figures.beside import beside_figure
from timemil_core.figures.motifs import presence_figure, shape_figure, when_figure

LINKS_SHOWN = 8
SHOWN_AS = {
    True: (st.success, ":material/check_circle:"),
    False: (st.warning, ":material/warning:"),
    None: (st.info, ":material/help:"),
}
COUNTS = 1.5  # times the mean of all channels: what is told to decide the shape


def card(chosen: Context, motif: Motif) -> None:
    """Draw one motif."""
    name = model_of(chosen).class_names[motif.target]
    key = f"motif_{motif.target}_{motif.place}"
    st.markdown(
        f"#### {plain(name)}: motif {motif.place + 1} of {motif.n_places}\n"
        f"{counted(len(motif.members), 'span')} of {motif.n_series} series"
    )
    show, icon = SHOWN_AS[motif.is_used]
    show(plain(motif.sentence), icon=icon)
    left, right = split([1.2, 1], key, "wide")
    with left:
        _shape(chosen.series_set, motif, key)
        _links(chosen.series_set, motif.members, f"{key}_member", "The series behind it", "the most typical first")
        _links(chosen.series_set, motif.matches, f"{key}_match", "Found again", "the most alike first")
    with right:
        _when(chosen.series_set, motif, key)
        _how_often(chosen, motif, key)
        _removal(name, motif, key)


def _shape(series_set: SeriesSet, motif: Motif, key: str) -> None:
    st.markdown("**Shape**, in the data's own unit")
    step, unit = _time(series_set)
    figure = shape_figure(
        motif.times * step, motif.mean, motif.low, motif.high, series_set.channel_names, unit,
        (motif.core[0] * step, motif.core[1] * step), class_index=motif.target, theme=theme(),
    )  # fmt: skip
    chart(figure, key=f"{key}_shape", alt=f"Mean shape of the motif over {len(motif.members)} spans.")
    st.caption(
        f"Line: mean of its {counted(len(motif.members), 'span')}, warped onto the most typical one; band: 90 % of "
        "them. What lies outside the dashed lines is margin." + _channels_told(series_set, motif)
    )


def _channels_told(series_set: SeriesSet, motif: Motif) -> str:
    counting = [name for name, count in zip(series_set.channel_names, motif.channels, strict=True) if count >= COUNTS]
    if not counting:
        return ""
    return f" Spans were put together by what the model looks at in them: {plain(', '.join(counting))}."


def _when(series_set: SeriesSet, motif: Motif, key: str) -> None:
    st.markdown("**Where in time** its spans lie")
    step, unit = _time(series_set)
    middles = np.array([(one.start + one.stop - 1) / 2 * step for one in motif.members])
    end = float(series_set.lengths.max() - 1) * step
    figure = when_figure(middles, end, unit, class_index=motif.target, theme=theme())
    chart(figure, key=f"{key}_when", alt="How many of its spans lie where in time.")


def _how_often(chosen: Context, motif: Motif, key: str) -> None:
    st.markdown("**How often**, in series that had no say in it, by true class")
    names = list(model_of(chosen).class_names)
    counts = {name: (one.found, one.of) for name, one in motif.presence.items()}
    figure = presence_figure(counts, [names.index(name) for name in counts], theme=theme())
    chart(figure, key=f"{key}_presence", alt=motif.presence_sentence)
    st.caption(plain(motif.presence_sentence))


def _removal(name: str, motif: Motif, key: str) -> None:
    st.markdown("**What removing it does**, beside random spans of that length")
    tests = {"where cut": motif.removal} | ({"found again": motif.held_out} if motif.held_out else {})
    figure = beside_figure(
        {where: (test.falls, test.random.ravel()) for where, test in tests.items()},
        f"fall of the logit of {name}",
        own="the motif",
        others="random spans",
        theme=theme(),
    )
    chart(figure, key=f"{key}_removal", alt=motif.sentence)


def _links(series_set: SeriesSet, spans: tuple[Occurrence, ...], key: str, title: str, order: str) -> None:
    if not spans:
        return
    more = f", {LINKS_SHOWN} of {len(spans)}" if len(spans) > LINKS_SHOWN else ""
    st.markdown(f"**{title}**{more}, {order}")
    with st.container(horizontal=True, gap="small"):
        for place, one in enumerate(spans[:LINKS_SHOWN]):
            opened = st.button(
                _label(series_set, one), key=f"{key}_{place}", type="tertiary", icon=":material/visibility:",
                help="Opens this series on the Attention page, with this span marked.",
            )  # fmt: skip
            if opened:
                times = series_set.times(one.series)
                shown = span.within((float(times[one.start]), float(times[one.stop - 1])), times)
                state.choose(series=series_set.series_ids[one.series], span=span.written(shown))
                st.switch_page("attention/page.py")


def _label(series_set: SeriesSet, one: Occurrence) -> str:
    times = series_set.times(one.series)
    where = f"{times[one.start]:.4g} to {times[one.stop - 1]:.4g} {series_set.axis.length}"
    name = series_set.label_name(one.series)
    return plain(f"{series_set.series_ids[one.series]} · {name or 'class unknown'} · {where}")


def _time(series_set: SeriesSet) -> tuple[float, str]:
    # spans are so many time points long, and of several series: where steps are unequal, points are counted
    return 1 / series_set.axis_rate, axis_unit(series_set.sampling_rate).title
