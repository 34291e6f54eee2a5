"""Small multiples: panels in columns and rows that share both axes' ranges, sized in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from timemil_core.figures.style import MODEBAR_ROOM, ThemeName, shared_layout

LABEL_ROOM = 24
ROW_GAP = 10
COLUMN_GAP = 0.035


class Grid:
    """Panels filled from the left and from the top.

    Parameters
    ----------
    n_panels
        How many panels.
    most_columns
        How many stand beside one another at most.
    row_height
        Of each panel, in pixels, without its label.
    """

    def __init__(self, n_panels: int, most_columns: int, row_height: int) -> None:
        self.n_panels = n_panels
        self.n_columns = min(n_panels, most_columns)
        self.n_rows = -(-n_panels // self.n_columns)
        self.row_height = row_height
        self._traces: list[Any] = []
        self._labels: dict[int, str] = {}

    def draw(self, panel: int, *traces: Any) -> None:
        """Put traces into the panel counted from 0, over those already there."""
        suffix = "" if panel == 0 else str(panel + 1)
        for trace in traces:
            trace.update(xaxis=f"x{suffix}", yaxis=f"y{suffix}")
            self._traces.append(trace)

    def label(self, panel: int, text: str) -> None:
        """Write ``text``, already escaped, above the panel."""
        self._labels[panel] = text

    @property
    def inner_height(self) -> int:
        """The height in pixels of all rows with their labels."""
        return sum(self._rooms) + self.n_rows * self.row_height

    @property
    def _rooms(self) -> list[int]:
        """The pixels above each row: for labels where it has some."""
        labelled = {panel // self.n_columns for panel in self._labels}
        return [LABEL_ROOM if row in labelled else ROW_GAP * (row > 0) for row in range(self.n_rows)]

    def _domains(self, panel: int) -> tuple[list[float], list[float]]:
        row, column = divmod(panel, self.n_columns)
        width = (1 - COLUMN_GAP * (self.n_columns - 1)) / self.n_columns
        left = column * (width + COLUMN_GAP)
        top = 1 - (row * self.row_height + sum(self._rooms[: row + 1])) / self.inner_height
        bottom = top - self.row_height / self.inner_height
        return [left, min(left + width, 1.0)], [max(bottom, 0.0), top]

    def _own_axis(self, panel: int, row_axes: Sequence[dict[str, Any]]) -> dict[str, Any]:
        row, column = divmod(panel, self.n_columns)
        if not row_axes:
            return {"matches": "y"} if panel else {}
        return {**row_axes[row], **({"title": None} if column else {})}

    def figure(
        self,
        theme: ThemeName,
        *,
        x_title: str,
        y_title: str,
        title: str | None,
        x_range: list[float] | None = None,
        y_range: list[float] | None = None,
        row_axes: Sequence[dict[str, Any]] = (),
        note: str = "",
    ) -> go.Figure:
        """Return the figure; tick labels stand at the left and beneath each column, the titles once.

        Parameters
        ----------
        x_title, y_title
            Already escaped.
        x_range, y_range
            Of all panels.
        row_axes
            Properties of each row's own y axis; by default all rows share one range.
        note
            Written above the panels at right, already escaped.
        """
        layout: dict[str, Any] = {"annotations": []}
        for panel in range(self.n_panels):
            suffix = "" if panel == 0 else str(panel + 1)
            x_domain, y_domain = self._domains(panel)
            layout[f"xaxis{suffix}"] = {
                "domain": x_domain,
                "anchor": f"y{suffix}",
                "range": x_range,
                "showticklabels": panel + self.n_columns >= self.n_panels,
                "zeroline": False,
                "nticks": 6 if self.n_columns < 3 else 4,
                **({"matches": "x"} if panel else {}),
            }
            layout[f"yaxis{suffix}"] = {
                "domain": y_domain,
                "anchor": f"x{suffix}",
                "range": y_range,
                "showticklabels": panel % self.n_columns == 0,
                "zeroline": False,
                "nticks": 6 if self.row_height > 200 else 4,
                **self._own_axis(panel, row_axes),
            }
            if panel in self._labels:
                layout["annotations"].append(_text(self._labels[panel], x_domain[0], y_domain[1], "left", "bottom"))
        layout["annotations"] += [
            {**_text(note, 1, 1, "right", "bottom"), "yshift": 8},
            {**_text(x_title, 0.5, 0, "center", "top"), "yshift": -28},
            {**_text(y_title, 0, 0.5, "center", "middle"), "xshift": -46, "textangle": -90},
        ]
        layout["annotations"] = [annotation for annotation in layout["annotations"] if annotation["text"]]
        has_legend = any(trace.showlegend for trace in self._traces)
        top = 36 if has_legend or note else MODEBAR_ROOM
        shared = shared_layout(theme, height=self.inner_height + top + 56, title=title, top=top)
        return go.Figure(self._traces, {**shared, **layout})


def _text(text: str, x: float, y: float, x_anchor: str, y_anchor: str) -> dict[str, Any]:
    return {
        "text": text,
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": x_anchor,
        "yanchor": y_anchor,
        "showarrow": False,
        "font": {"size": 12},
    }
