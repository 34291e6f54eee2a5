"""The answer page: a sentence, its evidence and pictures a class, and the doors beneath."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import ask
from app.answer.result import MOST_LINKS
from app.common.context import OPENING_MODEL
from tests.app.test_pages import PATIENCE, opened, texts, workspace
from tests.shipped import WITH_DATA
from timemil_core.data import catalogue
from timemil_core.explain import answering
from timemil_core.explain.kept_answer import FILE, known_answer
from timemil_core.explain.lessons import lessons
from timemil_core.models.shelf import locate, open_model, shelf
from timemil_core.workspace import pretrained_folder

__all__ = ["workspace"]

FIRST = 4


def sentences(app: AppTest) -> list[str]:
    return [one.value.replace("\\", "") for one in app.markdown if one.value.startswith(":") and "badge[" in one.value]


def links(app: AppTest) -> list[str]:
    return [one.proto.query_string for one in app.get("page_link") if one.proto.page == "attention"]


@pytest.mark.parametrize("name", WITH_DATA)
def test_each_shipped_model_opens_with_its_answer(name: str) -> None:
    model = open_model(name)
    data = str(model.facts["data"])
    found = known_answer(model, catalogue.load(data), locate(name))
    assert found is not None  # shipped: a page never waits for it
    app = opened("answer", data=data, model=name)
    assert not app.exception
    assert not app.error
    shown = found.classes[:FIRST]
    for said, told in zip(sentences(app), shown, strict=True):
        assert said.endswith(f"**{told.name}**{told.finding}")
        assert f" {told.chip}]" in said
    assert len(links(app)) == sum(len(one.examples) for one in shown) + min(len(found.wrong), MOST_LINKS)
    n_right = found.n_known - len(found.wrong)
    assert f"{n_right} of {found.n_known} test series right" in texts(app)


def test_the_app_opens_on_the_set_whose_truth_is_known() -> None:
    app = opened("answer")
    assert app.query_params["model"] in (OPENING_MODEL, [OPENING_MODEL])
    first = sentences(app)[0]
    assert "evidence strong" in first and "**pattern** is told by a stretch of about 22 time points" in first
    assert "They meet the known truth in 6 of 6." in texts(app)


def test_of_many_classes_the_rest_is_one_click_away() -> None:
    app = opened("answer", data="JapaneseVowels", model="japanesevowels")
    assert len(sentences(app)) == FIRST
    app = next(one for one in app.button if one.label == "Show 5 more classes").click().run()
    assert len(sentences(app)) == 9


def test_the_wrong_series_are_named_and_lead_to_themselves() -> None:
    app = opened("answer", data="JapaneseVowels", model="japanesevowels")
    assert "**366 of 370 test series right (guessing: 88)**; the 4 wrong ones:" in texts(app)
    wrong = [one.proto.label.replace("\\", "") for one in app.get("page_link") if ", called " in one.proto.label]
    assert len(wrong) == 4
    model, series_set = open_model("japanesevowels"), catalogue.load("JapaneseVowels")
    found = known_answer(model, series_set, locate("japanesevowels"))
    assert found is not None
    for index, true, said in zip(found.indices, found.true, found.predicted, strict=True):
        if true != said:
            name = series_set.series_ids[index]
            assert f"{name} is {model.class_names[true]}, called {model.class_names[said]}" in wrong


def test_a_lesson_opens_its_model_and_says_where_attention_misleads() -> None:
    app = opened("answer")
    assert {one.value.strip("*") for one in app.markdown} >= {
        "Found, and true", "A real set", "Where attention misleads", "Your own series"
    }  # fmt: skip
    lesson = next(one for one in lessons(shelf()) if one.title == "Where attention misleads")
    name = lesson.entry.reference
    button = next(one for one in app.button if one.key == f"lesson_{name}")
    app = button.click().run()
    assert app.query_params["model"] in (name, [name])
    marked = re.search(r"more than (\d+ %) of other places do", lesson.sentence)
    assert marked is not None
    assert f"Attention misleads here: what it marks matters more than {marked[1]} of other places do" in texts(app)


def test_a_model_that_adds_up_says_whether_its_own_sum_is_evidence() -> None:
    app = opened("answer", data="GunPoint", model="gunpoint-faithful")
    about = "right (guessing: 76) · what it adds up: evidence strong"
    assert any(about in one.value for one in app.caption)
    assert "What this model adds up is evidence here: what it marks matters more than " in texts(app)
    told = [one.value for one in app.caption if one.value.startswith("test accuracy ")]
    assert len(told) == len(shelf())
    assert any(one.endswith("series · attention: no evidence") for one in told)


def test_what_is_not_kept_is_found_in_the_background_and_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(answering, "MOST_MAPS_A_CLASS", 2)
    monkeypatch.setattr(answering, "FEWEST_MAPS_A_CLASS", 2)
    copy = tmp_path / "shipped" / "italypowerdemand"
    shutil.copytree(pretrained_folder() / "italypowerdemand", copy, ignore=shutil.ignore_patterns(FILE))
    monkeypatch.setenv("TIMEMIL_PRETRAINED", str(copy.parent))
    ask.jobs.clear()  # nothing that another test has found
    app = opened("answer", data="ItalyPowerDemand", model="italypowerdemand")
    for _ in range(PATIENCE):
        if sentences(app):
            break
        time.sleep(1)
        app.run()
    assert len(sentences(app)) == 2
    assert not app.error
    assert not (copy / FILE).exists()  # what is shipped stays as it is
    model = open_model("italypowerdemand")
    assert known_answer(model, catalogue.load("ItalyPowerDemand")) is not None
