"""What a person does and sees, in words that the tests read like."""

from __future__ import annotations

import re

from playwright.sync_api import FilePayload, Locator, Page, expect
from playwright.sync_api import TimeoutError as Late

UNTIL_CLICKED_AGAIN = 30_000  # milliseconds


def settled(page: Page) -> None:
    """Wait until the page has run to its end, and check that it shows no fault."""
    expect(page.get_by_test_id("stAppViewContainer")).to_be_visible()
    expect(page.locator("[data-testid=stApp][data-test-script-state=running]")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_text("a fault of this program")).to_have_count(0)


def open_page(page: Page, url: str, heading: str) -> None:
    """Open a URL and wait for its page."""
    page.goto(url)
    expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
    settled(page)


def go_to(page: Page, name: str, heading: str | None = None) -> None:
    """Choose a page in the navigation; again, as a person would, where a page drawn anew swallowed the click."""
    settled(page)
    title = page.get_by_role("heading", name=heading or name, level=1)
    link = page.get_by_test_id("stSidebarNav").get_by_role("link", name=name)
    link.click()
    try:
        expect(title).to_be_visible(timeout=UNTIL_CLICKED_AGAIN)
    except AssertionError:
        link.click()
    expect(title).to_be_visible()
    settled(page)


def chart(page: Page, key: str) -> Locator:
    """Return a drawn chart by its key."""
    drawn = page.locator(f".st-key-{key} .js-plotly-plot .main-svg").first
    expect(drawn).to_be_visible()
    return drawn


def upload(page: Page, name: str, content: bytes) -> None:
    """Give the uploader a file."""
    file: FilePayload = {"name": name, "mimeType": "text/csv", "buffer": content}
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)


def give(page: Page, files: dict[str, bytes]) -> None:
    """Give the uploader files that belong together."""
    payloads: list[FilePayload] = [
        {"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in files.items()
    ]
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(payloads)


def choose(page: Page, label: str, option: str, tries: int = 8) -> None:
    """A list that opens while the page is drawn anew closes again: a person clicks again, and types in a long list."""
    for attempt in range(tries):
        box = page.get_by_role("combobox", name=re.compile(re.escape(label)))
        box.click()
        if attempt:
            box.press_sequentially(option)
        wanted = page.get_by_role("option", name=re.compile(re.escape(option))).first
        try:
            wanted.click(timeout=4_000)
        except Late:
            if attempt == tries - 1:
                raise
            page.keyboard.press("Escape")
        else:
            break
    settled(page)


def sidebar_choice(page: Page, label: str) -> str:
    """Return what a box of the sidebar shows."""
    box = page.get_by_test_id("stSidebar").get_by_role("combobox", name=re.compile(label))
    return box.input_value()
