from __future__ import annotations

import html

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.figures.conftest import HOSTILE, HOSTILE_DRAWN
from timemil_core.figures.text import escape, number, shortened


def test_tags_ampersands_and_templates_are_drawn_letter_for_letter():
    assert escape(HOSTILE) == HOSTILE_DRAWN


def test_control_characters_become_spaces():
    assert escape("a\nb\tc\x00d") == "a b c d"


@settings(deadline=None, max_examples=60)
@given(st.text())
def test_no_tag_and_no_template_survives(text: str):
    safe = escape(text)
    assert "<" not in safe
    assert "%{" not in safe


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"])))
def test_what_is_drawn_is_what_was_written(text: str):
    assert html.unescape(escape(text)) == html.unescape(html.escape(text))


def test_long_names_keep_both_ends():
    assert shortened("accelerometer x", 11) == "accel…ter x"
    assert len(shortened("accelerometer x", 11)) == 11


def test_short_names_stay_whole():
    assert shortened("gyro x", 6) == "gyro x"


def test_cut_names_are_escaped_after_the_cut():
    assert shortened("<<<<<<", 3) == "&lt;…&lt;"


@pytest.mark.parametrize(
    ("value", "drawn"), [(0.01, "0.01"), (-0.94591, "−0.946"), (5e-5, "5×10⁻⁵"), (-1.5e9, "−1.5×10⁹"), (0, "0")]
)
def test_numbers_are_written_as_people_do(value: float, drawn: str):
    assert number(value) == drawn
