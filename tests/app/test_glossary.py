"""The glossary has a plain word for each technical one, and the levels mean there what they mean everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.app.test_pages import opened, texts, workspace
from timemil_core.explain.evaluation.wording import CHIP

__all__ = ["workspace"]

TEXT = Path(__file__).resolve().parents[2] / "app" / "glossary" / "glossary.md"
TECHNICAL = ("logit", "class token", "aopcr", "1/t", "tap", "filler", "auroc", "bag", "instance", "head", "motif")


def terms() -> list[str]:
    found = re.findall(r"^- \*\*(.+?)\*\*:", TEXT.read_text("utf-8"), flags=re.MULTILINE)
    return [word.strip().lower() for term in found for word in re.split(r",| or | and ", term)]


@pytest.mark.parametrize("word", [*TECHNICAL, *CHIP.values()])
def test_each_technical_word_is_explained(word: str) -> None:
    assert word in terms()


def test_the_page_shows_it() -> None:
    app = opened("glossary")
    assert not app.exception and not app.error
    assert "the model's score for a class" in texts(app)
