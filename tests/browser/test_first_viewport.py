"""What a page's first screen holds: the picture near the top, and few words."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import settled

pytestmark = pytest.mark.browser

PAGES = ["/", "/attention"]
"""Paths of the pages that answer at once."""
WAVELETS = "/wavelets?model=synthetic-distractor"
OTHER_PAGES = {"/trust": 230, "/whatif": 120, "/motifs": 160, WAVELETS: 195, "/boundary": 160}
"""Those that are for reading too: the most words of their first screen."""
MOST_WORDS, DESKTOP, PHONE = 115, (1440, 900), (390, 844)
HIGHEST = {DESKTOP: 300, (900, 900): 900, PHONE: 844}
"""By the size of the screen, where the picture's top may be at most, in pixels."""

# Words that a reader sees in the main column: of two letters and more, ticks and icons left out.
WORDS = r"""
() => {
  const walker = document.createTreeWalker(document.querySelector("[data-testid=stMain]"), NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!parent || parent.closest("style, script, [role=img]:not(svg), [data-testid=stIconMaterial]")) continue;
    if (!parent.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || box.bottom <= 0 || box.top >= innerHeight) continue;
    words.push(...(node.textContent.match(/\p{L}{2,}/gu) ?? []));
  }
  return words;
}
"""


@pytest.mark.parametrize("path", PAGES)
def test_the_first_screen_holds_the_picture_and_few_words(page: Page, app_url: str, path: str) -> None:
    _look(page, f"{app_url}{path}", HIGHEST, MOST_WORDS)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "most_words"), OTHER_PAGES.items())
def test_every_other_page_begins_with_its_picture(page: Page, app_url: str, path: str, most_words: int) -> None:
    _look(page, f"{app_url}{path}", {DESKTOP: DESKTOP[1] - 200}, most_words)


def _look(tab: Page, url: str, highest: dict[tuple[int, int], int], most_words: int) -> None:
    for (width, height), lowest_top in highest.items():
        tab.set_viewport_size({"width": width, "height": height})
        if width != 900:  # which is got to by making the window narrower
            tab.goto(url)
        picture = tab.locator(".js-plotly-plot .cartesianlayer").first
        expect(picture).to_be_attached()
        settled(tab)
        box = picture.bounding_box()
        assert box is not None
        assert box["y"] < lowest_top, width
        words = tab.evaluate(WORDS)
        assert 10 < len(words) < most_words, (width, " ".join(words))
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")  # nothing is cut off at the right
