"""Charts are changed in place, mark what is dragged over, and can be taken away."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import chart, go_to, open_page, settled

pytestmark = pytest.mark.browser

# colours fitted to the series: those of the model arrive later, and draw the picture anew
OPENING = "attention?data=BasicMotions&model=basicmotions&series=test%206&fit=true"
PLOT = ".st-key-series .js-plotly-plot"
FIRST_VALUES = "plot => plot._fullData.filter(trace => trace.type === 'scatter').map(trace => trace.y && trace.y[0])"


def test_the_next_series_is_drawn_into_the_same_chart(page: Page, app_url: str) -> None:
    open_page(page, f"{app_url}/{OPENING}", "Attention")
    chart(page, "series")
    plot = page.locator(PLOT)
    plot.evaluate("plot => { plot.keptByTheTest = true; }")
    before = plot.evaluate(FIRST_VALUES)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("test 7", exact=True)).to_be_visible()
    settled(page)
    expect(plot).to_have_attribute("data-drawn", "2")
    assert plot.evaluate("plot => plot.keptByTheTest")
    assert plot.evaluate(FIRST_VALUES) != before


def test_a_span_dragged_over_is_marked_on_all_pages_and_cleared(page: Page, app_url: str) -> None:
    open_page(page, f"{app_url}/{OPENING}", "Attention")
    chart(page, "series")
    area = page.locator(f"{PLOT} .nsewdrag").first.bounding_box()
    assert area is not None
    page.mouse.move(area["x"] + 0.2 * area["width"], area["y"] + 0.3 * area["height"])
    page.mouse.down()
    page.mouse.move(area["x"] + 0.3 * area["width"], area["y"] + 0.5 * area["height"], steps=5)
    page.mouse.move(area["x"] + 0.4 * area["width"], area["y"] + 0.7 * area["height"], steps=5)
    page.mouse.up()
    marked = page.get_by_text(re.compile(r"Marked on all pages: [12]\.\d+–[34]\.\d+ s"))
    expect(marked).to_be_visible()
    expect(page).to_have_url(re.compile(r"span="))
    go_to(page, "Decision boundary")
    chart(page, "plane_timemil")
    page.get_by_role("radio", name="The chosen series").click()
    expect(page.locator(".st-key-plane_timemil .legendtext").filter(has_text="in the marked span")).to_be_visible()
    expect(marked).to_be_visible()
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(marked).to_have_count(0)
    settled(page)


def test_a_chart_is_taken_away_as_svg(page: Page, app_url: str) -> None:
    open_page(page, f"{app_url}/{OPENING}", "Attention")
    chart(page, "series")
    page.locator(PLOT).hover()
    with page.expect_download() as waiting:
        page.locator(f"{PLOT} .modebar-btn[data-title='Download as SVG']").click()
    assert waiting.value.suggested_filename == "series.svg"
    drawn = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert drawn.startswith("<svg") and "accelerometer x" in drawn
    titles = [str(button.get_attribute("data-title")) for button in page.locator(f"{PLOT} .modebar-btn").all()]
    assert {"Download as PNG", "Full screen"} <= set(titles)
    assert not [title for title in titles if "hare" in title or "loud" in title]  # nothing is sent anywhere
