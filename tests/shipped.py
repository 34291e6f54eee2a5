"""The models of ``pretrained/``, for tests that go over all of them."""

from __future__ import annotations

import pytest

from timemil_core.data import catalogue
from timemil_core.models.storage import DESCRIPTION, read_description
from timemil_core.workspace import pretrained_folder

NAMES = sorted(path.parent.name for path in pretrained_folder().glob(f"*/{DESCRIPTION}"))


def data_of(name: str) -> str:
    """Return the reference of the set that a shipped model was trained on."""
    return str(read_description(pretrained_folder() / name)["facts"]["data"])


_AVAILABLE = {entry.reference for entry in catalogue.entries() if entry.available}
WITH_DATA = [
    pytest.param(name, marks=pytest.mark.skipif(data_of(name) not in _AVAILABLE, reason="its data are not here"))
    for name in NAMES
]
"""Their names; skipped where the set is not on this machine."""
