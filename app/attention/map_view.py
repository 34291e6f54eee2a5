"""One map of one series on the Attention page: prediction, verdict, picture and numbers, alone or beside another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.ask import examined, model_of
from app.common import downloads, drawn_map, span, trust
from app.common.context import Context, truth
from app.common.drawn_map import DrawnMap
from app.common.parts import chart, guarded, plain, theme
from timemil_core.explain.examination import Examination
from timemil_core.explain.importance import Importance
from timemil_core.figures.attention import probabilities_figure
from timemil_core.figures.importance import anchored_limits
from timemil_core.figures.series import Beside, series_figure


@dataclass(eq=False)
class MapView:
    """A map, and the places on the page that are filled one after the other.

    ``key`` is "" for the first view of a page, and makes the keys of the others their own.
    """

    chosen: Context
    drawn: DrawnMap
    verdict: DeltaGenerator
    picture: DeltaGenerator
    numbers: DeltaGenerator
    key: str = ""
    importance: Importance | None = None

    def explain(self) -> None:
        """Compute the map; where it takes long, say so in the place of the verdict."""
        with self.verdict, guarded("The map"):
            if examined(self.chosen) is not None:
                self.importance = drawn_map.explained(self.chosen, self.drawn)

    def draw(self, beside: Beside | None = None) -> None:
        """Draw the picture."""
        with self.picture, guarded("The picture"):
            draw_picture(self.chosen, self.drawn, self.importance, beside=beside, key=self.key)

    def judge(self) -> None:
        """Compute and draw the verdict and the numbers."""
        if self.importance is not None:
            trust.panel(self.chosen, self.drawn, self.importance, self.verdict, self.numbers, self.key)

    @property
    def as_beside(self) -> Beside:
        """What another view has to know to have the same scales."""
        limits = None if self.importance is None else limits_of(self.importance, self.n_timepoints)
        return Beside(self.chosen.series_set.series[self.chosen.index], limits)

    @property
    def n_timepoints(self) -> int:
        """Of the series."""
        return int(self.chosen.series_set.lengths[self.chosen.index])


def limits_of(importance: Importance, n_timepoints: int) -> tuple[float, float]:
    """Return the range in which a map is drawn by itself."""
    by_channel = np.empty(0) if importance.per_channel is None else importance.per_channel
    values = np.append(by_channel.ravel(), importance.values)
    return anchored_limits(values, 1 / n_timepoints if importance.are_weights else None)


def predicted(chosen: Context, examination: Examination) -> None:
    """Say what the model predicts, and whether it is right."""
    name, true = _names(chosen, examination)
    chance = f"**{plain(name)}** ({examination.probabilities[examination.predicted]:.3f})"
    if true is None:
        st.markdown(f"Predicted {chance}; the true class is not known.")
    elif true == name:
        st.markdown(f"Predicted {chance} :green-badge[:material/check: correct]")
    else:
        st.markdown(f"Predicted {chance}, is **{plain(true)}** :orange-badge[:material/close: wrong]")


def probabilities(chosen: Context, examination: Examination, key: str = "") -> None:
    """Draw the probability of each class."""
    name, true = _names(chosen, examination)
    names = model_of(chosen).class_names
    figure = probabilities_figure(examination.probabilities, names, true, name, theme=theme())
    chart(figure, key=f"probabilities{key}", alt=f"Probability of each class; {name} is the highest.")


def _names(chosen: Context, examination: Examination) -> tuple[str, str | None]:
    return model_of(chosen).class_names[examination.predicted], chosen.series_set.label_name(chosen.index)


def draw_picture(
    chosen: Context, drawn: DrawnMap | None, importance: Importance | None, *, beside: Beside | None, key: str
) -> None:
    """Draw a series, and where there is one the map over it, with its note and what to take away."""
    series_set = chosen.series_set
    times = series_set.times(chosen.index)
    shown: dict[str, Any] = {}
    if importance is not None:
        shown = {
            "attention": importance.values,
            "attention_title": importance.name,
            "signed": importance.signed,
            "channel_attention": importance.per_channel,
            "attention_unit": "weight" if importance.are_weights else "importance",
            "flat_reference": importance.are_weights,
        }
    figure = series_figure(
        times,
        chosen.series,
        series_set.channel_names,
        series_set.time_unit,
        truth=truth(series_set, chosen.index),
        selected_span=chosen.marked,
        visible_span=chosen.span,
        beside=beside,
        theme=theme(),
        **shown,
    )
    name = "The signal" if importance is None else importance.name
    alt = f"{name} over the channels of series {chosen.series_id}."
    span.zoomable(figure, chosen.chosen_span, times, key=f"series{key}", alt=alt)
    if drawn is not None and importance is not None:
        st.caption(plain(importance.note))
        downloads.map_downloads(chosen, drawn, importance, figure, key=key)
