"""How large the values of each channel are, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from timemil_core.figures.data.names import SMALL_HEIGHT
from timemil_core.figures.rows import padded_range
from timemil_core.figures.style import MODEBAR_ROOM, THEMES, ThemeName, base_layout, empty_figure, faded
from timemil_core.figures.text import number, shortened

FEW_CHANNELS = 12
LARGEST_RATIO = 100.0  # of channel scales on a plain axis: beyond, the smaller ones would be a dot

DoubleArray = npt.NDArray[np.float64]


def channel_scales_figure(
    scales: npt.NDArray[Any],
    channel_names: Sequence[str],
    *,
    n_channels: int | None = None,
    theme: ThemeName = "light",
    title: str | None = None,
) -> go.Figure:
    """Draw a line from smallest to largest value, a bar for the middle half, a point at the median.

    Where scales differ by more than a hundred, the axis is logarithmic away from 0.

    Parameters
    ----------
    scales
        ``(n_drawn, 5)``: smallest value, first quartile, median, third quartile, largest; NaN where there is none.
    channel_names
        Of the channels in ``scales``.
    n_channels
        How many channels there are, where not all are given.
    """
    if not len(scales):
        return empty_figure("There are no channels.", theme, title, SMALL_HEIGHT)
    scales = np.asarray(scales, dtype=np.float64)
    unit = _linear_unit(scales)
    drawn = scales if unit is None else np.arcsinh(scales / unit)
    fig = go.Figure(_marks(drawn, scales, [shortened(name, 40) for name in channel_names], theme))
    left_out = f" ({len(scales)} of {n_channels} channels)" if n_channels and n_channels > len(scales) else ""
    axis: dict[str, Any] = {"range": padded_range(drawn, 0.04), "zeroline": True, "nticks": 6}
    if unit is not None:
        axis |= _logarithmic_ticks(scales, unit)
    scale = ", logarithmic away from 0" if unit is not None else ""
    title_text = f"all values, middle half, median{scale}{left_out}"
    fig.update_xaxes(title={"text": title_text, "standoff": 8}, tickangle=0, **axis)
    fig.update_yaxes(
        tickvals=list(range(len(scales))),
        ticktext=[shortened(name, 18) for name in channel_names],
        range=[len(scales) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    row = 24 if len(scales) <= FEW_CHANNELS else 17
    return base_layout(fig, theme, height=max(SMALL_HEIGHT, 80 + row * len(scales)), title=title, top=MODEBAR_ROOM)


def _linear_unit(scales: DoubleArray) -> float | None:
    """Return the value up to which a logarithmic axis stays linear; None where a plain axis will do."""
    sizes = np.where(np.isfinite(scales), np.abs(scales), 0.0).max(axis=1)
    sizes = sizes[sizes > 0]
    return float(sizes.min()) / 10 if len(sizes) and sizes.max() / sizes.min() > LARGEST_RATIO else None


def _logarithmic_ticks(scales: DoubleArray, unit: float) -> dict[str, Any]:
    low, high = np.nanmin(scales), np.nanmax(scales)
    first, last = int(np.ceil(np.log10(unit))), int(np.floor(np.log10(max(abs(low), abs(high)))))
    step = max(1, -(-(last - first + 1) // 2))
    powers = 10.0 ** np.arange(last, first - 1, -step)
    values = [value for value in (*-powers, 0.0, *powers[::-1]) if low <= value <= high]
    return {"tickvals": list(np.arcsinh(np.array(values) / unit)), "ticktext": [number(value) for value in values]}


def _marks(drawn: DoubleArray, scales: DoubleArray, names: Sequence[str], theme: ThemeName) -> list[Any]:
    colour, places = THEMES[theme].heat_line, np.arange(len(drawn))
    gap = np.full(len(drawn), np.nan)
    told = [[number(value) for value in scale] for scale in scales]
    return [
        go.Scatter(
            x=np.stack([drawn[:, 0], drawn[:, 4], gap], axis=1).ravel(),
            y=np.repeat(places, 3),
            mode="lines",
            line={"color": colour, "width": 1.5},
            hoverinfo="skip",
            showlegend=False,
            name="smallest to largest",
        ),
        go.Bar(
            x=drawn[:, 3] - drawn[:, 1],
            base=drawn[:, 1],
            y=places,
            width=0.5,
            orientation="h",
            marker={"color": faded(colour, 0.35), "line": {"color": colour, "width": 1}},
            hoverinfo="skip",
            showlegend=False,
            name="middle half",
        ),
        go.Scatter(
            x=drawn[:, 2],
            y=places,
            mode="markers",
            marker={"color": colour, "size": 8, "symbol": "line-ns-open", "line": {"width": 3}},
            customdata=[[name, *numbers] for name, numbers in zip(names, told, strict=True)],
            hovertemplate="<b>%{customdata[0]}</b>: %{customdata[1]} to %{customdata[5]}, middle half "
            "%{customdata[2]} to %{customdata[4]}, median %{customdata[3]}<extra></extra>",
            showlegend=False,
            name="median",
        ),
    ]
