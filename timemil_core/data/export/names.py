"""File names from what users call things."""

from __future__ import annotations

import re

LONGEST = 100


def file_stem(*parts: str) -> str:
    """Return a file name without anything that a file system or a shell minds; ``series`` where nothing is left."""
    return re.sub(r"[^A-Za-z0-9._]+", "-", "-".join(parts)).strip("-.")[:LONGEST] or "series"
