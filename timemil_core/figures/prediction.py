"""The probability of each class for one series."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.style import (
    MODEBAR_ROOM,
    THEMES,
    ThemeName,
    base_layout,
    empty_figure,
    faded,
)
from timemil_core.figures.text import escape, shortened

BAR_HEIGHT = 26
NARROW_BAR_HEIGHT = 20


def probabilities_figure(
    probabilities: FloatArray,
    class_names: Sequence[str],
    true_class: int | str | None = None,
    predicted: int | str | None = None,
    *,
    quantity: str = "probability",
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a bar a class; the true and the predicted class are told in words.

    Parameters
    ----------
    probabilities
        ``(n_classes,)`` in [0, 1].
    true_class, predicted
        Indices into ``class_names``, or the names; None where not known.
    """
    if len(probabilities) == 0:
        return empty_figure("There are no classes.", theme, title)
    colours = THEMES[theme]
    true_class, predicted = (_class_index(which, class_names) for which in (true_class, predicted))
    ticks = [_class_tick(place, name, true_class, predicted) for place, name in enumerate(class_names)]
    fills = [colours.heat_line if place == predicted else faded(colours.muted, 0.45) for place in range(len(ticks))]
    outlines = [colours.truth if place == true_class else fills[place] for place in range(len(ticks))]
    fig = go.Figure(
        go.Bar(
            x=probabilities,
            y=np.arange(len(ticks)),
            orientation="h",
            marker={"color": fills, "line": {"color": outlines, "width": 2}},
            text=["&lt;0.001" if 0 < share < 0.0005 else f"{share:.3f}" for share in probabilities],
            textposition="outside",
            cliponaxis=False,
            customdata=[escape(name) for name in class_names],
            hovertemplate=f"<b>%{{customdata}}</b><br>{escape(quantity)}: %{{x:.4f}}<extra></extra>",
            showlegend=False,
        )
    )
    fig.update_xaxes(range=[0, 1], title={"text": escape(quantity), "standoff": 8}, zeroline=False, fixedrange=True)
    fig.update_yaxes(
        tickvals=list(range(len(ticks))),
        ticktext=ticks,
        range=[len(ticks) - 0.5, -0.5],
        showgrid=False,
        fixedrange=True,
        zeroline=False,
    )
    height = max(len(ticks), 2) * (BAR_HEIGHT if len(ticks) <= 12 else NARROW_BAR_HEIGHT)
    return base_layout(
        fig, theme, height=height + MODEBAR_ROOM + 54, title=title, left=80, right=52, top=MODEBAR_ROOM, bottom=54
    )


def _class_index(which: int | str | None, class_names: Sequence[str]) -> int | None:
    """Return the place of a class that is given by its place or its name; None for a name that is not there."""
    if isinstance(which, str):
        return list(class_names).index(which) if which in class_names else None
    return which


def _class_tick(place: int, name: str, true_class: int | None, predicted: int | None) -> str:
    roles = [role for role, which in (("predicted", predicted), ("true", true_class)) if place == which]
    label = shortened(name, 22)
    return f"<b>{label}</b><br><span style='font-size:11px'>{' and '.join(roles)}</span>" if roles else label
