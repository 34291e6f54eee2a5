"""One file of each format through the uploader, a wrong guess corrected, a split by group, a training."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from benchmarks.seed_files import seed_files
from tests.browser.steps import choose, give, go_to, open_page, settled

pytestmark = pytest.mark.browser

SUBJECTS = "who,time_s,x,kind,label\n" + "".join(
    f"{subject}_{trial},{time / 10},{(trial % 2) * 5 + time % 7},{'pq'[trial % 2]},w\n"
    for subject in ("ann", "bob", "cy", "dan")
    for trial in range(6)
    for time in range(20)
)


@pytest.mark.parametrize("kind", [".zip of CSV", ".parquet", "WFDB"])  # every other in tests/app/data/test_upload.py
def test_a_file_of_each_format_is_understood(page: Page, app_url: str, kind: str) -> None:
    open_page(page, f"{app_url}/data?view=Upload+your+own", "Data")
    give(page, seed_files()[kind])
    expect(page.get_by_text(re.compile("^How .* was understood$"))).to_be_visible()
    expect(page.get_by_role("button", name="Accept this data set")).to_be_visible()
    settled(page)


def test_a_wrong_guess_a_split_by_group_and_a_training(page: Page, app_url: str) -> None:
    open_page(page, f"{app_url}/data?view=Upload+your+own", "Data")
    give(page, {"subjects.csv": SUBJECTS.encode()})
    expect(page.get_by_text("How subjects.csv was understood")).to_be_visible()
    settled(page)
    choose(page, "Class label", "kind")
    expect(page.get_by_text(re.compile(r"p \(12\), q \(12\)"))).to_be_visible()
    page.get_by_text("Change how the set is prepared").click()
    choose(page, "What must stay on one side of a split", "4 groups")
    page.get_by_role("button", name="Accept this data set").click()
    expect(page).to_have_url(re.compile("data=upload-"))
    settled(page)
    go_to(page, "Train")
    page.get_by_label("Epochs", exact=True).fill("1")
    page.get_by_role("button", name=re.compile("^Train on ")).click()
    expect(page.get_by_text("finished").first).to_be_visible()
    settled(page)
