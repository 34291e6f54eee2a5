"""Figures as files: HTML that opens without a network, PNG where a Chromium is found."""

from __future__ import annotations

import html
import importlib.util
import logging
import os
import shutil
from typing import Literal

import plotly.graph_objects as go
import plotly.io as pio

from timemil_core.figures.offline import drawing_code, placed
from timemil_core.figures.style import CHART_CONFIG, FONT_FAMILY, THEMES, Theme

logger = logging.getLogger(__name__)

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PNG_WIDTH = 1200


def theme_of(fig: go.Figure) -> Theme:
    """Return the theme that a figure was drawn in, light where it cannot be told."""
    colour = fig.layout.template.layout.font.color
    return next((theme for theme in THEMES.values() if theme.text == colour), THEMES["light"])


def to_html(fig: go.Figure, title: str, *, plotly_code: Literal["inline", "cdn"] = "inline") -> bytes:
    """Return the figure as a page of its own, in UTF-8.

    Parameters
    ----------
    title
        The page's heading; any text, drawn letter for letter.
    plotly_code
        ``"inline"``: about 2 MB, opens without a network, for good. ``"cdn"``: small, but needs a network to open.
    """
    theme = theme_of(fig)
    if plotly_code == "inline":
        body = f"{placed(fig, 'figure')}\n{drawing_code()}"
    else:
        height = f"{fig.layout.height or 450}px"
        body = pio.to_html(fig, config=CHART_CONFIG, full_html=False, include_plotlyjs="cdn", default_height=height)
    heading = html.escape(title)
    page = (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{heading}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>body {{ margin: 24px auto; max-width: 1400px; padding: 0 16px; background: {theme.page}; "
        f"color: {theme.text}; font-family: {FONT_FAMILY}; }} h1 {{ font-size: 20px; font-weight: 600; }}</style>\n"
        f"</head>\n<body>\n<h1>{heading}</h1>\n{body}\n</body>\n</html>\n"
    )
    return page.encode()


def png_obstacle() -> str | None:
    """Return why no PNG can be drawn on this machine, in a sentence for the user; None where one can."""
    if importlib.util.find_spec("kaleido") is None:
        return "PNG needs the package kaleido (pip install kaleido), which is not installed; HTML works without."
    if not (os.environ.get("BROWSER_PATH") or any(map(shutil.which, CHROMIUM_NAMES))):
        return "PNG needs Chromium or Chrome on the machine that runs this program; none was found."
    return None


def can_draw_png() -> bool:
    """Tell whether `to_png` can be expected to work on this machine."""
    return png_obstacle() is None


def to_png(fig: go.Figure, *, width: int = PNG_WIDTH, scale: float = 2.0) -> bytes | None:
    """Return the figure as PNG on its theme's background, or None where that fails; `png_obstacle` says why.

    Parameters
    ----------
    width
        In layout pixels; the height is the figure's own.
    scale
        Pixels of the picture for each layout pixel.
    """
    if png_obstacle() is not None:
        return None
    solid = go.Figure(fig).update_layout(paper_bgcolor=theme_of(fig).page)
    try:
        return bytes(solid.to_image(format="png", width=width, scale=scale))
    except Exception:  # kaleido raises whatever its browser does
        logger.exception("no PNG could be drawn")
        return None
