"""What Streamlit's AppTest leaves behind is put right again."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """AppTest puts the page's script in place of ``__main__``, which a process that is spawned later would run."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before
