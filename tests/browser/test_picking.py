"""Points picked in a chart are taken up by the rest of the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import chart, open_page, settled

pytestmark = pytest.mark.browser
WITH_WAVELETS = "data=synthetic-distractor&model=synthetic-distractor"


def drag_over(page: Page, plot: Locator) -> None:
    """Drag a box over the middle of a plot."""
    area = plot.locator(".nsewdrag").first.bounding_box()
    assert area is not None
    page.mouse.move(area["x"] + 0.05 * area["width"], area["y"] + 0.05 * area["height"])
    page.mouse.down()
    page.mouse.move(area["x"] + 0.5 * area["width"], area["y"] + 0.5 * area["height"], steps=8)
    page.mouse.move(area["x"] + 0.95 * area["width"], area["y"] + 0.95 * area["height"], steps=8)
    page.mouse.up()


def test_instances_picked_on_the_plane_are_marked_on_the_signal(page: Page, app_url: str) -> None:
    open_page(page, f"{app_url}/boundary", "Decision boundary")
    chart(page, "plane_timemil")
    expect(page.get_by_text("0 time points marked")).to_be_visible()
    plot = page.locator(".st-key-plane_timemil .js-plotly-plot")
    plot.scroll_into_view_if_needed()
    drag_over(page, plot)
    expect(page.get_by_text(re.compile(r"[1-9]\d* time points marked"))).to_be_visible()
    settled(page)


def test_a_kernel_picked_in_the_scatter_is_drawn(page: Page, app_url: str) -> None:
    open_page(page, f"{app_url}/wavelets?{WITH_WAVELETS}", "Wavelets")
    chart(page, "scatter_0")
    named = page.get_by_text(re.compile(r"wavelet \d of feature \d+, layer 1"))
    before = named.inner_text()
    plot = page.locator(".st-key-scatter_0 .js-plotly-plot")
    plot.scroll_into_view_if_needed()
    drag_over(page, plot)
    expect(page.get_by_text(before)).to_have_count(0)
    settled(page)
    expect(named).to_be_visible()


def test_a_kernel_typed_by_number_is_drawn(page: Page, app_url: str) -> None:
    open_page(page, f"{app_url}/wavelets?{WITH_WAVELETS}", "Wavelets")
    field = page.get_by_label("Feature", exact=True)
    field.fill("7")
    field.press("Enter")
    expect(page.get_by_text(re.compile(r"wavelet \d of feature 7, layer 1"))).to_be_visible()


def test_pointing_at_an_instance_shows_its_moment_on_the_signal_and_the_other_way_round(
    page: Page, app_url: str
) -> None:
    chosen = "data=ItalyPowerDemand&model=italypowerdemand&instances=The+chosen+series"
    open_page(page, f"{app_url}/boundary?{chosen}", "Decision boundary")
    chart(page, "plane_timemil")
    chart(page, "boundary_signal")
    plane = page.locator(".st-key-plane_timemil .js-plotly-plot")
    signal = page.locator(".st-key-boundary_signal .js-plotly-plot")
    on_plane, on_signal = plane.locator(".hoverlayer"), signal.locator(".hoverlayer")

    signal.scroll_into_view_if_needed()
    area = signal.locator(".nsewdrag").first.bounding_box()
    assert area is not None
    page.mouse.move(area["x"] + 0.4 * area["width"], area["y"] + 0.5 * area["height"], steps=3)
    expect(on_plane).to_contain_text("series:")
    page.mouse.move(5, 5)
    expect(on_plane).not_to_contain_text("series:")

    plane.scroll_into_view_if_needed()
    expect(on_signal).to_be_empty()
    point = plane.locator(".scatterlayer .point").first.bounding_box()
    assert point is not None
    page.mouse.move(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2, steps=3)
    expect(on_signal).not_to_be_empty()
