"""The colour of a verdict is that of its sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from streamlit.testing.v1 import AppTest
from timemil_core.explain.removal_verdict import RemovalVerdict, removal_verdict

from tests.explain.builders import build_model, build_series


def drawn(test: RemovalVerdict) -> AppTest:
    def body(test):  # type: ignore[no-untyped-def]  # only its own text reaches Streamlit
        from app.common import trust

        trust.verdict(test)

    return AppTest.from_function(body, kwargs={"test": test}, default_timeout=120).run()


@pytest.mark.parametrize("level", ["weak", "none"])
def test_a_map_that_beats_all_random_places_but_is_no_evidence_is_not_green(
    level: Literal["weak", "none"],
) -> None:
    model, series = build_model(), build_series()
    test = removal_verdict(model, series, series[0], 0, n_steps=2)
    page = drawn(replace(test, level=level))  # all random places raise the logit, and this one less so
    assert not page.success
    assert page.warning[0].value.startswith("**On this series:** ")


def test_a_strong_one_is_green() -> None:
    model, series = build_model(), build_series()
    test = removal_verdict(model, series, series[0], 0, n_steps=2)
    page = drawn(replace(test, level="strong"))
    assert page.success
    assert not page.warning
