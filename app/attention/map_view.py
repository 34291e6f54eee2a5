"""One series on the Attention page: the line above the picture, the picture with its maps, and what is worth asking."""

from __future__ import annotations

from typing import Any

from app.ask import model_of
from app.common import drawn_map, span, trust
from app.common.context import Context, truth
from app.common.drawn_map import DrawnMap
from app.common.parts import percent, plain, theme
from timemil_core.explain.examination import Examination
from timemil_core.explain.importance import METHODS, Importance
from timemil_core.figures.importance import ImportanceMap, anchored_limits, covering
from timemil_core.figures.series import series_figure

Shown = dict[str, tuple[DrawnMap, Importance]]
"""The maps of one series that have been computed, the main one first, by title."""
Limits = tuple[float, float]


def line(chosen: Context, examination: Examination, title: str, drawn: DrawnMap) -> None:
    """Say what the model predicts, whether it is right, and what the shown map is worth."""
    names = model_of(chosen).class_names
    name, true = names[examination.predicted], chosen.series_set.label_name(chosen.index)
    chance = percent(float(examination.probabilities[examination.predicted]), 1)
    right = (
        "true class unknown" if true is None else ":material/check: right" if true == name
        else f":material/close: wrong, it is **{plain(true)}**"
    )  # fmt: skip
    about = ""
    if METHODS[drawn.method].class_specific and (drawn.target != examination.predicted or drawn.against is not None):
        about = f" for **{plain(names[drawn.target])}**"
        about += "" if drawn.against is None else f" rather than **{plain(names[drawn.against])}**"
    said = f"**{plain(name)}** {chance}, {right} · {plain(title)}{about}"
    trust.chip(chosen, drawn, said)


def limits_of(importance: Importance, n_timepoints: int) -> Limits:
    """Return the range in which a map is drawn by itself."""
    values = importance.values if importance.per_channel is None else importance.per_channel
    return anchored_limits(values, 1 / n_timepoints if importance.are_weights else None)


def common_limits(chosen: Context, drawn: DrawnMap, importance: Importance, *, is_fitted: bool) -> Limits:
    """Return the range of a map's colours: of all the model's maps by that method, or of this map alone."""
    n_timepoints = len(importance.values)
    own = limits_of(importance, n_timepoints)
    scale = None if is_fitted else drawn_map.scale(chosen, drawn)
    return own if scale is None else covering(own, scale.limits(n_timepoints))


def picture(
    chosen: Context, shown: Shown, limits: list[Limits], *, beside: Context | None = None, key: str = ""
) -> Any:
    """Draw a series with the first of its maps, and the others beneath; return the figure."""
    series_set = chosen.series_set
    times = series_set.times(chosen.index)
    maps = [
        ImportanceMap(
            one.values,
            one.per_channel,
            one.name,
            one.unit,
            1 / len(times) if one.are_weights and not one.signed else None,
            "1/T",
            least,
        )
        for (_, one), least in zip(shown.values(), limits, strict=True)
    ]
    main: dict[str, Any] = {}
    if maps:
        main = {
            "attention": maps[0].curve,
            "attention_title": maps[0].title,
            "attention_unit": maps[0].unit,
            "channel_attention": maps[0].by_channel,
            "signed": next(iter(shown.values()))[1].signed,
            "flat_reference": maps[0].flat is not None,
            "map_limits": limits[0],
        }
    figure = series_figure(
        times,
        chosen.series,
        series_set.channel_names,
        series_set.time_unit,
        truth=truth(series_set, chosen.index),
        selected_span=chosen.marked,
        visible_span=chosen.span,
        compared=maps[1:],
        beside=None if beside is None else beside.series,
        theme=theme(),
        **main,
    )
    name = maps[0].title if maps else "The signal"
    alt = f"{name} over the channels of series {chosen.series_id}."
    span.zoomable(figure, chosen.chosen_span, times, key=f"series{key}", alt=alt)
    return figure
