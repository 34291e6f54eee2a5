"""The reference that is written from the code is what the code says now."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).parents[1] / "docs" / "generate.py"
_spec = importlib.util.spec_from_file_location("generate", FILE)
assert _spec is not None and _spec.loader is not None
generate = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(generate)


@pytest.mark.parametrize("name", generate.PAGES)
def test_a_page_is_current(name: str) -> None:
    told = (generate.FOLDER / name).read_text("utf-8")
    assert told == generate.PAGES[name](), "run: python docs/generate.py"
