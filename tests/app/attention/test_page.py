"""The Attention page: two maps side by side, the contrast of two classes, and the pin."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.test_pages import opened, texts, workspace

__all__ = ["workspace"]

ITALY = {"data": "ItalyPowerDemand", "model": "italypowerdemand", "series": "test 3"}
ATTENTION = {**ITALY, "map": "Attention, layer 2"}  # else the page opens on what measures best


def tables(app: AppTest) -> list[str]:
    return [one.value for one in app.markdown if "| Beyond other places |" in one.value]


def labels(app: AppTest) -> list[str]:
    return [one.label for one in app.selectbox]


def button(app: AppTest, key: str) -> Any:
    return next(one for one in app.button if one.key == key)


def test_attention_alone_has_its_numbers_and_no_second_map() -> None:
    app = opened("attention", **ATTENTION)
    [table] = tables(app)
    assert "…" not in table
    words = {word.strip() for word in table.split("|")}
    assert {
        "Beyond other places",
        "Comprehensiveness, masked out",
        "Flatness",
        "On the class token",
        "On padding",
    } <= words
    assert "Evidence for the class" not in labels(app)  # attention knows none


def test_what_is_about_the_model_is_told_apart_from_what_is_about_this_series() -> None:
    app = opened("attention", **ITALY)
    said = texts(app)
    assert "-badge[" in said  # what the method is worth over many series
    shown = [one.value for one in app.caption if "it beats" in one.value]
    assert len(shown) == 2 and all("this series" in one.lower() for one in shown)


def test_another_map_is_shown_with_attention_beside_it_and_each_has_a_verdict() -> None:
    app = opened("attention", **ITALY)
    app = app.selectbox(key="map").set_value("Occlusion").run()
    assert not app.exception
    assert not app.error
    assert len(tables(app)) == 2
    assert sum("it beats" in one.value for one in app.caption) == 2
    assert "The two maps bring the time points into" in texts(app)
    app = app.selectbox(key="beside").set_value("nothing").run()
    assert len(tables(app)) == 1


def test_any_two_maps_stand_side_by_side() -> None:
    app = opened("attention", **ATTENTION)
    app = app.selectbox(key="beside").set_value("Gradient × input").run()
    assert not app.error
    assert len(tables(app)) == 2
    assert "Evidence for the class" in labels(app)


def test_the_choice_of_a_class_reads_the_same_on_every_series() -> None:
    # A browser keeps a chosen option's text, so that it told the class that was predicted of the series before.
    first, other = (
        opened("attention", **{**ITALY, "series": name, "map": "Occlusion"}) for name in ("test 3", "test 6")
    )
    options = [app.selectbox(key="class").options for app in (first, other)]
    assert options[0] == options[1]
    assert texts(first).count("Predicted **2**") == texts(other).count("Predicted **1**") == 1


def test_two_classes_are_contrasted() -> None:
    app = opened("attention", **ITALY)
    app = app.selectbox(key="map").set_value("Occlusion").run()
    app = app.selectbox(key="class").set_value("1").run()
    app = app.selectbox(key="against").set_value("2").run()
    assert not app.exception
    assert not app.error
    assert "less that of" in texts(app)
    app = app.selectbox(key="against").set_value("1").run()
    assert "cannot be contrasted with itself" in texts(app)
    assert not app.error


def test_a_pinned_series_stands_beside_the_next_one_and_one_click_unpins() -> None:
    app = opened("attention", **ATTENTION)
    app = button(app, "pin_series").click().run()
    assert app.query_params["pin_series"] in ("test 3", ["test 3"])
    assert "choose another series" in texts(app)
    assert len(tables(app)) == 1
    app = button(app, "step_right").click().run()
    assert not app.error
    said = texts(app)
    assert "**Chosen:** series test 4" in said
    assert "**Pinned:** series test 3" in said
    assert said.count("Predicted **") == 2
    assert len(tables(app)) == 2
    app = button(app, "pin_series").click().run()
    assert "pin_series" not in app.query_params
    assert len(tables(app)) == 1


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
    [own, theirs] = tables(app)
    assert own == theirs  # the same weights


@pytest.mark.parametrize(
    ("pin", "told"),
    [({"pin_series": "test 0 of another set"}, "is not in this set"), ({"pin_model": "basicmotions"}, "channel")],
)
def test_a_pin_that_does_not_fit_is_told_and_the_page_stays(pin: dict[str, str], told: str) -> None:
    app = opened("attention", **ATTENTION, **pin)
    assert not app.exception
    assert any(told in error.value for error in app.error)
    assert len(tables(app)) == 1
