"""Rows that share one time axis: a channel, an importance curve or a strip each, from the top down, in pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.style import MODEBAR_ROOM, ThemeName, shared_layout

LABEL_ROOM = 22
ROW_HEIGHTS = ((3, 110), (6, 84), (9, 64))
SMALLEST_ROW = 50


def row_height(n_rows: int) -> int:
    """Return the height in pixels of each of ``n_rows`` channel rows: the more rows, the lower."""
    return next((height for most, height in ROW_HEIGHTS if n_rows <= most), SMALLEST_ROW)


def padded_range(values: npt.NDArray[Any], share: float = 0.08) -> list[float]:
    """Return the limits of an axis that shows all finite ``values`` with some air, [-1, 1] where there are none."""
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return [-1.0, 1.0]
    low, high = float(finite.min()), float(finite.max())
    air = (high - low) * share or max(abs(high) * share, 0.5)
    return [low - air, high + air]


def round_ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most ``most`` round numbers in ``[low, high]``, evenly spaced; two or more where ``most`` >= 4."""
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    for step in (power * factor for factor in (1, 2, 2.5, 5, 10, 20)):
        first, last = math.ceil(low / step), math.floor(high / step)
        if last - first < most:
            return [round(place * step, 12) for place in range(first, last + 1)]
    return []


@dataclass
class _Row:
    height: int
    label: str
    note: str
    axis: dict[str, Any]


@dataclass
class Rows:
    """Collects rows and traces; `figure` lays them out."""

    traces: list[Any] = field(default_factory=list)
    _rows: list[_Row] = field(default_factory=list)

    def add(self, height: int, label: str = "", note: str = "", **axis: Any) -> str:
        """Add a row beneath the others and return its axis (``"y"``, ``"y2"`` …).

        Parameters
        ----------
        height
            In pixels, without the label.
        label, note
            Written above the row at left and at right; already escaped.
        axis
            Properties of the row's y axis.
        """
        self._rows.append(_Row(height, label, note, axis))
        return "y" if len(self._rows) == 1 else f"y{len(self._rows)}"

    def draw(self, row: str, *traces: Any) -> None:
        """Put traces into the row with axis ``row``, over those already there."""
        for trace in traces:
            trace.update(xaxis="x", yaxis=row)
            self.traces.append(trace)

    @property
    def inner_height(self) -> int:
        """The height in pixels of all rows with their labels."""
        return sum(row.height + self._label_room(row) for row in self._rows)

    @staticmethod
    def _label_room(row: _Row) -> int:
        return LABEL_ROOM if row.label or row.note else 6

    def span(self, first: str, last: str) -> tuple[float, float]:
        """Return bottom and top of the rows from ``first`` to ``last``, as shares of the inner height."""
        domains = self.domains()
        return domains[_place(last)][0], domains[_place(first)][1]

    def domains(self) -> list[tuple[float, float]]:
        """Return bottom and top of each row, as shares of the inner height."""
        total, below = self.inner_height, self.inner_height
        domains = []
        for row in self._rows:
            top = below - self._label_room(row)
            below = top - row.height
            domains.append((max(below / total, 0.0), min(top / total, 1.0)))
        return domains

    def figure(
        self, theme: ThemeName, x_axis: dict[str, Any], *, title: str | None, right: int, bottom: int = 56, **more: Any
    ) -> go.Figure:
        """Return the figure: rows under their labels, one x axis beneath the lowest; ``more`` goes into the layout."""
        domains = self.domains()
        layout: dict[str, Any] = {"annotations": [], **more}
        for place, (row, domain) in enumerate(zip(self._rows, domains, strict=True)):
            name = "yaxis" if place == 0 else f"yaxis{place + 1}"
            low, high = row.axis["range"]
            ticks = round_ticks(low, high, most=4 if row.height < 100 else 5)
            layout[name] = {"domain": domain, "anchor": "x", "fixedrange": True, "tickvals": ticks, **row.axis}
            layout["annotations"] += [
                _label(text, side, domain[1]) for text, side in ((row.label, 0), (row.note, 1)) if text
            ]
        lowest = "y" if len(self._rows) == 1 else f"y{len(self._rows)}"
        layout["xaxis"] = {"anchor": lowest, "showgrid": True, "zeroline": False, **x_axis}
        has_legend = any(trace.showlegend for trace in self.traces)
        top = 36 if has_legend else MODEBAR_ROOM
        height = self.inner_height + top + bottom
        shared = shared_layout(theme, height=height, title=title, right=right, top=top, bottom=bottom)
        return go.Figure(self.traces, {**shared, **layout})


def _place(axis: str) -> int:
    return int(axis[1:] or 1) - 1


def _label(text: str, side: int, y: float) -> dict[str, Any]:
    return {
        "text": text,
        "x": side,
        "xref": "paper",
        "xanchor": "right" if side else "left",
        "y": y,
        "yref": "paper",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 12},
    }
