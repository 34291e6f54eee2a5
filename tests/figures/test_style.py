from __future__ import annotations

import re

import plotly.graph_objects as go
import pytest

from tests.figures.conftest import HOSTILE, HOSTILE_DRAWN
from timemil_core.figures.style import (
    CHART_CONFIG,
    DASHES,
    OKABE_ITO,
    SYMBOLS,
    THEMES,
    TRANSPARENT,
    base_layout,
    class_style,
    empty_figure,
    faded,
)


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    low, high = sorted([luminance(first), luminance(second)])
    return (high + 0.05) / (low + 0.05)


def over(page: str, rgba: str) -> str:
    """The colour that a transparent one gives on a page."""
    red, green, blue, opacity = (float(part) for part in re.findall(r"[\d.]+", rgba))
    below = [int(page[start : start + 2], 16) for start in (1, 3, 5)]
    mixed = [round(a * opacity + b * (1 - opacity)) for a, b in zip((red, green, blue), below, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed)


@pytest.mark.parametrize("theme", THEMES)
def test_texts_and_lines_are_legible_on_the_page(theme):
    colours = THEMES[theme]
    for colour in (colours.text, colours.muted, colours.line, colours.heat_line, colours.truth, colours.selection):
        assert contrast(colour, colours.page) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("scale", ["heat_behind", "signed_behind"])
def test_a_line_is_legible_over_every_colour_of_a_map(theme, scale):
    colours = THEMES[theme]
    for _, colour in getattr(colours, scale):
        assert contrast(colours.line, over(colours.page, colour)) >= 3


@pytest.mark.parametrize("theme", THEMES)
def test_heat_scales_begin_at_nothing_and_end_strong(theme):
    for scale in (THEMES[theme].heat, THEMES[theme].heat_behind):
        assert scale[0][1].endswith(",0)")
        assert contrast(over(THEMES[theme].page, scale[-1][1]), THEMES[theme].page) > 3


@pytest.mark.parametrize("theme", THEMES)
def test_signed_scales_are_nothing_in_the_middle(theme):
    for scale in (THEMES[theme].signed, THEMES[theme].signed_behind):
        assert [colour for place, colour in scale if place == 0.5 and not colour.endswith(",0)")] == []


def test_first_classes_have_the_colours_of_okabe_and_ito():
    assert [class_style(index).colour for index in range(6)] == list(OKABE_ITO)


@pytest.mark.parametrize("theme", THEMES)
def test_thirty_classes_all_look_different(theme):
    looks = {class_style(index, theme) for index in range(30)}
    assert len(looks) == 30


def test_eight_classes_differ_by_symbol_too():
    assert [class_style(index).symbol for index in range(8)] == list(SYMBOLS)
    assert {class_style(index).dash for index in range(8)} == {"solid"}


def test_the_ninth_class_is_muted_and_dashed():
    assert class_style(8).dash == DASHES[1]
    assert class_style(8).symbol == "circle-open"
    assert class_style(8).colour != class_style(0).colour


def test_faded_keeps_the_colour():
    assert faded("#ff8000", 0.25) == "rgba(255,128,0,0.25)"


@pytest.mark.parametrize("theme", THEMES)
def test_backgrounds_are_transparent_and_texts_come_from_the_template(theme):
    fig = base_layout(go.Figure(), theme, height=300)
    assert fig.layout.paper_bgcolor == fig.layout.plot_bgcolor == TRANSPARENT
    assert fig.layout.font.color is None
    assert fig.layout.template.layout.font.color == THEMES[theme].text


def test_a_title_is_escaped_and_gets_room_of_its_own():
    plain, titled = (base_layout(go.Figure(), "light", height=300, title=title) for title in (None, HOSTILE))
    assert plain.layout.title.text is None
    assert titled.layout.title.text == HOSTILE_DRAWN
    assert titled.layout.height - plain.layout.height == titled.layout.margin.t - plain.layout.margin.t > 0


def test_an_empty_figure_says_why():
    fig = empty_figure("Nothing <here>.")
    assert [annotation.text for annotation in fig.layout.annotations] == ["Nothing &lt;here&gt;."]
    assert not fig.data


def test_no_chart_offers_to_upload_its_data():
    assert CHART_CONFIG["showSendToCloud"] is False
