from app.common import trust
from app.common.context import Context
from app.common.downloads import asked
from app.common.drawn_map import DrawnMap
from tests.explain.builders import build_model, build_set
from timemil_core.reports.findings import find


def test_a_report_asks_for_the_map_that_is_drawn() -> None:
    model, series_set = build_model(), build_set()
    chosen = Context(series_set, "a set", model, "a model", 2)
    question = asked(chosen, DrawnMap("attention", target=1, layer=0, head=None))
    assert (question.series, question.target, question.settings) == ("s2", "class 1", {"layer": 0})
    found = find(model, series_set, question)
    assert (found.index, found.target) == (2, 1)
    assert "layer 1" in found.importance.name


def test_other_methods_take_their_own_defaults() -> None:
    chosen = Context(build_set(), "a set", build_model(), "a model", 0)
    assert asked(chosen, DrawnMap("occlusion", target=0)).settings == {}


def test_a_report_removes_by_what_was_chosen_on_the_page(monkeypatch) -> None:
    monkeypatch.setattr(trust, "filler", lambda chosen: "interpolation")
    chosen = Context(build_set(), "a set", build_model(), "a model", 0)
    assert asked(chosen, DrawnMap("occlusion", target=0)).filler == "interpolation"
