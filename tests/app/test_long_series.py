"""Pages over a series that is too long to be drawn or measured at once: a span of it, and work in the background."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app import ask
from tests.app.conftest import computed as computed_meanwhile
from tests.app.test_pages import opened, texts
from timemil_core.data import store
from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import FloatArray, SeriesSet
from timemil_core.explain.examination import Examination
from timemil_core.explain.progress import Progress
from timemil_core.models.config import fully_supervised, preset
from timemil_core.models.storage import save_model
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.trained import TrainedModel

N_TIMEPOINTS, RATE = 2_400, 40.0


@pytest.fixture
def long_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A stored set of three long series and a small untrained model of it, as a link names them."""
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    monkeypatch.setenv("TIMEMIL_PRETRAINED", str(tmp_path / "models"))
    walks = np.random.default_rng(0).normal(size=(3, 2, N_TIMEPOINTS)).cumsum(axis=2).astype(np.float32)
    labels, split = np.array([0, 1, 0]), np.full(3, "train")
    series_set = SeriesSet("Long", tuple(walks), labels, ("even", "odd"), ("a", "b", "c"), ("x", "y"), split, RATE)
    reference = store.keep(series_set)
    config = preset("default", n_channels=2, n_classes=2, embedding_width=8, n_heads=2, head_size=4, n_landmarks=4)
    model = TrainedModel(
        TimeMIL(config).eval(), Preparation.fit(series_set.series), ("even", "odd"), ("x", "y"), RATE,
        {"data": reference, "title": "Long"}, TimeMIL(fully_supervised(config)).eval(),
    )  # fmt: skip
    save_model(model, tmp_path / "models" / "long")
    return {"data": reference, "model": "long", "series": "b"}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is quick is waited for, however busy the machine is."""
    monkeypatch.setattr(ask, "PATIENCE", 120.0)
    monkeypatch.setattr(ask, "PATIENCE_FOR_COSTS", 120.0)
    monkeypatch.setattr(ask, "AT_ONCE", 1e6)
    ask.jobs.clear()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The model does not get on with reading a series before this event, and pages do not wait for it."""
    may_go_on, real = threading.Event(), ask.examine

    def slow(model: TrainedModel, series: FloatArray, progress: Progress, *, name: str = "") -> Examination:
        progress(1, 10)
        while not may_go_on.wait(0.01):
            progress(1, 10)
        return real(model, series, progress, name=name)

    monkeypatch.setattr(ask, "examine", slow)
    monkeypatch.setattr(ask, "PATIENCE", 0.0)
    yield may_go_on
    may_go_on.set()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is over a long series takes too long to be computed at once."""
    monkeypatch.setattr(ask, "AT_ONCE", -1.0)


def in_url(app: AppTest, name: str) -> str:
    value = app.query_params.get(name, "")
    return value if isinstance(value, str) else value[-1]


def button(app: AppTest, key: str) -> object:
    return next(one for one in app.button if one.key == key or (one.key or "").startswith(key))


def finished(app: AppTest) -> AppTest:
    """Run the page again until nothing is being computed any more."""
    for _ in range(600):
        if not any((one.key or "").startswith("cancel_") for one in app.button):
            return app
        computed_meanwhile()
        app.run()
    pytest.fail("the computation did not end")


def test_the_span_of_a_link_is_shown_and_kept_in_the_url(long_set: dict[str, str]) -> None:
    app = opened("attention", **long_set, span="10~20")
    assert not app.exception and not app.error
    assert [app.number_input(key=key).value for key in ("span_from", "span_to")] == [10, 20]
    assert "401 of 2,400 time points" in texts(app)
    assert in_url(app, "span") == "10~20"


def test_buttons_and_typed_ends_move_the_span_and_the_whole_series_returns(long_set: dict[str, str]) -> None:
    app = opened("attention", **long_set)
    assert in_url(app, "span") == ""
    assert button(app, "span_fit_width").disabled
    app = button(app, "span_zoom_in").click().run()
    assert in_url(app, "span") == "14.99375~44.98125"
    app = app.number_input(key="span_to").set_value(20.0).run()
    assert in_url(app, "span") == "14.99375~20"
    app = button(app, "span_fit_width").click().run()
    assert in_url(app, "span") == ""
    assert "2,400 of 2,400 time points" in texts(app)


@pytest.mark.parametrize("page", ["wavelets", "boundary", "whatif", "motifs"])
def test_other_pages_of_a_long_series_show_no_fault(page: str, long_set: dict[str, str]) -> None:
    app = opened(page, **long_set, span="10~20")
    assert not app.exception and not app.error


def test_what_tells_each_class_of_long_series_is_offered_with_its_time(
    long_set: dict[str, str], impatient: None
) -> None:
    app = opened("answer", **long_set)
    assert not app.exception and not app.error
    assert "What tells each class: about " in texts(app)
    assert button(app, "begin_")


def test_another_series_is_seen_whole(long_set: dict[str, str]) -> None:
    app = opened("attention", **long_set, span="10~20")
    app = button(app, "step_right").click().run()
    assert in_url(app, "series") == "c"
    assert in_url(app, "span") == ""


@pytest.mark.usefixtures("impatient")
def test_a_long_measurement_is_offered_then_shown(long_set: dict[str, str]) -> None:
    app = opened("attention", **long_set, worth="true")
    assert "What this series shows" in texts(app) and "on this machine, in the background" in texts(app)
    assert "it beats" not in texts(app)
    app = finished(button(app, "begin_").click().run())
    assert "it beats" in texts(app)
    assert not app.exception and not app.error


@pytest.mark.usefixtures("impatient")
def test_a_fault_in_the_background_is_told_and_can_be_tried_again(
    long_set: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("broken")

    app = opened("attention", **long_set, worth="true")
    with monkeypatch.context() as patch:
        patch.setattr("app.common.drawn_map.series_verdict", broken)
        app = finished(button(app, "begin_").click().run())
        assert any("What this series shows could not be shown" in error.value for error in app.error)
    app = app.run()
    assert not app.error
    assert button(app, "begin_")


@pytest.mark.usefixtures("impatient")
def test_the_planes_of_long_series_are_computed_on_request(long_set: dict[str, str]) -> None:
    app = opened("boundary", **long_set)
    assert "The plane of the instances" in texts(app)
    assert "The plane holds" not in texts(app)
    app = finished(button(app, "begin_").click().run())
    assert texts(app).count("The plane holds") == 2
    assert not app.exception and not app.error


def test_a_signal_is_drawn_while_the_model_reads_it_and_the_map_after(
    long_set: dict[str, str], held: threading.Event
) -> None:
    app = opened("attention", **long_set, span="10~20")
    assert not app.exception and not app.error
    assert button(app, "cancel_")
    assert "401 of 2,400 time points" in texts(app)
    assert not any(box.label == "Map" for box in app.selectbox)
    held.set()
    app = finished(app)
    assert any(box.label == "Map" for box in app.selectbox)
    assert " %, " in texts(app)


@pytest.mark.parametrize("page", ["attention", "whatif"])
def test_reading_a_series_can_be_cancelled_and_is_begun_again_on_request(
    page: str, long_set: dict[str, str], held: threading.Event
) -> None:
    app = opened(page, **long_set)
    app = finished(button(app, "cancel_").click().run())
    assert "The model reads the series" in texts(app)
    app = app.run()  # not by itself
    app = button(app, "begin_").click().run()
    held.set()
    app = finished(app)
    assert not app.exception and not app.error
    assert not any((one.key or "").startswith("begin_") for one in app.button)


def test_the_next_series_is_read_while_the_chosen_one_is_looked_at(long_set: dict[str, str]) -> None:
    app = opened("attention", **long_set)  # "b"; "c" follows
    assert not app.error
    of_owner = [key for _owner, key in ask.jobs()._jobs]
    assert [key[-1] for key in of_owner if key[0] == "examination"] == [1, 2]


def test_an_edit_of_a_long_series_is_answered_in_the_background(long_set: dict[str, str]) -> None:
    app = opened("whatif", **long_set)
    app = finished(button(app, "whatif_apply").click().run())
    assert "taken away" in texts(app)
    assert "The prediction" in texts(app)
    assert not app.exception and not app.error


def test_the_time_of_an_atlas_of_long_series_is_foretold(long_set: dict[str, str]) -> None:
    app = opened("motifs", **long_set)
    assert not app.exception and not app.error
    said = " ".join(one.value for one in app.caption)
    # three series, halved: two that motifs are found in
    assert re.search(r"the maps of 2 long series take about \d+ s .* up to (\d+ s|\d+ min) more", said)
    assert "half a minute" not in said
