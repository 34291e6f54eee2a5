from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.figures.conftest import HOSTILE
from timemil_core.figures import export
from timemil_core.figures.series import series_figure
from timemil_core.figures.style import THEMES


def figure(theme="light") -> go.Figure:
    return series_figure(np.arange(3), np.ones((1, 3)), ["</script><img src=x onerror=alert(1)>"], "time", theme=theme)


def test_the_page_is_whole_and_needs_no_network():
    page = export.to_html(figure(), "A title").decode()
    assert page.startswith("<!doctype html>")
    assert "<title>A title</title>" in page
    assert 'src="http' not in page
    assert 1_500_000 < len(page) < 2_500_000


def test_without_plotlys_code_the_page_is_small():
    page = export.to_html(figure(), "A title", plotly_code="cdn").decode()
    assert len(page) < 100_000
    assert 'integrity="sha256-' in page


def test_neither_title_nor_names_can_end_the_script_or_start_one():
    page = export.to_html(figure(), HOSTILE, plotly_code="cdn").decode()
    assert "<script>alert" not in page
    assert "<img" not in page
    assert page.count("</script>") == page.count("<script")


def test_the_page_never_offers_to_upload_the_data():
    assert '"showSendToCloud": false' in export.to_html(figure(), "t", plotly_code="cdn").decode()


@pytest.mark.parametrize("theme", THEMES)
def test_the_page_has_the_background_of_the_figures_theme(theme):
    page = export.to_html(figure(theme), "t", plotly_code="cdn").decode()
    assert f"background: {THEMES[theme].page}" in page


def test_without_kaleido_no_png_is_promised(monkeypatch):
    monkeypatch.setattr(export.importlib.util, "find_spec", lambda name: None)
    assert "kaleido" in export.png_obstacle()
    assert not export.can_draw_png()
    assert export.to_png(figure()) is None


def test_without_a_browser_no_png_is_promised(monkeypatch):
    monkeypatch.setattr(export.importlib.util, "find_spec", lambda name: object())
    monkeypatch.setattr(export.shutil, "which", lambda name: None)
    monkeypatch.delenv("BROWSER_PATH", raising=False)
    assert "Chromium" in export.png_obstacle()


def test_a_png_is_drawn_on_the_themes_background_and_the_figure_stays_as_it_was(monkeypatch):
    seen = {}

    def to_image(fig, **settings):
        seen.update(settings, background=fig.layout.paper_bgcolor)
        return b"PNG"

    monkeypatch.setattr(export, "png_obstacle", lambda: None)
    monkeypatch.setattr(go.Figure, "to_image", to_image)
    fig = figure("dark")
    before = fig.to_json()
    assert export.to_png(fig, width=800) == b"PNG"
    assert (seen["width"], seen["background"]) == (800, THEMES["dark"].page)
    assert fig.to_json() == before


def test_a_browser_that_fails_gives_none_and_is_logged(monkeypatch, caplog):
    def to_image(fig, **settings):
        raise RuntimeError("the browser died")

    monkeypatch.setattr(export, "png_obstacle", lambda: None)
    monkeypatch.setattr(go.Figure, "to_image", to_image)
    assert export.to_png(figure()) is None
    assert "the browser died" in caplog.text
