"""Two users of one server: each sees what is shipped and what is theirs, on no page and by no link anything else."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path

import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from app.common import login
from tests.app.test_pages import ENTRY, PAGES, PATIENCE, texts
from tests.training.builders import SMALL, short_training, small_set
from timemil_core import workspace
from timemil_core.data import catalogue
from timemil_core.data.store import keep
from timemil_core.errors import AccessError, TimeMILError
from timemil_core.jobs import Jobs
from timemil_core.models.shelf import open_model, shelf
from timemil_core.training.process import environment
from timemil_core.training.run import execute
from timemil_core.training.run_folder import create_run, open_run, seen_runs

ISSUER = "https://login.example.org"
SETTINGS = {
    "redirect_uri": "http://localhost:8501/oauth2callback",
    "cookie_secret": "a secret of the tests",
    "client_id": "timemil",
    "client_secret": "none",
    "server_metadata_url": f"{ISSUER}/.well-known/openid-configuration",
}
TITLE, SET = "The run that Ada made", "What Ada recorded"


def folder_name(subject: str) -> str:
    return hashlib.sha256(f"{ISSUER}\n{subject}".encode()).hexdigest()[:32]


def opened_by(subject: str | None, page: str = "start", **query: str) -> AppTest:
    app = AppTest.from_file(ENTRY, default_timeout=PATIENCE)
    app.secrets["auth"] = SETTINGS
    app.user = {"is_logged_in": subject is not None}
    if subject is not None:
        app.user |= {"iss": ISSUER, "sub": subject, "name": f"{subject}'s name"}
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    return app if page == "start" else app.switch_page(f"{page}/page.py").run()


def shown(app: AppTest) -> str:
    """Return all that a page holds, the options of its boxes and the cells of its tables included."""
    tables = [table.value.to_string() for table in app.dataframe]
    return "\n".join([repr(app.main), repr(app.sidebar), *tables])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_HOME", str(home))
    monkeypatch.setattr(workspace._Asked, "who", staticmethod(lambda: None))


@pytest.fixture(scope="module")
def adas(home: Path) -> dict[str, str]:
    """The references of a set and of a finished run of Ada's."""
    with pytest.MonkeyPatch.context() as patch, workspace.acting_for(folder_name("ada")):
        patch.setenv("TIMEMIL_HOME", str(home))
        data = keep(dataclasses.replace(small_set(), name=SET))
        run = create_run(data, model_settings=SMALL, training=short_training(n_epochs=1), title=TITLE)
        execute(run)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMEMIL_HOME", str(home))
        opened_by("ada", "attention", data=data, model=run.reference)  # leaves both in the server's memory
    return {"data": data, "model": run.reference}


def test_who_has_not_logged_in_sees_nothing_but_the_way_in() -> None:
    app = opened_by(None)
    assert [button.label for button in app.button] == ["Log in"]
    assert not app.exception
    assert not app.error
    assert not app.selectbox


def test_the_owner_finds_set_model_and_run(adas: dict[str, str], home: Path) -> None:
    app = opened_by("ada", "train", **adas, run=adas["model"])
    assert not app.exception
    assert not app.error
    assert TITLE in shown(app) and SET in shown(app)
    assert "ada's name" in texts(app).replace("\\", "")
    note = json.loads((home / "users" / folder_name("ada") / "owner.json").read_text())
    assert note == {"issuer": ISSUER, "subject": "ada"}


@pytest.mark.parametrize("page", PAGES)
def test_another_sees_nothing_of_it_on_any_page(page: str, adas: dict[str, str]) -> None:
    app = opened_by("bob", page, **adas, run=adas["model"])
    assert not app.exception
    assert TITLE not in shown(app) and SET not in shown(app)


def test_nor_may_it_be_pinned_beside_what_is_shipped(adas: dict[str, str]) -> None:
    app = opened_by("bob", "attention", data="BasicMotions", pin_model=adas["model"])
    assert not app.exception
    assert TITLE not in shown(app)


def test_neither_list_nor_link_of_the_library_leads_to_anothers(adas: dict[str, str]) -> None:
    with workspace.acting_for(folder_name("bob")):
        assert adas["data"] not in {entry.reference for entry in catalogue.entries()}
        assert adas["model"] not in {entry.reference for entry in shelf()}
        assert seen_runs() == []
        for look in (
            lambda: catalogue.load(adas["data"]),
            lambda: open_model(adas["model"]),
            lambda: open_run(adas["model"]),
            lambda: open_run(f"../{folder_name('ada')}"),
        ):
            with pytest.raises(TimeMILError):
                look()
        assert "basicmotions" in {entry.reference for entry in shelf()}  # what is shipped is everybody's
        assert environment()["TIMEMIL_HOME"] == str(workspace.home())  # of a training that Bob starts


def test_what_one_computes_is_not_told_to_the_other() -> None:
    jobs = Jobs()
    with workspace.acting_for("ada"):
        job = jobs.start("what", lambda progress: workspace.owner())
        job.wait(30)
        assert job.result == "ada"  # in its own thread, too
        assert jobs.find("what") is job
    with workspace.acting_for("bob"):
        assert jobs.find("what") is None
        assert jobs.here("what", lambda progress: workspace.owner()).result == "bob"


def test_without_a_login_everything_is_as_before(home: Path) -> None:
    app = AppTest.from_file(ENTRY, default_timeout=PATIENCE).run()
    assert not app.exception
    assert "Log out" not in [button.label for button in app.button]
    assert workspace.home() == home


def test_settings_that_cannot_be_read_let_nobody_in(tmp_path: Path) -> None:
    damaged = tmp_path / "secrets.toml"
    damaged.write_text("[auth\n")
    before = config.get_option("secrets.files")
    config.set_option("secrets.files", [str(damaged)])
    try:
        app = AppTest.from_file(ENTRY, default_timeout=PATIENCE).run()
        with pytest.raises(AccessError, match="nobody is let in"):
            login.owner()
    finally:
        config.set_option("secrets.files", before)
    assert "nobody is let in" in app.error[0].value
    assert not app.selectbox


def test_a_login_that_does_not_tell_who_came_is_refused() -> None:
    app = AppTest.from_file(ENTRY, default_timeout=PATIENCE)
    app.secrets["auth"] = SETTINGS
    app.user = {"is_logged_in": True, "email": "somebody@example.org"}
    app.run()
    assert "no issuer or no subject" in app.error[0].value
    assert not app.selectbox
