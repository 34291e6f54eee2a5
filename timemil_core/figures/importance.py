"""An importance map as it is drawn: its range, its colours and its reference.

A flat map looks flat: colours and the curve's axis run from 0 to at least three times the weight that a flat map
has everywhere, and are never stretched between the smallest and the largest weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.style import Theme
from timemil_core.figures.text import escape, number

FLAT_MULTIPLE = 3.0
"""The colour range reaches at least this many times the weight of a flat map."""

LONGEST_BAR = 220


def anchored_limits(values: FloatArray, flat: float | None) -> tuple[float, float]:
    """Return the range in which importances are drawn: from 0, or about 0 where some are negative.

    Parameters
    ----------
    values
        Any shape; NaN is ignored.
    flat
        What a flat map has everywhere: the range reaches at least `FLAT_MULTIPLE` times that. None where the map
        has no such reference.
    """
    finite = values[np.isfinite(values)]
    highest = max(float(np.abs(finite).max(initial=0.0)), FLAT_MULTIPLE * (flat or 0.0)) or 1.0
    return (-highest if finite.min(initial=0.0) < 0 else 0.0), highest


def covering(first: tuple[float, float], *others: tuple[float, float]) -> tuple[float, float]:
    """Return the least range that covers some: for maps that are compared. About 0 where one of them goes below it."""
    lows, highs = zip(first, *others, strict=True)
    highest = max(*highs, *(-low for low in lows))
    return (-highest if min(lows) < 0 else 0.0), highest


@dataclass(frozen=True)
class ImportanceMap:
    """What `series_figure` was given to draw over a series.

    Attributes
    ----------
    curve
        ``(n_timepoints,)``.
    by_channel
        ``(n_channels, n_timepoints)`` where the method tells channels apart, else None.
    title, unit
        As given, not escaped.
    flat
        What a flat map has everywhere, None where the map has no such reference.
    flat_name
        How to call it.
    least_limits
        A range to cover at least, so that another picture can have the same; None: its own.
    """

    curve: FloatArray
    by_channel: FloatArray | None
    title: str
    unit: str
    flat: float | None
    flat_name: str
    least_limits: tuple[float, float] | None = None

    @property
    def limits(self) -> tuple[float, float]:
        """The range of colours: of the channels where they are told apart, since their sum reaches much farther."""
        own = anchored_limits(self.curve if self.by_channel is None else self.by_channel, self.flat)
        return own if self.least_limits is None else covering(own, self.least_limits)

    @property
    def curve_limits(self) -> tuple[float, float]:
        """The range of the curve's axis."""
        return self.limits if self.by_channel is None else anchored_limits(self.curve, self.flat)

    @property
    def signed(self) -> bool:
        """Whether some of it is negative."""
        return self.limits[0] < 0

    def row(self, channel: int) -> FloatArray:
        """Return the weights behind one channel, ``(n_timepoints,)``."""
        return self.curve if self.by_channel is None else self.by_channel[channel]

    def colour_axis(self, theme: Theme, bottom: float, top: float, inner_height: int) -> dict[str, Any]:
        """Return the colour axis with its bar beside the rows between ``bottom`` and ``top`` (shares of height)."""
        low, high = self.limits
        ticks = {high: number(high), low: number(low), 0.0: "0"}
        if self.flat and self.flat / high > 0.1:
            ticks[self.flat] = self.flat_name
        return {
            "cmin": low,
            "cmax": high,
            "colorscale": theme.signed_behind if self.signed else theme.heat_behind,
            "colorbar": colour_bar(self.unit, top=top, length=(top - bottom) * inner_height, ticks=ticks),
        }


def colour_bar(unit: str, *, top: float, length: float, ticks: dict[float, str] | None = None) -> dict[str, Any]:
    """Return a colour bar at the right, ``length`` pixels long at most, from ``top`` (a share of height) down."""
    named = {} if ticks is None else {"tickvals": list(ticks), "ticktext": list(ticks.values())}
    return {
        "title": {"text": escape(unit), "side": "right", "font": {"size": 12}},
        "tickfont": {"size": 12},
        "x": 1.0,
        "xpad": 12,
        "thickness": 12,
        "y": top,
        "yanchor": "top",
        "lenmode": "pixels",
        "len": min(length, LONGEST_BAR),
        "ypad": 0,
        "outlinewidth": 0.5,
        "nticks": 5,
        "exponentformat": "power",
        **named,
    }
