"""The Plotly that the app's charts are drawn by fits the figures that it is given."""

from __future__ import annotations

import re
import tomllib

import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs_version

from app.common import chart
from tests.app.test_pages import ENTRY
from timemil_core.figures.style import THEMES, ThemeName

LIBRARY = (ENTRY.parents[1] / chart.LIBRARY).read_text(encoding="utf-8")


def test_it_is_of_the_same_major_version_as_the_one_that_makes_the_figures() -> None:
    version = re.search(r"^\* plotly\.js \(cartesian - minified\) v(\d+)\.", LIBRARY, re.M)
    assert version is not None
    assert version[1] == get_plotlyjs_version().split(".")[0]


def test_it_draws_all_kinds_of_traces_of_our_figures() -> None:
    drawn = set(re.findall(r'moduleType:"trace",name:"(\w+)"', LIBRARY))
    sources = [
        path.read_text(encoding="utf-8")
        for folder in ("timemil_core", "app")
        for path in (ENTRY.parents[1] / folder).rglob("*.py")
    ]
    used = {name for source in sources for name in re.findall(r"\bgo\.([A-Z]\w+)\(", source)} - {"Figure"}
    kinds = {getattr(go, name)().type for name in used if hasattr(getattr(go, name)(), "type")}
    assert {"scatter", "heatmap"} <= kinds <= drawn


@pytest.mark.parametrize("name", ["light", "dark"])
def test_figures_and_pages_have_one_palette(name: ThemeName) -> None:
    settings = tomllib.loads((ENTRY.parent / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    of_pages, of_figures = settings["theme"][name], THEMES[name]
    shared = {"backgroundColor": "page", "textColor": "text", "linkColor": "heat_line"}
    assert {key: of_pages[key].lower() for key in shared} == {
        key: getattr(of_figures, field) for key, field in shared.items()
    }
