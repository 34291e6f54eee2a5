from __future__ import annotations

import base64
import json
import re
import zlib

import pytest

from timemil_core.errors import SettingsError
from timemil_core.explain.edits import Edit, Place
from timemil_core.explain.edits.link import LONGEST_TEXT, as_text, from_text

EDITS = (
    Edit("mask", Place(3, 9)),
    Edit("shift", Place(0, 5, (0, 2)), amount=0.25),
    Edit("swap", Place(2, 4), donor="test 7 & é", donor_start=1),
)


def packed(content: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(content)).decode().rstrip("=")


@pytest.mark.parametrize("edits", [EDITS, EDITS[:1], ()])
def test_they_come_back_as_they_were(edits: tuple[Edit, ...]) -> None:
    text = as_text(edits)
    assert text is not None and re.fullmatch(r"[A-Za-z0-9_-]*", text)
    assert from_text(text) == edits


def test_too_many_for_an_address_are_not_written() -> None:
    many = tuple(Edit("scale", Place(at, at + 7), amount=1.0 + at**3 / 7, level="zero") for at in range(190))
    assert as_text(many) is None
    assert as_text(EDITS[:1] * 201) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "!!!",
        "abc",
        "A" * (LONGEST_TEXT + 1),
        packed(b"{}"),
        packed(b"[1]"),
        packed(b"not json"),
        packed(b"\xff"),
        packed(json.dumps([{"kind": "explode", "place": {"start": 0, "stop": 1, "channels": None}}]).encode()),
        packed(json.dumps([{"kind": "mask", "place": {"start": 0}}]).encode()),
        packed(b"[" + b" " * 10_000_000 + b"]"),  # unpacks to far more than it is
        packed(b"[" + b"[]," * 300 + b"[]]"),
        packed(b"[" * 100_000),
    ],
)
def test_what_is_none_is_refused_in_words(text: str) -> None:
    with pytest.raises(SettingsError):
        from_text(text)
