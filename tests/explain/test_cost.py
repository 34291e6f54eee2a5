"""What a long computation will cost, foretold from its first two parts."""

from __future__ import annotations

import pytest

from tests.explain.builders import build_model, build_series
from timemil_core.explain import cost
from timemil_core.explain.cost import expected_seconds
from timemil_core.explain.importance import explain
from timemil_core.explain.progress import Progress


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(cost, "time", clock)
    return clock


def test_the_second_part_tells_the_pace(clock: Clock) -> None:
    begun: list[int] = []

    def begin(n: int, progress: Progress) -> None:
        begun.append(n)
        clock.now += 7.0  # warms up
        progress(4, 100)
        clock.now += 1.0
        progress(8, 100)
        pytest.fail("goes on after it was broken off")

    # 4 of 100 parts a second: 25 s over 2,000 points, 50 times as many points
    assert expected_seconds(100_000, begin) == pytest.approx(25 * 50)
    assert begun == [2_000]


def test_what_tells_no_progress_is_done_once(clock: Clock) -> None:
    def begin(n: int, progress: Progress) -> None:
        clock.now += 0.5

    assert expected_seconds(20_000, begin) == pytest.approx(5.0)
    assert expected_seconds(100, begin) == pytest.approx(0.5)


def test_a_fault_is_not_taken_for_the_end() -> None:
    def begin(n: int, progress: Progress) -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        expected_seconds(20_000, begin)


def test_a_method_is_broken_off_and_leaves_the_model_as_it_was() -> None:
    model, series = build_model(), build_series(n_timepoints=3_000)
    before = model.predict([series]).logits
    seconds = expected_seconds(3_000, lambda n, progress: explain(model, series[:, :n], "occlusion", progress=progress))
    assert seconds > 0
    assert (model.predict([series]).logits == before).all()
