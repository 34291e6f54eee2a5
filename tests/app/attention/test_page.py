"""The Attention page: two maps side by side, the contrast of two classes, and the pin."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.test_pages import opened, texts, workspace
from timemil_core.data import catalogue
from timemil_core.explain.workbench import classified
from timemil_core.models.shelf import open_model

__all__ = ["workspace"]

ITALY = {"data": "ItalyPowerDemand", "model": "italypowerdemand", "series": "test 3"}
ATTENTION = {**ITALY, "map": "Attention, layer 2"}  # else the page opens on what measures best
WORTH = {"worth": "true"}  # the part that is open


def tables(app: AppTest) -> list[str]:
    return [one.value for one in app.markdown if "| Beyond other places |" in one.value]


def labels(app: AppTest) -> list[str]:
    return [one.label for one in app.selectbox]


def button(app: AppTest, key: str) -> Any:
    return next(one for one in app.button if one.key == key)


def test_the_numbers_are_there_once_they_are_asked_for() -> None:
    app = opened("attention", **ATTENTION)
    assert not tables(app)  # the picture first
    [table] = tables(opened("attention", **ATTENTION, **WORTH))
    assert "…" not in table
    words = {word.strip() for word in table.split("|")}
    assert {
        "Beyond other places",
        "Comprehensiveness, masked out",
        "Flatness",
        "On the class token",
        "On padding",
    } <= words


def test_what_is_about_the_model_is_told_apart_from_what_is_about_this_series() -> None:
    app = opened("attention", **ITALY, **WORTH)
    assert "-badge[" in texts(app)  # what the method is worth over many series
    [shown] = [one.value for one in app.caption if "it beats" in one.value]
    assert "this series" in shown.lower()


def test_one_line_tells_prediction_probability_right_or_wrong_and_the_evidence() -> None:
    series_set = catalogue.load("ItalyPowerDemand")
    is_wrong = classified(open_model("italypowerdemand"), series_set).wrong
    right, wrong = (
        next(one.value for one in opened("attention", **{**ITALY, "series": name}).markdown if "-badge[" in one.value)
        for name in ("test 3", series_set.series_ids[int(is_wrong.argmax())])
    )
    assert right.startswith("**warm months** ") and " %" in right and "right" in right and "evidence" in right
    assert "wrong, it is **" in wrong


def test_other_methods_stand_beneath_and_what_all_point_to_is_told() -> None:
    app = opened("attention", **ATTENTION, beside="Occlusion")
    assert not app.exception and not app.error
    said = texts(app)
    assert "point to" in said or "marks nothing" in said
    assert "order as the first map" in said
    assert sum("-badge[" in one.value for one in app.markdown) == 3  # the line, and each of the two


def test_several_methods_are_compared_at_once() -> None:
    app = opened("attention", **ATTENTION)
    app = app.multiselect(key="beside").set_value(["Gradient × input", "Occlusion"]).run()
    assert not app.exception and not app.error
    assert "All 3 point" in texts(app) or "They point" in texts(app) or "nothing here" in texts(app)
    assert "Evidence for the class" in labels(app)


def test_the_choice_of_a_class_reads_the_same_on_every_series() -> None:
    # A browser keeps a chosen option's text, so that it told the class that was predicted of the series before.
    first, other = (
        opened("attention", **{**ITALY, "series": name, "map": "Occlusion"}) for name in ("test 3", "test 6")
    )
    options = [app.selectbox(key="class").options for app in (first, other)]
    assert options[0] == options[1]
    assert "**warm months** " in texts(first) and "**cold months** " in texts(other)


def test_two_classes_are_contrasted() -> None:
    app = opened("attention", **ITALY)
    app = app.selectbox(key="map").set_value("Occlusion").run()
    app = app.selectbox(key="class").set_value("cold months").run()
    app = app.selectbox(key="against").set_value("warm months").run()
    assert not app.exception
    assert not app.error
    assert "for **cold months** rather than **warm months**" in texts(app)
    app = app.selectbox(key="against").set_value("cold months").run()
    assert "cannot be contrasted with itself" in texts(app)
    assert not app.error


def test_a_pinned_series_stands_beside_the_next_one_and_one_click_unpins() -> None:
    app = opened("attention", **ATTENTION)
    app = button(app, "pin_series").click().run()
    assert app.query_params["pin_series"] in ("test 3", ["test 3"])
    assert "choose another series" in texts(app)
    app = button(app, "step_right").click().run()
    assert not app.error
    said = texts(app)
    assert "**Chosen:** series test 4" in said
    assert "**Pinned:** series test 3" in said
    assert sum("-badge[" in one.value for one in app.markdown) == 2
    app = button(app, "pin_series").click().run()
    assert "pin_series" not in app.query_params
    assert "**Pinned:**" not in texts(app)


def test_a_link_brings_back_what_is_pinned() -> None:
    app = opened("attention", **ITALY, pin_series="test 9")
    assert "**Pinned:** series test 9" in texts(app)
    assert not app.error


def test_a_pinned_model_explains_the_same_series(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = Path(__file__).resolve().parents[3] / "pretrained"
    for name in ("italypowerdemand", "other"):
        shutil.copytree(shipped / "italypowerdemand", tmp_path / "models" / name)
    description = tmp_path / "models" / "other" / "model.json"
    description.write_text(description.read_text().replace('"title": "ItalyPowerDemand"', '"title": "The other"'))
    monkeypatch.setenv("TIMEMIL_PRETRAINED", str(tmp_path / "models"))
    app = opened("attention", **ITALY, pin_model="other", map="Occlusion")
    assert not app.error
    said = texts(app)
    assert said.count("series test 3") >= 2
    [own, theirs] = [one.value for one in app.markdown if "-badge[" in one.value]
    assert own.split(" · ")[0] == theirs.split(" · ")[0]  # the same weights


@pytest.mark.parametrize(
    ("pin", "told"),
    [({"pin_series": "test 0 of another set"}, "is not in this set"), ({"pin_model": "basicmotions"}, "channel")],
)
def test_a_pin_that_does_not_fit_is_told_and_the_page_stays(pin: dict[str, str], told: str) -> None:
    app = opened("attention", **ATTENTION, **pin)
    assert not app.exception
    assert any(told in error.value for error in app.error)
    assert "-badge[" in texts(app)
