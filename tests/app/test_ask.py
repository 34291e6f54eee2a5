"""Work that a page waits for: quick work at once, slow work with a bar, stopped by a click, and its refusal kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from app import ask
from tests.app.waited_work import WORK, Work
from timemil_core.errors import DataError

PATIENCE = 60


@pytest.fixture(autouse=True)
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    monkeypatch.setattr(ask, "PATIENCE_FOR_FILES", 0.3)
    WORK.__init__()  # type: ignore[misc]
    yield WORK
    WORK.may_go_on.set()


def page() -> None:
    import streamlit as st

    from app import ask
    from tests.app.waited_work import WORK

    ended = ask.awaited("slot", WORK.wanted, "The work", WORK.compute)
    if ended is None:
        st.text("waiting")
    elif ended.state == "cancelled":
        ask.stopped("slot")
    else:
        st.text(str(ended.error or ended.result))


def opened() -> AppTest:
    return AppTest.from_function(page, default_timeout=PATIENCE).run()


def until(app: AppTest, condition: Callable[[], bool]) -> None:
    for _ in range(500):
        if condition():
            return
        time.sleep(0.01)
        app.run()
    pytest.fail("it did not happen")


def text(app: AppTest) -> str:
    return "".join(one.value for one in app.text)


def test_quick_work_is_there_at_once_and_is_done_once(work: Work) -> None:
    work.is_slow = False
    app = opened()
    until(app, lambda: text(app) == "result of first")
    app.run()
    assert work.begun == ["first"]
    work.wanted = "second"
    app.run()
    until(app, lambda: text(app) == "result of second")


def test_slow_work_leaves_the_page_alive_and_ends_by_itself(work: Work) -> None:
    work.is_slow = True
    app = opened()
    assert text(app) == "waiting"
    assert [button.label for button in app.button] == ["Cancel"]
    work.may_go_on.set()
    until(app, lambda: text(app) == "result of first")
    assert work.begun == ["first"]


def test_it_is_stopped_by_a_click_and_begun_again_by_another(work: Work) -> None:
    work.is_slow = True
    app = opened()
    app.button[0].click().run()
    until(app, lambda: [button.label for button in app.button] == ["Go on"])
    until(app, lambda: work.broken_off == ["first"])  # the page need not wait for it
    work.may_go_on.set()
    app.button[0].click().run()
    until(app, lambda: text(app) == "result of first")
    assert work.begun == ["first", "first"]


def test_what_is_no_longer_wanted_is_broken_off(work: Work) -> None:
    work.is_slow = True
    app = opened()
    work.wanted = "second"
    app.run()
    until(app, lambda: work.broken_off == ["first"] and "second" in work.begun)
    work.may_go_on.set()
    until(app, lambda: text(app) == "result of second")


def test_a_refusal_is_kept_and_a_fault_is_raised(work: Work) -> None:
    work.error = DataError("It is refused.")
    app = opened()
    until(app, lambda: "It is refused." in text(app))
    app.run()
    assert work.begun == ["first"]
    work.wanted, work.error = "second", ZeroDivisionError("a fault")
    app.run()
    until(app, lambda: bool(app.exception))
    assert "a fault" in app.exception[0].value
