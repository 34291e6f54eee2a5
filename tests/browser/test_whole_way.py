"""The whole way, once, as the first user goes it: look, upload, train, and see one's own data in the same pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import serving
from tests.browser.steps import chart, go_to, open_page, settled, upload
from timemil_core.data import catalogue
from timemil_core.data.tables import write_long_table

pytestmark = pytest.mark.browser


def basic_motions_table() -> bytes:
    """Every fourth series of BasicMotions as people have it: a long CSV, with a column for the part."""
    series_set = catalogue.load("BasicMotions")
    return write_long_table(series_set.subset(range(0, len(series_set), 4)))


def broken_table(content: bytes) -> bytes:
    """The same with one cell that is no number, in row 3."""
    lines = content.decode().splitlines()
    cells = lines[2].split(",")
    cells[3] = "twelve"
    return "\n".join([*lines[:2], ",".join(cells), *lines[3:]]).encode()


def test_the_app_opens_on_what_tells_the_classes_apart(page: Page, app_url: str) -> None:
    open_page(page, app_url, "What tells the classes apart")
    chart(page, "mean_1")
    expect(page.get_by_text(re.compile("evidence (strong|mixed)|no evidence")).first).to_be_visible()


def test_from_a_file_to_the_pictures(page: Page, app_url: str) -> None:
    open_page(page, f"{app_url}/data?view=Upload+your+own", "Data")
    upload(page, "motions.csv", basic_motions_table())
    expect(page.get_by_text("How motions.csv was understood")).to_be_visible()
    page.get_by_role("button", name="Accept this data set").click()
    expect(page).to_have_url(re.compile("data=upload-"))
    settled(page)
    chosen = re.search(r"data=(upload-[0-9a-f]+)", page.url)
    assert chosen is not None

    go_to(page, "Attention")
    expect(page.get_by_text("No model has been trained on")).to_be_visible()

    go_to(page, "Train")
    page.get_by_label("Epochs", exact=True).fill("3")
    page.get_by_role("button", name=re.compile("^Train on ")).click()
    expect(page.get_by_text(re.compile(r"Epoch [1-3] of 3|Trained for 3 epochs")).first).to_be_visible()
    expect(page.get_by_text("finished").first).to_be_visible()
    settled(page)
    expect(page.get_by_text(re.compile(r"\d+ of 10 test series are right"))).to_be_visible()
    page.get_by_role("button", name="See what it learned").click()
    expect(page).to_have_url(re.compile("model=run-"))
    expect(page.get_by_role("heading", name="What tells the classes apart", level=1)).to_be_visible()
    # found at once, or after minutes where the methods are still being measured beside it
    expect(page.get_by_text(re.compile("not measured|What tells each class —")).first).to_be_visible()
    settled(page)

    go_to(page, "Attention")
    chart(page, "series")
    page.get_by_text("What is this map worth?").click()
    chart(page, "curve0")
    go_to(page, "Wavelets")
    chart(page, "kernel")
    go_to(page, "Decision boundary")
    chart(page, "plane_supervised")
    chart(page, "plane_timemil")

    url = page.url
    assert chosen.group(1) in url
    page.context.clear_cookies()
    fresh = page.context.new_page()
    open_page(fresh, url, "Decision boundary")
    chart(fresh, "plane_timemil")
    assert fresh.url.split("?")[1] == url.split("?")[1]

    open_page(fresh, url.replace("/boundary?", "/data?view=Upload+your+own&"), "Data")
    upload(fresh, "broken.csv", broken_table(basic_motions_table()))
    expect(fresh.get_by_text(re.compile("twelve"))).to_be_visible()
    expect(fresh.get_by_text(re.compile(r"row 3"))).to_be_visible()
    expect(fresh.get_by_text("Nothing was changed")).to_be_visible()
    assert chosen.group(1) in fresh.url
    go_to(fresh, "Attention")
    chart(fresh, "series")


def test_stepping_and_filtering_change_the_series_and_the_url(page: Page, app_url: str) -> None:
    open_page(page, f"{app_url}/attention", "Attention")
    chart(page, "series")
    before = page.url
    page.get_by_role("button", name=re.compile("Next")).click()
    expect(page).not_to_have_url(before)
    settled(page)
    chart(page, "series")
    assert "series=" in page.url


def test_a_link_is_the_first_request_after_the_servers_start(page: Page, workspace: Path) -> None:
    with serving(workspace) as url:
        open_page(page, f"{url}/wavelets?model=synthetic-distractor", "Wavelets")
        chart(page, "kernel")
        expect(page.get_by_test_id("stSidebarNav").get_by_role("link", name="Decision boundary")).to_be_visible()


def test_a_link_to_something_absent_says_so_and_offers_the_rest(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/attention?data=../../etc&model=none")
    expect(page.get_by_text(re.compile("which this machine does not have")).first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    go_to(page, "Data")
