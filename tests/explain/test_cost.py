"""What a long computation will cost, foretold from its first parts and from a pass that was timed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.explain.builders import build_model, build_series
from timemil_core.explain import cost
from timemil_core.explain.cost import Timed, expected_seconds, timed_pass
from timemil_core.explain.examination import examine
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


def taking(clock: Clock, seconds: float) -> Callable[[int], None]:
    """Something that takes so long for 2,000 time points, and in proportion for others."""

    def again(n: int) -> None:
        clock.now += seconds * n / 2_000

    return again


def test_parts_after_the_first_tell_the_pace(clock: Clock) -> None:
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


def test_short_parts_are_timed_until_they_tell_something(clock: Clock) -> None:
    def begin(n: int, progress: Progress) -> None:
        clock.now += 1.0
        for done, seconds in enumerate((0.0, 0.02, 0.18, 0.1, 99.0), start=1):  # a hiccup among fast parts
            clock.now += seconds
            progress(done, 100)

    assert expected_seconds(2_000, begin) == pytest.approx(0.3 / 3 * 100)


def test_what_tells_no_progress_or_ends_soon_is_done_once(clock: Clock) -> None:
    def begin(n: int, progress: Progress) -> None:
        clock.now += 0.2
        progress(1, 2)
        clock.now += 0.2
        progress(2, 2)
        clock.now += 0.1

    assert expected_seconds(20_000, lambda n, progress: begin(n, lambda done, of: None)) == pytest.approx(5.0)
    assert expected_seconds(20_000, begin) == pytest.approx(5.0)
    assert expected_seconds(100, begin) == pytest.approx(0.5)


def test_several_things_add_up(clock: Clock) -> None:
    def begin(n: int, progress: Progress) -> None:
        clock.now += 0.5

    assert expected_seconds(20_000, begin, begin, begin) == pytest.approx(15.0)


def test_a_timed_pass_tells_how_much_slower_time_points_of_a_long_series_are(clock: Clock) -> None:
    def begin(n: int, progress: Progress) -> None:
        clock.now += 0.5  # ten passes of 0.05 s

    # a pass over 100,000 points took 6 s; at the pace of 2,000 points it would have taken 2.5 s
    timed = Timed(100_000, 6.0, taking(clock, 0.05))
    assert expected_seconds(100_000, begin, timed=timed) == pytest.approx(10 * 6.0)
    assert expected_seconds(300_000, begin, timed=timed) == pytest.approx(3 * 10 * 6.0)
    assert expected_seconds(100_000, begin, begin, timed=timed) == pytest.approx(2 * 10 * 6.0)


def test_what_else_the_machine_does_while_it_foretells_cancels_out(clock: Clock) -> None:
    """A machine four times as busy as when the pass was timed: both short stretches are four times as slow."""

    def begin(n: int, progress: Progress) -> None:
        clock.now += 4 * 0.5

    assert expected_seconds(100_000, begin, timed=Timed(100_000, 6.0, taking(clock, 4 * 0.05))) == pytest.approx(60.0)


def test_the_first_short_pass_is_a_warming_up_and_two_around_the_beginning_count(clock: Clock) -> None:
    passes: list[int] = []

    def again(n: int) -> None:
        clock.now += (3.0, 0.04, 0.06)[len(passes)]
        passes.append(n)

    def begin(n: int, progress: Progress) -> None:
        assert len(passes) == 2
        clock.now += 0.5

    assert expected_seconds(100_000, begin, timed=Timed(100_000, 6.0, again)) == pytest.approx(60.0)
    assert passes == [2_000, 2_000, 2_000]


def test_a_short_series_is_begun_on_as_a_whole(clock: Clock) -> None:
    """Of 50 series of 100 time points one is done: it takes 50 times as long, whatever its first pass took."""
    begun: list[int] = []

    def begin(n: int, progress: Progress) -> None:
        begun.append(n)
        clock.now += 0.2

    def again(n: int) -> None:
        pytest.fail("a stretch that is the series tells nothing of longer ones")

    assert expected_seconds(5_000, begin, timed=Timed(100, 9.0, again)) == pytest.approx(10.0)
    assert begun == [100]


def test_a_pass_is_timed_over_the_series_or_over_its_beginning() -> None:
    model, series = build_model(), build_series(n_timepoints=30_000)
    examination = examine(model, series)
    timed = timed_pass(model, series, examination)
    assert (timed.n_timepoints, timed.seconds) == (30_000, examination.seconds)
    assert timed_pass(model, series).n_timepoints == 20_000
    assert timed_pass(model, series[:, :500]).n_timepoints == 500
    assert timed.again(70).instances.shape[0] == 70


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
