"""A mean curve over the band that its spread makes."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.style import (
    TIME_FORMAT,
    VALUE_FORMAT,
    faded,
)

Curve = tuple[FloatArray, FloatArray, FloatArray]
"""Mean, low and high, each ``(n_positions,)``."""


def banded(x: FloatArray, curve: Curve, colour: str, dash: str, name: str, *, legend: bool) -> list[go.Scatter]:
    """Return the band and over it the mean; ``name`` is already escaped."""
    mean, low, high = curve
    band = go.Scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([high, low[::-1]]),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=faded(colour, 0.15),
        hoverinfo="skip",
        legendgroup=name,
        showlegend=False,
        name=name,
    )
    line = go.Scatter(
        x=x,
        y=mean,
        mode="lines",
        line={"color": colour, "width": 2, "dash": dash},
        name=name,
        legendgroup=name,
        showlegend=legend,
        customdata=np.stack([low, high], axis=1),
        hovertemplate=f"<b>{name}</b>: %{{y{VALUE_FORMAT}}} (%{{customdata[0]{VALUE_FORMAT}}} to "
        f"%{{customdata[1]{VALUE_FORMAT}}}) at %{{x{TIME_FORMAT}}}<extra></extra>",
    )
    return [band, line]
