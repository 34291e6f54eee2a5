"""A point a kernel, by wavelet, to pick from; the chosen one ringed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from timemil_core.figures.decimate import FloatArray
from timemil_core.figures.picking import as_ids
from timemil_core.figures.style import THEMES, ThemeName, class_style

LOG_TICKS = [base * 10.0**power for power in range(-8, 7) for base in (1, 2, 5)]


def kernel_points(
    x: FloatArray,
    y: FloatArray,
    texts: Sequence[Sequence[str]],
    *,
    layer: int,
    selected: tuple[int, int, int] | None,
    theme: ThemeName,
) -> list[go.Scatter]:
    """Return the points of each wavelet, and a ring around the chosen one where it is of this layer.

    Parameters
    ----------
    x, y
        ``(n_wavelets, n_features)``.
    texts
        What hovers tell of each, beneath its name; already escaped.
    layer
        The layer's index, for the ids ``[layer, wavelet, feature]``, counted from 0; texts count from 1.
    selected
        The id of the kernel to ring.
    """
    points = [_of_wavelet(x, y, texts[wavelet], layer, wavelet, theme) for wavelet in range(len(x))]
    if selected is not None and selected[0] == layer:
        points.append(_ring(float(x[selected[1:]]), float(y[selected[1:]]), theme))
    return points


def _of_wavelet(
    x: FloatArray, y: FloatArray, texts: Sequence[str], layer: int, wavelet: int, theme: ThemeName
) -> go.Scatter:
    style = class_style(wavelet, theme)
    n_features = x.shape[1]
    ids = np.stack([np.full(n_features, layer), np.full(n_features, wavelet), np.arange(n_features)], axis=1)
    return go.Scatter(
        x=x[wavelet],
        y=y[wavelet],
        customdata=as_ids(ids),
        text=[f"feature {feature + 1}<br>{text}" for feature, text in enumerate(texts)],
        mode="markers",
        marker={"color": style.colour, "symbol": style.symbol, "size": 8, "opacity": 0.85},
        selected={"marker": {"opacity": 1.0, "size": 11}},
        unselected={"marker": {"opacity": 0.4}},
        name=f"wavelet {wavelet + 1}",
        showlegend=True,
        hovertemplate=f"<b>wavelet {wavelet + 1}</b>, %{{text}}<extra></extra>",
    )


def _ring(x: float, y: float, theme: ThemeName) -> go.Scatter:
    colour = THEMES[theme].text
    marker = {"symbol": "circle-open", "size": 18, "color": colour, "line": {"width": 2.5, "color": colour}}
    return go.Scatter(
        x=[x],
        y=[y],
        mode="markers",
        marker=marker,
        unselected={"marker": {"opacity": 1.0}},
        name="chosen kernel",
        showlegend=True,
        hoverinfo="skip",
    )
