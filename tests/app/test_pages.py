"""Every page, run without a browser: it shows what it should, and no fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.common.context import OPENING_MODEL
from app.common.state import SEEN_URL_KEY, SELECTION_KEY
from tests.app.conftest import computed
from timemil_core.explain.importance import METHODS
from timemil_core.explain.sanity import checks, measured

ENTRY = Path(__file__).resolve().parents[2] / "app" / "shell.py"
PAGES = {
    "answer": "What tells the classes apart",
    "data": "Data",
    "train": "Train",
    "attention": "Attention",
    "workbench": "Series",
    "compare": "Compare",
    "trust": "Trust",
    "whatif": "What if",
    "motifs": "Motifs",
    "wavelets": "Wavelets",
    "boundary": "Decision boundary",
    "glossary": "Glossary",
}
PATIENCE = 300


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))


def opened(page: str, **query: str) -> AppTest:
    """Return the app on one of its pages."""
    app = AppTest.from_file(ENTRY, default_timeout=PATIENCE)
    if page != "answer":
        # AppTest knows the other pages once the opening one was run: on data of which all is known, since it would
        # compute what nobody looks at for those that are asked for.
        app.query_params["data"] = "BasicMotions"
        app.run().switch_page(f"{page}/page.py")
        app.query_params.clear()
        for key in (SELECTION_KEY, SEEN_URL_KEY):
            if key in app.session_state:
                del app.session_state[key]
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def texts(app: AppTest) -> str:
    """Return everything that the page says."""
    elements = [*app.markdown, *app.caption, *app.info, *app.warning, *app.success, *app.error]
    return "\n".join(element.value for element in elements)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_its_title_and_no_fault(page: str) -> None:
    app = opened(page)
    assert app.title[0].value == PAGES[page]
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize("page", ["answer", "attention", "workbench", "trust", "wavelets", "boundary"])
def test_a_page_without_a_model_says_what_to_do(page: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIMEMIL_PRETRAINED", str(tmp_path / "none"))
    app = opened(page)
    assert not app.exception
    assert not app.error
    assert "Train" in texts(app)


def test_the_attention_page_says_how_far_to_trust_the_map() -> None:
    app = opened("attention", model="synthetic-distractor", map="Attention, layer 2", worth="true")
    said = texts(app)
    assert "-badge[" in said  # what the map is worth
    assert "| Flatness |" in said
    assert "| On the class token |" in said


def test_the_trust_page_ranks_the_methods_and_destroys_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "N_SERIES", 1)
    few = [METHODS[name] for name in ("attention", "gradient-input")]
    monkeypatch.setattr(measured, "methods_for", lambda model: few)  # of all of them in tests/explain/sanity
    app = opened("trust", data="ItalyPowerDemand")
    for _ in range(PATIENCE):  # computed in the background, or offered, where it takes longer than a page may wait
        offers = [one for one in app.button if one.label == "Compute it"]
        if not offers and app.metric and "With every trained weight" in texts(app):
            break
        computed()
        app = offers[0].click().run() if offers else app.run()
    said = texts(app)
    assert "Measured on 8 training series" in said
    assert "With every trained weight made random" in said
    assert app.metric[0].label == "Accuracy, as it is"
    assert 0 <= float(app.metric[0].value) <= 1


def test_known_truth_brings_scores_with_their_controls() -> None:
    app = opened("attention", data="synthetic-pulse", model="synthetic-pulse", series="test 2", worth="true")
    scores = next(frame.value for frame in app.dataframe if "AUROC" in frame.value)
    assert scores["map"].tolist() == ["this map", "untrained network", "size of the signal", "chance"]
    assert scores["AUROC"].between(0, 1).all()


def test_an_unknown_model_in_the_link_is_told_once_and_the_page_goes_on_without() -> None:
    app = opened("attention", data="BasicMotions", model="no-such-model")
    assert not app.exception
    assert not app.error
    assert [warning.value for warning in app.warning if "no-such-model" in warning.value.replace("\\", "")]
    assert {box.label for box in app.sidebar.selectbox} >= {"Data set", "Model", "Series"}


def test_a_link_to_an_unknown_model_alone_opens_what_a_new_session_opens_on() -> None:
    app = opened("answer", model="no-such-model")
    assert not app.error
    assert [one for one in app.warning if "no-such-model" in one.value.replace("\\", "")]
    assert app.query_params["model"] in (OPENING_MODEL, [OPENING_MODEL])


def test_a_link_cannot_leave_the_workspace() -> None:
    app = opened("attention", data="../../etc/passwd")
    assert not app.exception
    assert any("this machine does not have" in warning.value for warning in app.warning)
    assert "passwd" not in str(app.query_params)
    assert {box.label for box in app.sidebar.selectbox} >= {"Data set", "Model", "Series"}
