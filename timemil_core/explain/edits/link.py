"""Edits as a short text that an address can carry, and back."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Sequence

from timemil_core.atomic import parse_json
from timemil_core.errors import SettingsError
from timemil_core.explain.edits.edit import Edit

LONGEST_TEXT = 2_000  # characters: browsers and servers take addresses of several thousand
MOST_EDITS, MOST_BYTES = 200, 100_000


def as_text(edits: Sequence[Edit]) -> str | None:
    """Return edits as letters, digits, ``-`` and ``_``; None where they are too many for an address."""
    content = json.dumps([edit.to_json() for edit in edits], separators=(",", ":"), allow_nan=False).encode()
    text = base64.urlsafe_b64encode(zlib.compress(content, 9)).decode().rstrip("=")
    return text if len(text) <= LONGEST_TEXT and len(edits) <= MOST_EDITS else None


def from_text(text: str) -> tuple[Edit, ...]:
    """Read what ``as_text`` wrote; the text may come from anybody.

    Raises
    ------
    SettingsError
        Where it holds no edits.
    """
    try:
        if len(text) > LONGEST_TEXT:
            raise ValueError("too long")
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        content = parse_json(unpacking.decompress(packed, MOST_BYTES).decode("utf-8"))
        if unpacking.unconsumed_tail or not isinstance(content, list) or len(content) > MOST_EDITS:
            raise ValueError("too long, or no list")
    except (ValueError, binascii.Error, zlib.error) as error:
        raise SettingsError(
            "The edits in this link cannot be read.", remedy="Copy the whole link, or make the edits again."
        ) from error
    return tuple(Edit.from_json(one) for one in content)
