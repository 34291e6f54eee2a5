"""The look that all figures share: two themes, palettes that colour-blind readers can tell apart, one layout.

Fonts, grids and text colours live in a Plotly *template*, so that Streamlit's own theme can replace them, while a
figure exported without Streamlit keeps them. Backgrounds are transparent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import plotly.graph_objects as go

from timemil_core.figures.text import escape

ThemeName = Literal["light", "dark"]
ColourScale = list[tuple[float, str]]

FONT_FAMILY = "Source Sans, Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
FONT_SIZE = 13
TRANSPARENT = "rgba(0,0,0,0)"
MODEBAR_ROOM = 30
"""Pixels at the top that Plotly's buttons need, so that they cover nothing; a legend takes no less."""
TIME_FORMAT = ":.7~g"
VALUE_FORMAT = ":.4~g"

CHART_CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "showSendToCloud": False,  # Plotly 7 shows a button that uploads the data to Plotly's cloud unless told not to
    "responsive": True,
    "doubleClick": "reset",
    "toImageButtonOptions": {"format": "svg"},
}
"""How Plotly draws figures in the browser: in the app and in exported pages."""

OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Okabe and Ito (2008), less yellow and black, which vanish on a light and on a dark page; see `Theme.classes`."""

SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "triangle-down")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


@dataclass(frozen=True)
class Theme:
    """The colours of one theme: ``page``, ``text`` and ``heat_line`` are the app's too (`app/.streamlit/config.toml`).

    ``heat_behind`` goes from nothing to an orange on which a line of colour ``line`` is still read, the hue of what
    speaks for a class; ``heat`` is for heat maps with nothing drawn over them; ``signed_behind`` and ``signed`` are
    blue below 0, nothing at 0 and orange above it.
    """

    page: str
    text: str
    muted: str
    grid: str
    line: str
    heat_line: str
    truth: str
    selection: str
    classes: tuple[str, ...]
    heat_behind: ColourScale
    heat: ColourScale
    signed_behind: ColourScale
    signed: ColourScale


def _signed_scale(below: str, above: str, strength: float) -> ColourScale:
    half = strength * 0.5
    return [
        (0.0, f"rgba({below},{strength})"),
        (0.25, f"rgba({below},{half})"),
        (0.5, f"rgba({below},0)"),
        (0.5, f"rgba({above},0)"),
        (0.75, f"rgba({above},{half})"),
        (1.0, f"rgba({above},{strength})"),
    ]


THEMES: dict[ThemeName, Theme] = {
    "light": Theme(
        page="#ffffff",
        text="#17212b",
        muted="#5b6673",
        grid="rgba(23,33,43,0.12)",
        line="#17212b",
        heat_line="#0b5fa5",
        truth="#00785a",
        selection="#b34e00",
        classes=(*OKABE_ITO, "#7a6a00", "#5b6673"),
        heat_behind=[(0.0, "rgba(212,98,16,0)"), (1.0, "rgba(212,98,16,0.85)")],
        heat=[(0.0, "rgba(49,130,206,0)"), (0.5, "rgba(49,130,206,0.75)"), (1.0, "rgba(8,48,107,1)")],
        signed_behind=_signed_scale("49,130,206", "230,126,34", 0.85),
        signed=_signed_scale("11,95,165", "196,84,0", 1.0),
    ),
    "dark": Theme(
        page="#0f161d",
        text="#e6edf3",
        muted="#a3adba",
        grid="rgba(230,237,243,0.16)",
        line="#f2f4f7",
        heat_line="#7cc0f5",
        truth="#3ddbb0",
        selection="#ffb86b",
        classes=("#4aa3df", "#ff8a4c", "#2fc79a", "#e39ac4", "#9ad4f5", "#f3bd4d", "#e8e06a", "#b8c0c8"),
        heat_behind=[(0.0, "rgba(214,110,30,0)"), (1.0, "rgba(214,110,30,0.85)")],
        heat=[(0.0, "rgba(58,134,220,0)"), (0.5, "rgba(58,134,220,0.85)"), (1.0, "rgba(198,226,255,1)")],
        signed_behind=_signed_scale("58,134,220", "214,110,30", 0.85),
        signed=_signed_scale("124,192,245", "255,160,80", 1.0),
    ),
}


def spike(theme: Theme) -> dict[str, Any]:
    """Return the properties of an axis whose spike follows the pointer through all rows.

    Plotly draws every spike over a white line two pixels wider, whatever the theme: on a dark page that line is the
    spike.
    """
    dark = theme is THEMES["dark"]
    return {
        "showspikes": True,
        "spikemode": "across",
        "spikesnap": "cursor",
        "spikedash": "solid" if dark else "dot",
        "spikethickness": 0.01 if dark else 1,
        "spikecolor": theme.line if dark else theme.muted,
    }


@dataclass(frozen=True)
class ClassStyle:
    """How a class is drawn: never by its colour alone."""

    colour: str
    dash: str
    symbol: str


def class_style(index: int, theme: ThemeName = "light") -> ClassStyle:
    """Return colour, dash and symbol of the class ``index``.

    Eight classes have colours of their own; from the ninth on the colours come again, muted, with other dashes and
    open symbols.
    """
    palette = THEMES[theme].classes
    turn, place = divmod(index, len(palette))
    colour = palette[place] if turn == 0 else _mixed(palette[place], THEMES[theme].muted)
    symbol = SYMBOLS[place] + ("-open" if turn % 2 else "")
    return ClassStyle(colour, DASHES[turn % len(DASHES)], symbol)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[start : start + 2], 16) for start in (1, 3, 5))


def _mixed(first: str, second: str) -> str:
    return "#" + "".join(f"{(a + b) // 2:02x}" for a, b in zip(_channels(first), _channels(second), strict=True))


def faded(colour: str, opacity: float) -> str:
    """Return ``#rrggbb`` as ``rgba(…)`` with the given opacity in [0, 1]."""
    red, green, blue = _channels(colour)
    return f"rgba({red},{green},{blue},{opacity})"


@cache
def _template(theme: ThemeName) -> go.layout.Template:
    colours = THEMES[theme]
    axis = {
        "exponentformat": "power",
        "automargin": True,
        "gridcolor": colours.grid,
        "zerolinecolor": colours.grid,
        "linecolor": colours.muted,
        "tickcolor": colours.muted,
        "tickfont": {"color": colours.muted, "size": 12},
        "title": {"font": {"color": colours.text, "size": FONT_SIZE}},
    }
    return go.layout.Template(
        layout={
            "font": {"family": FONT_FAMILY, "size": FONT_SIZE, "color": colours.text},
            "title": {"font": {"size": 16, "color": colours.text}, "x": 0, "xanchor": "left"},
            "xaxis": axis,
            "yaxis": axis,
            "hoverlabel": {
                "bgcolor": colours.page,
                "bordercolor": colours.muted,
                "font": {"color": colours.text, "family": FONT_FAMILY, "size": FONT_SIZE},
            },
            "colorway": list(colours.classes),
        }
    )


def base_layout(
    fig: go.Figure,
    theme: ThemeName,
    *,
    height: int,
    title: str | None = None,
    left: int = 64,
    right: int = 16,
    top: int = 44,
    bottom: int = 56,
) -> go.Figure:
    """Give ``fig`` the shared look of ``shared_layout``, whose parameters these are, and return it."""
    return fig.update_layout(
        shared_layout(theme, height=height, title=title, left=left, right=right, top=top, bottom=bottom)
    )


def shared_layout(
    theme: ThemeName,
    *,
    height: int,
    title: str | None = None,
    left: int = 64,
    right: int = 16,
    top: int = 44,
    bottom: int = 56,
) -> dict[str, Any]:
    """Return the layout that all figures share, for a figure to begin with: Plotly is slow at changing one later.

    Parameters
    ----------
    height
        Of the whole figure, in pixels; the width is left to the page.
    title
        For exports; pages have headings of their own. The room for it is added to the height.
    left, right, top, bottom
        Margins in pixels; the legend lies in the top one.
    """
    room, colours = 36 if title else 0, THEMES[theme]
    layout: dict[str, Any] = {
        "template": _template(theme),
        "height": height + room,
        "margin": {"l": left, "r": right, "t": top + room, "b": bottom, "pad": 0},
        "paper_bgcolor": TRANSPARENT,
        "plot_bgcolor": TRANSPARENT,
        "modebar": {"bgcolor": TRANSPARENT, "color": colours.muted, "activecolor": colours.selection},
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 1 + 8 / max(height - top - bottom, 50),
            "yanchor": "bottom",
            "bgcolor": TRANSPARENT,
            "font": {"size": 12},
        },
    }
    if title:
        layout["title"] = {
            "text": escape(title),
            "x": 0,
            "xref": "container",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "pad": {"t": 12, "l": 12},
        }
    return layout


def empty_figure(message: str, theme: ThemeName = "light", title: str | None = None, height: int = 240) -> go.Figure:
    """Return a figure without data that says why in one sentence."""
    fig = go.Figure()
    fig.update_xaxes(visible=False)
    fig.update_yaxes(visible=False)
    fig.add_annotation(
        text=escape(message), x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False, font={"size": 14}
    )
    return base_layout(fig, theme, height=height, title=title)
