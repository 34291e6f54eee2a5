"""From upload to a finished training in the browser, no file edited: layouts of sets that are described publicly.

``python -m benchmarks.layouts_in_browser [names …]`` starts the app on a workspace of its own and does with each layout
of ``tests/data/public_layouts.py`` what a person would: uploads it (as one zip where it has folders), makes the choices
that it needs, accepts it, trains, and looks at a map. What the page said is printed; ``--pictures FOLDER`` keeps what
was seen.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, ViewportSize, expect, sync_playwright

from app.data.understanding import SECTIONS
from benchmarks.pages import FLAGS, serving
from benchmarks.report import print_report
from tests.browser.steps import chart, choose, give, go_to, open_page, settled
from tests.data.public_layouts import LAYOUTS, Files, Layout
from timemil_core.data.files.choices import Choice
from timemil_core.data.files.source import from_bytes
from timemil_core.data.formats import inspect_files

VIEWPORT: ViewportSize = {"width": 1440, "height": 1000}
TALL: ViewportSize = {"width": 1440, "height": 2200}  # for pictures: the page scrolls inside its window
WARNINGS = "[data-testid=stAlertContentWarning] [data-testid=stMarkdownContainer]"
PATIENCE = 120_000


def main() -> None:
    """Go the whole way with each layout, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(LAYOUTS)}; by default all")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--pictures", type=Path, help="a folder for pictures of each page")
    arguments = parser.parse_args()
    os.environ.setdefault("TIMEMIL_RANK", "0")  # ranking the methods takes longer than all else, and is another matter
    expect.set_options(timeout=PATIENCE)
    rows = []
    with tempfile.TemporaryDirectory() as workspace:
        os.environ["TIMEMIL_HOME"] = workspace
        with serving() as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=os.environ.get("TIMEMIL_CHROMIUM", "/usr/bin/chromium"), args=FLAGS
            )
            for name in arguments.names or LAYOUTS:
                context = browser.new_context(viewport=VIEWPORT)
                context.set_default_timeout(PATIENCE)
                seen = Seen(context.new_page(), name, arguments.pictures)
                rows.append(whole_way(seen, url, LAYOUTS[name], arguments.epochs))
                print(f"{name}: {rows[-1]['what happened']}", file=sys.stderr, flush=True)
                context.close()
            browser.close()
    print_report(rows, what="layouts of public sets, uploaded, trained and looked at in the browser")


class Seen:
    """A tab, and pictures of what was seen in it."""

    def __init__(self, page: Page, name: str, folder: Path | None) -> None:
        self.page, self.name, self.folder = page, name, folder

    def picture(self, moment: str) -> None:
        """Keep a picture of the whole page."""
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.page.set_viewport_size(TALL)
            self.page.wait_for_timeout(1500)  # charts are drawn anew for the new height
            self.page.screenshot(path=self.folder / f"{self.name.replace(' ', '-')}-{moment}.png")
            self.page.set_viewport_size(VIEWPORT)


def whole_way(seen: Seen, url: str, layout: Layout, n_epochs: int) -> dict[str, Any]:
    """Go from the files to a map; what stops the way is the row's last cell, and a picture."""
    files = as_uploaded(seen.name, layout.build(np.random.default_rng(0)))
    row: dict[str, Any] = {
        "layout": seen.name,
        "uploaded as": listed_kinds(files),
        "choices": "none",
        "warnings": "none",
        "understood as": "",
        "prepared": "",
        "s to accept": 0.0,
        "s to trained": 0.0,
        "what happened": "",
    }
    started = time.perf_counter()
    try:
        upload(seen, url, files, layout, row)
        row["s to accept"] = time.perf_counter() - started
        train(seen, n_epochs, row)
        row["s to trained"] = time.perf_counter() - started
        go_to(seen.page, "Attention")
        chart(seen.page, "series")
        settled(seen.page)
        seen.picture("4-attention")
    except Exception as error:  # whatever stops one layout is told, and the next one is tried
        seen.picture("stopped")
        row["what happened"] = f"stopped: {str(error).splitlines()[0][:200]}"
    return row


def as_uploaded(name: str, files: Files) -> dict[str, bytes]:
    """Return what a person gives the uploader: the files, or one zip where they lie in folders."""
    if not any("/" in path for path in files):
        return {path: content.encode() for path, content in files.items()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return {f"{name}.zip": packed.getvalue()}


def listed_kinds(files: dict[str, bytes]) -> str:
    """Return how many files of which kind."""
    kinds = sorted({Path(name).suffix for name in files})
    return f"{len(files)} × {', '.join(kinds)}"


def upload(seen: Seen, url: str, files: dict[str, bytes], layout: Layout, row: dict[str, Any]) -> None:
    """Upload, correct, and accept."""
    page = seen.page
    open_page(page, f"{url}/data", "Data")
    page.get_by_role("radio", name="Upload your own").click()
    give(page, files)
    expect(page.get_by_text(re.compile("^How .* was understood$"))).to_be_visible()
    settled(page)
    seen.picture("1-first-guess")
    made: list[str] = []
    for name in layout.choices:
        choice = offered(files, {one: layout.choices[one] for one in list(layout.choices)[: len(made) + 1]}, name)
        title = choice.options[str(choice.value)]
        open_section(page, choice)
        choose(page, choice.title, title)
        made.append(f"{choice.title} = {title}")
    row["choices"] = "; ".join(made) or "none"
    accept = page.get_by_role("button", name="Accept this data set")
    expect(accept).to_be_visible()
    settled(page)
    row["understood as"] = page.locator(".st-key-understood_as").inner_text()
    row["prepared"] = page.get_by_text(re.compile(r"series, .* for training and .* for testing")).first.inner_text()
    row["warnings"] = " · ".join(text.replace("\n", " ") for text in page.locator(WARNINGS).all_inner_texts()) or "none"
    seen.picture("2-understood")
    accept.click()
    expect(page).to_have_url(re.compile("data=upload-"))
    settled(page)


def offered(files: dict[str, bytes], choices: dict[str, Any], name: str) -> Choice:
    """Return a choice as the page offers it."""
    sources = [from_bytes(one, content) for one, content in files.items()]
    return next(choice for choice in inspect_files(sources, choices).choices if choice.name == name)


def open_section(page: Page, choice: Choice) -> None:
    """Open what a choice is behind, unless it is open; again, where it closed because the page was drawn anew."""
    section = next((title for title, names in SECTIONS.items() if choice.name in names), None)
    box = page.get_by_role("combobox", name=choice.title)
    while section is not None and not box.is_visible():
        page.get_by_test_id("stExpander").get_by_text(section).click()
        page.wait_for_timeout(3000)


def train(seen: Seen, n_epochs: int, row: dict[str, Any]) -> None:
    """Train on the accepted set until it is finished."""
    page = seen.page
    go_to(page, "Train")
    page.get_by_label("Epochs", exact=True).fill(str(n_epochs))
    page.get_by_role("button", name=re.compile("^Train on ")).click()
    expect(page).to_have_url(re.compile("run="))  # until then, the panel is another run's
    settled(page)
    ended = page.get_by_role("button", name="See what it learned").or_(page.get_by_text("failed", exact=True))
    expect(ended.first).to_be_visible()
    settled(page)
    seen.picture("3-trained")
    told = (r"^Trained for \d+ epochs? in", r"\d+ of \d+ test series are right", "test part")
    shown = [page.get_by_text(re.compile(one)).first for one in told]
    row["what happened"] = " ".join(one.inner_text() for one in shown if one.count())


if __name__ == "__main__":
    main()
