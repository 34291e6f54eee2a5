"""Asking the model: edit a span, undo, compare; open the series behind a motif; open the report without a network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.steps import chart, open_page, settled

pytestmark = pytest.mark.browser

LINK = "data=synthetic-distractor&model=synthetic-distractor-faithful&series=test+2"


def brush(page: Page, key: str, row: int, start: float, stop: float) -> None:
    """Drag over a row of a chart, from one share of its width to another."""
    plot = page.locator(f".st-key-{key} .js-plotly-plot")
    plot.scroll_into_view_if_needed()
    area = plot.locator(".nsewdrag").nth(row).bounding_box()
    assert area is not None
    middle = area["y"] + area["height"] / 2
    page.mouse.move(area["x"] + start * area["width"], middle)
    page.mouse.down()
    for share in (0.4, 0.8, 1.0):
        page.mouse.move(area["x"] + (start + share * (stop - start)) * area["width"], middle + 2, steps=4)
    page.mouse.up()
    settled(page)


def press(page: Page, name: str) -> None:
    page.get_by_test_id("stMain").get_by_role("button", name=re.compile(name)).first.click()
    settled(page)


def test_a_span_of_one_channel_is_edited_compared_undone_and_reported(
    page: Page, browser: Browser, app_url: str, tmp_path: Path
) -> None:
    open_page(page, f"{app_url}/whatif?{LINK}", "What if")
    chart(page, "whatif_picture")
    expect(page.get_by_text("Nothing is changed yet")).to_be_visible()

    brush(page, "whatif_picture", 2, 0.2, 0.5)  # above the channels lies the known truth
    expect(page).to_have_url(re.compile("span="))
    expect(page.get_by_test_id("stMultiSelect").get_by_text("channel 2")).to_be_visible()
    press(page, "^Apply")
    expect(page.get_by_text(re.compile("The prediction (stays|turns)"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"'channel 2', \d.*: taken away, as missing"))).to_be_visible()
    expect(page.get_by_text(re.compile("the same edit at 20 other places"))).to_be_visible()
    expect(page.get_by_text("How far to trust the map of the edited series")).to_be_visible()
    chart(page, "before_after")

    with page.expect_download() as download:
        page.get_by_test_id("stMain").get_by_role("button", name="Report").click()
    report = tmp_path / "report.html"
    download.value.save_as(report)
    opens_without_a_network(browser, report)

    press(page, "^Undo")
    expect(page.get_by_text("Nothing is changed yet")).to_be_visible()


def opens_without_a_network(browser: Browser, report: Path) -> None:
    """The pictures are drawn, nothing is asked of a network, and the lineage is told."""
    assert report.stat().st_size < 5_000_000
    context = browser.new_context(offline=True)
    tab = context.new_page()
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(report.as_uri())
    expect(tab.locator(".plotly-graph-div .main-svg").first).to_be_visible()
    expect(tab.locator(".plotly-graph-div:has(.main-svg)")).to_have_count(6)  # two more: restoring, by each filler
    expect(tab.get_by_text(re.compile("'channel 2', .* taken away")).first).to_be_visible()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    context.close()


def test_a_series_behind_a_motif_opens_with_its_span_marked(page: Page, app_url: str) -> None:
    open_page(page, f"{app_url}/motifs?data=ItalyPowerDemand&model=italypowerdemand", "Motifs")
    expect(page.get_by_text(re.compile(r"\d+ motifs?[:,]")).first).to_be_visible()  # shipped with the model
    settled(page)
    link = page.get_by_role("button", name=re.compile(r"^.* · .* to \d+")).first
    told = link.inner_text()
    link.click()
    expect(page.get_by_role("heading", name="Attention", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile("span="))
    settled(page)
    series, start, stop = re.search(r"(\S+ \d+) · .* · (\d+) to (\d+)", told).groups()  # type: ignore[union-attr]
    assert f"span={start}~{stop}" in page.url.replace("%7E", "~")
    assert f"series={series}" in page.url.replace("+", " ").replace("%20", " ")
    chart(page, "series")
    expect(page.locator(".st-key-series .legendtext").filter(has_text="selected span")).to_be_visible()
