"""What pages share: texts that hold names from files, picks, and file names."""

from __future__ import annotations

import pytest

from app.common.downloads import file_stem
from app.common.parts import duration, percent, picked_ids, plain


def test_markup_in_names_is_shown_letter_for_letter() -> None:
    assert plain("<b>*x*</b> [a](b) :red[c] $y$") == (r"\<b\>\*x\*\</b\> \[a\]\(b\) \:red\[c\] \$y\$")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("www.evil.example", "www\u2060.evil.example"),
        ("WWW.Evil.example", "WWW\u2060.Evil.example"),
        ("http://evil.example", r"http\:" + "\u2060//evil.example"),
        ("HTTPS://evil.example", r"HTTPS\:" + "\u2060//evil.example"),
        ("a@evil.example", "a\u2060@evil.example"),
        ("mailto:a@evil.example", r"mailto\:a" + "\u2060@evil.example"),
        ("plain.name", "plain.name"),
    ],
)
def test_addresses_in_names_are_no_links(name: str, shown: str) -> None:
    assert plain(name) == shown


def test_picks_come_once_and_in_order() -> None:
    points = [{"customdata": [0, 7]}, {"customdata": [1, 2]}, {"customdata": [0, 7]}, {"x": 1}]
    assert picked_ids(points) == [(0, 7), (1, 2)]


def test_no_picks() -> None:
    assert picked_ids([]) == []


def test_file_names_hold_nothing_that_a_file_system_minds() -> None:
    assert file_stem("../../etc", "a/b c", "é=1") == "etc-a-b-c-1"
    assert len(file_stem("x" * 300)) == 100


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "1 s"), (89, "89 s"), (90, "2 min"), (600, "10 min"), (7200, "2.0 h")]
)
def test_durations_in_words(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_percentages() -> None:
    assert percent(0.256) == "26 %"
    assert percent(0.256, 1) == "25.6 %"
