"""One effect beside the same effect elsewhere or at random: is it larger than what anything does?"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.style import THEMES, VALUE_FORMAT, ThemeName, base_layout, empty_figure
from timemil_core.figures.text import escape

ROW_HEIGHT = 56
APART = 0.18  # of a row: discs above its middle, rings below


def beside_figure(
    effects: Mapping[str, tuple[FloatArray, FloatArray]],
    quantity: str,
    *,
    own: str,
    others: str,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw effects (discs) beside those that they have to exceed (grey rings), a row for each place of testing.

    Parameters
    ----------
    effects
        From the row's name to (own effects ``(n,)``, those of others ``(n_others,)``), in the unit of ``quantity``.
        With a single row its name is not drawn.
    quantity
        What is measured, for the axis.
    own, others
        Names for the legend.
    """
    if not effects:
        return empty_figure("Nothing was compared.", theme, title)
    colours = THEMES[theme]
    ring = {"symbol": "circle-open", "size": 6, "color": colours.muted, "opacity": 0.6}
    disc = {"symbol": "circle", "size": 9, "color": colours.selection}
    fig = go.Figure()
    for place, (first, second) in enumerate(effects.values()):
        for name, values, offset, marker in ((others, second, APART, ring), (own, first, -APART, disc)):
            fig.add_scatter(
                x=values, y=np.full(len(values), place + offset), mode="markers", marker=marker, name=escape(name),
                legendgroup=name, showlegend=place == 0,
                hovertemplate=f"<b>{escape(name)}</b>: %{{x{VALUE_FORMAT}}}<extra></extra>",
            )  # fmt: skip
    fig.update_xaxes(
        title={"text": escape(quantity), "standoff": 8}, zeroline=True, zerolinecolor=colours.muted, nticks=6
    )
    named = len(effects) > 1
    fig.update_yaxes(
        tickvals=list(range(len(effects))), ticktext=[escape(name) for name in effects], ticklabelstandoff=6,
        range=[len(effects) - 0.5, -0.5], zeroline=False, showgrid=False, showticklabels=named,
    )  # fmt: skip
    left = 90 if named else 16
    return base_layout(fig, theme, height=len(effects) * ROW_HEIGHT + 94, title=title, left=left, top=36, bottom=56)
