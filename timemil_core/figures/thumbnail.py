"""A series as small as a cell of a table: its channels as lines, a map as the shade behind them."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import numpy.typing as npt

from timemil_core.figures.decimate import bin_mean, kept_indices
from timemil_core.figures.style import THEMES, ThemeName

FloatArray = npt.NDArray[np.floating[Any]]
WIDTH, HEIGHT, MOST_CHANNELS = 220, 48, 6
SHADES, LINE_POINTS, AIR = 44, 110, 1.5


def thumbnail(
    values: FloatArray,
    importance: FloatArray | None = None,
    limits: tuple[float, float] = (0.0, 1.0),
    theme: ThemeName = "light",
) -> str:
    """Return a picture as the address of an SVG image, for a table's cell.

    Parameters
    ----------
    values
        ``(n_channels, n_timepoints)``; the first six channels are drawn, one beneath the other. NaN leaves a gap.
    importance
        ``(n_timepoints,)``: shaded from nothing at 0 to the full colour at the ends of ``limits``.
    limits
        Of the map's colours.
    """
    look = THEMES[theme]
    parts = [] if importance is None else _shades(importance, max(abs(limits[0]), abs(limits[1])) or 1.0)
    drawn = values[:MOST_CHANNELS]
    for place, channel in enumerate(drawn):
        lane = place * HEIGHT / len(drawn) + AIR, (place + 1) * HEIGHT / len(drawn) - AIR
        parts.append(
            f'<path d="{_path(channel, *lane)}" fill="none" stroke="{look.line}" stroke-width="1" opacity=".7"/>'
        )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{look.page}"/>{"".join(parts)}</svg>'
    )
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def _shades(importance: FloatArray, highest: float) -> list[str]:
    shares = np.clip(bin_mean(importance, SHADES) / highest, -1, 1)
    width = WIDTH / len(shares)
    return [
        f'<rect x="{place * width:.1f}" width="{width + 0.3:.1f}" height="{HEIGHT}" '
        f'fill="{"#e67e22" if share > 0 else "#3182ce"}" opacity="{abs(share) * 0.85:.2f}"/>'
        for place, share in enumerate(shares.tolist())
        if abs(share) >= 0.02
    ]


def _path(channel: FloatArray, top: float, bottom: float) -> str:
    finite = channel[np.isfinite(channel)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    kept = kept_indices(channel, LINE_POINTS)
    x = kept * (WIDTH - 2) / max(len(channel) - 1, 1) + 1
    y = bottom - (channel[kept] - low) / ((high - low) or 1.0) * (bottom - top)
    pen, told = "M", []
    for across, down in zip(x, y, strict=True):
        if np.isfinite(down):
            told.append(f"{pen}{across:.1f} {down:.1f}")
            pen = "L"
        else:
            pen = "M"
    return "".join(told)
