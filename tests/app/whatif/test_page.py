"""The What if page: an edit changes the answer, never the series; undo; a counterfactual."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.whatif.edits import steps
from app.whatif.form import other_class
from app.whatif.place import opening_span, snapped
from tests.app.conftest import computed as computed_meanwhile
from tests.app.test_pages import opened, texts, workspace  # noqa: F401  the fixture keeps the user's workspace out
from tests.explain.builders import build_set
from timemil_core.explain.edits import Edit, Place

LINK = {"data": "BasicMotions", "model": "basicmotions", "series": "test 6"}


def press(app: AppTest, key: str) -> AppTest:
    return next(one for one in app.button if one.key == key).click().run()


def test_a_span_is_snapped_to_the_points_within_it_or_the_nearest() -> None:
    times = np.arange(10) / 2
    assert snapped((0.9, 3.2), times) == (1.0, 3.0)
    assert snapped((3.1, 3.2), times) == (3.0, 3.0)


def test_each_state_is_a_step_that_tells_what_was_new() -> None:
    first, second = Edit("mask", Place(0, 2)), Edit("mask", Place(3, 5))
    past = ((first,), (first, second), (), (second, first))
    assert [step.new for step in steps(past)] == [(first,), (second,), (), (second, first)]
    assert steps(()) == []


def test_values_are_borrowed_from_another_class() -> None:
    series_set = build_set(4)
    other = other_class(series_set, 1)
    assert other != 1 and series_set.labels[other] != series_set.labels[1]
    assert other_class(series_set.subset([2]), 0) == 0


@pytest.mark.parametrize(("n", "span"), [(100, (45.0, 54.0)), (7, (1.0, 5.0)), (1, (0.0, 0.0))])
def test_the_opening_span_is_in_the_series(n: int, span: tuple[float, float]) -> None:
    assert opening_span(np.arange(float(n))) == span


def test_an_edit_is_told_undone_and_leaves_the_series_as_it_was() -> None:
    app = opened("whatif", **LINK)
    assert not app.exception and not app.error
    assert "Nothing is changed yet" in texts(app)
    app = press(app, "whatif_apply")
    assert not app.exception and not app.error
    said = texts(app).replace("\\", "")
    assert "all channels, 4.5 to 5.4 s: taken away, as missing" in said
    assert "10.0% of time points" in said and "other places" in said
    app.number_input(key="whatif_from").set_value(1.0).run()
    app = app.selectbox(key="whatif_kind").set_value("scale").run()
    app = press(app, "whatif_apply")
    assert "2. all channels, 1 to 5.4 s: scaled by 2" in texts(app).replace("\\", "")
    app = press(app, "whatif_undo")
    said = texts(app).replace("\\", "")
    assert "taken away" in said and "scaled by 2" not in said
    app = press(app, "whatif_undo")
    assert "Nothing is changed yet" in texts(app)


def test_an_edit_survives_a_reload_and_a_link_that_cannot_be_read_is_told() -> None:
    app = press(opened("whatif", **LINK), "whatif_apply")
    (text,) = [app.query_params["edits"]] if isinstance(app.query_params["edits"], str) else app.query_params["edits"]
    again = opened("whatif", **LINK, edits=text)
    assert not again.exception and not again.error
    assert "all channels, 4.5 to 5.4 s: taken away, as missing" in texts(again).replace("\\", "")
    undone = press(again, "whatif_undo")
    assert "Nothing is changed yet" in texts(undone)
    assert "edits" not in undone.query_params
    broken = opened("whatif", **LINK, edits="no-edits")
    assert not broken.exception
    assert any("The edits in this link cannot be read" in one.value for one in broken.error)
    assert "Nothing is changed yet" in texts(broken)


@pytest.mark.parametrize("kind", ["flatten", "smooth", "shift", "swap"])
def test_every_kind_of_edit_can_be_applied(kind: str) -> None:
    app = opened("whatif", **LINK)
    app = app.selectbox(key="whatif_kind").set_value(kind).run()
    app = press(app, "whatif_apply")
    assert not app.exception and not app.error
    assert "differ from the original" in texts(app)


def test_an_impossible_edit_is_told_and_nothing_is_changed() -> None:
    app = opened("whatif", **LINK)
    app = app.selectbox(key="whatif_kind").set_value("shift").run()
    next(one for one in app.number_input if (one.key or "").endswith("_shift")).set_value(500.0).run()
    app = press(app, "whatif_apply")
    assert any("out of the series" in error.value.replace("\\", "") for error in app.error)
    assert "Nothing is changed yet" in texts(app)


def test_a_counterfactual_is_searched_on_request_and_shown_above() -> None:
    short = {"data": "ItalyPowerDemand", "model": "italypowerdemand", "series": "test 1"}  # searched in a moment
    app = opened("whatif", **short)
    app = press(app, "whatif_search")
    for _ in range(3000):  # until it is shown: a run in which the search just ends may show neither bar nor finding
        if any(one.key == "whatif_show" for one in app.button):
            break
        computed_meanwhile()
        app.run()
    assert not app.exception and not app.error
    assert any("With " in one.value and "random times" in one.value for one in app.success), texts(app)
    app = press(app, "whatif_show")
    said = texts(app).replace("\\", "")
    assert "The prediction turns from" in said
    assert "replaced by series" in said or "spans borrowed from series" in said
    app = press(app, "whatif_undo")
    assert "Nothing is changed yet" in texts(app)


def test_the_original_can_be_brought_back_and_left_again() -> None:
    app = press(opened("whatif", **LINK), "whatif_apply")
    app = press(app, "whatif_reset")
    said = texts(app)
    assert "back to the original" in said and "Nothing is changed yet" in said
    app = press(app, "whatif_undo")
    assert "differ from the original" in texts(app)


def test_a_span_that_a_link_names_is_the_one_to_edit() -> None:
    app = opened("whatif", **LINK, span="2~3")
    assert (app.number_input(key="whatif_from").value, app.number_input(key="whatif_to").value) == (2.0, 3.0)
    app.number_input(key="whatif_to").set_value(4.0).run()
    assert app.query_params["span"] in ("2~4", ["2~4"])
    said = texts(press(app, "whatif_apply")).replace("\\", "")
    assert "all channels, 2 to 4 s: taken away" in said


def test_without_a_model_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("TIMEMIL_PRETRAINED", str(tmp_path / "none"))
    for page in ("whatif", "motifs"):
        app = opened(page)
        assert not app.exception and not app.error
        assert "Train" in texts(app)
