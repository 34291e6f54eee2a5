import pytest
from hypothesis import given
from hypothesis import strategies as st

from timemil_core.data.formulas import guarded, unguarded


@pytest.mark.pitfall(25)
@pytest.mark.parametrize("text", ["=1+1", "+SUM(A1)", "-2+3", "@cmd", "\t=1", "\r=1", "=", "-"])
def test_a_formula_is_guarded(text):
    assert guarded(text) == "'" + text


@pytest.mark.parametrize("text", ["", "-1", "+1.5", "-1e-3", "rest", "a=1", "'", "'quoted'", "1-2"])
def test_numbers_and_plain_texts_stay(text):
    assert guarded(text) == text
    assert unguarded(text) == text


@given(st.text("='+-@\t\ra1. ", max_size=8))
def test_every_text_comes_back(text):
    assert unguarded(guarded(text)) == text
