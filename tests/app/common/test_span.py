"""The span of a long series: read from the URL, kept within the series, moved, and taken from a box."""

from __future__ import annotations

import numpy as np
import pytest

from app.common.span import Span, is_thinned, moved, parsed, within, written

TIMES = np.arange(10_001) / 100  # 0 to 100 s


@pytest.mark.parametrize("span", [(10.0, 20.5), (0.0, 1.0), (99.0, 100.0)])
def test_a_span_survives_the_url(span: Span) -> None:
    assert parsed(written(span), TIMES) == pytest.approx(span)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "a~b",
        "1~2~3",
        "nan~5",
        "5~inf",
        "9~3",
        "5~5",
        "-20~-10",
        "100~200",
        "0~100",
        "-1e308~1e308",
        "<b>~</b>",
    ],
)
def test_what_is_no_span_of_this_series_shows_all_of_it(text: str) -> None:
    assert parsed(text, TIMES) is None


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ((-10, 10), (0, 20)),  # moved, as wide as asked for
        ((95, 105), (90, 100)),
        ((50, 50.001), (49.9205, 50.0805)),  # 16 steps at least, around its middle
        ((0, 0.001), (0, 0.16)),
        ((30, 40), (30, 40)),
    ],
)
def test_a_span_is_fitted_to_the_series(wanted: Span, given: Span) -> None:
    assert within(wanted, TIMES) == pytest.approx(given)


def test_moving_and_zooming() -> None:
    assert moved((40, 60), TIMES, by=0.5) == pytest.approx((50, 70))
    assert moved((40, 60), TIMES, by=-0.5) == pytest.approx((30, 50))
    assert moved((90, 100), TIMES, by=0.5) == pytest.approx((90, 100))
    assert moved((2, 12), TIMES, by=-0.5) == pytest.approx((0, 10))
    assert moved((40, 60), TIMES, zoom=0.5) == pytest.approx((45, 55))
    assert moved((40, 60), TIMES, zoom=2) == pytest.approx((30, 70))
    assert moved((0, 10), TIMES, zoom=2) == pytest.approx((0, 20))
    assert moved((20, 80), TIMES, zoom=2) is None


def test_only_long_series_are_thinned() -> None:
    assert is_thinned(TIMES)
    assert not is_thinned(TIMES[:2000])


def test_a_single_time_point_has_no_span() -> None:
    assert within((0.0, 1.0), np.array([0.5])) is None
