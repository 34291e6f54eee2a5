"""Rows over one time axis, and how signals, maps and points to pick are put into them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.decimate import HEAT_BINS, FloatArray, IndexArray, bin_mean, kept_indices, time_edges
from timemil_core.figures.rows import Rows
from timemil_core.figures.style import (
    TIME_FORMAT,
    VALUE_FORMAT,
    Theme,
    ThemeName,
    spike,
)
from timemil_core.figures.text import escape, shortened

Span = tuple[float, float]


def shown_slice(times: npt.NDArray[Any], span: Span | None) -> slice:
    """Return the time points inside ``span`` and one more at either side, so that lines reach the edge."""
    if span is None:
        return slice(0, len(times))
    first, last = np.searchsorted(times, span[0]), np.searchsorted(times, span[1], side="right")
    return slice(min(max(int(first) - 1, 0), len(times) - 1), max(int(last) + 1, 1))


@dataclass(frozen=True)
class SeriesCanvas:
    """Rows over one time axis, and how lines and maps over time are put into them."""

    rows: Rows
    times: npt.NDArray[Any]
    shown: slice
    time_title: str
    theme: Theme

    def kept(self, values: FloatArray) -> IndexArray:
        """Return which of ``(n_timepoints,)`` values to draw."""
        return kept_indices(values[self.shown]) + self.shown.start

    def heat(self, weights: FloatArray, limits: Sequence[float]) -> go.Heatmap:
        """Return a map over time that fills a row whose y axis runs between ``limits``."""
        return go.Heatmap(
            x=time_edges(self.times[self.shown], HEAT_BINS),
            y=np.array(limits),
            z=bin_mean(weights[self.shown], HEAT_BINS)[None, :],
            coloraxis="coloraxis",
            hoverinfo="skip",
            name="heat",
        )

    def line(self, values: FloatArray, name: str, **properties: Any) -> go.Scatter:
        """Return the line of one channel, ``(n_timepoints,)``; ``properties`` override the defaults."""
        kept = self.kept(values)
        hover = f"<b>{shortened(name, 40)}</b>: %{{y{VALUE_FORMAT}}} at %{{x{TIME_FORMAT}}}"
        defaults = {
            "mode": "lines+markers" if np.isfinite(values).sum() == 1 else "lines",
            "line": {"color": self.theme.line, "width": 1.3},
            "name": escape(name),
            "showlegend": False,
            "hovertemplate": hover + "<extra></extra>",
        }
        return go.Scatter(x=self.times[kept], y=values[kept], **{**defaults, **properties})

    def telling(self, values: FloatArray, unit: str) -> dict[str, Any]:
        """Return the properties of the one line whose hover tells the place of each time point in the series, too."""
        hover = f"<b>{unit}</b>: %{{y{VALUE_FORMAT}}} at %{{x{TIME_FORMAT}}} (time point %{{customdata}})"
        return {"customdata": self.kept(values), "hovertemplate": hover + "<extra></extra>", "hoverinfo": None}

    def figure(self, theme: ThemeName, title: str | None, right: int, **more: Any) -> go.Figure:
        """Return the figure, with one spike through all rows at the pointer; ``more`` goes into the layout."""
        ends = time_edges(self.times[self.shown], 1)
        x_axis = {
            "title": {"text": self.time_title, "standoff": 8},
            "range": [ends[0], ends[-1]],
            **spike(self.theme),
        }
        more = {"hovermode": "x", "hoversubplots": "axis", "selectdirection": "h", **more}
        return self.rows.figure(theme, x_axis, title=title, right=right, **more)
