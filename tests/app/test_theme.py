"""The colours of the app's own settings: chips are read on both pages, and figures stand on the same page."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import get_args

import pytest

from app.common.trust import COLOURS, ICONS
from timemil_core.explain.evaluation.standing import Level
from timemil_core.figures.style import THEMES

CONFIG = Path(__file__).resolve().parents[2] / "app" / ".streamlit" / "config.toml"
COLOURS_OF_CHIPS = [*dict.fromkeys(COLOURS.values()), "blue"]  # blue: not measured
READABLE = 4.5


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_chips_are_read_and_figures_stand_on_the_apps_page(theme: str) -> None:
    colours = tomllib.loads(CONFIG.read_text("utf-8"))["theme"][theme]
    assert colours["backgroundColor"].lower() == THEMES[theme].page
    assert colours["textColor"].lower() == THEMES[theme].text
    for name in COLOURS_OF_CHIPS:
        text = colours[f"{name}TextColor"]
        assert contrast(text, colours[f"{name}BackgroundColor"]) >= READABLE, name
        assert contrast(text, colours["backgroundColor"]) >= READABLE, name


def test_every_level_has_a_colour_and_an_icon_that_tells_it_without() -> None:
    assert set(COLOURS) == set(ICONS) == set(get_args(Level))
    assert len(set(ICONS.values())) == len(ICONS)
