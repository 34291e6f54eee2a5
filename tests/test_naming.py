from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.builders import kept_small_set
from timemil_core.data import store
from timemil_core.errors import DataError, SettingsError
from timemil_core.naming import NAME_FILE, checked_name, give_name, given_name, when_told
from timemil_core.training.run_folder import create_run, open_run


@pytest.mark.parametrize(
    ("text", "name"),
    [("  My\nrun\t2 ", "My run 2"), ("加速度", "加速度"), ("a\u202eb", "a b"), ("x" * 80, "x" * 80)],
)
def test_a_name_is_a_line_that_can_be_seen(text: str, name: str) -> None:
    assert checked_name(text) == name


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "x" * 81])
def test_what_cannot_be_a_name_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be a name"):
        give_name(tmp_path, text)
    assert given_name(tmp_path) is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"name": 3}', '{"name": ""}', '{"title": "a"}'])
def test_a_damaged_name_is_none(content: str, tmp_path: Path) -> None:
    (tmp_path / NAME_FILE).write_text(content)
    assert given_name(tmp_path) is None


def test_a_run_is_called_by_its_latest_name() -> None:
    run = create_run(kept_small_set(), title="first")
    assert run.title == "first"
    give_name(run.folder, "second")
    assert open_run(run.reference).title == "second"


def test_a_set_is_renamed_and_stays_the_same_set() -> None:
    reference = kept_small_set()
    before = store.read_kept(reference)
    store.rename(reference, "Pump 3, winter")
    after = store.read_kept(reference)
    assert (after.name, after.fingerprint) == ("Pump 3, winter", before.fingerprint)
    assert store.kept_facts(reference)["name"] == "Pump 3, winter"
    with pytest.raises(SettingsError):
        store.rename(reference, "")
    with pytest.raises(DataError, match="no stored data set"):
        store.rename("upload-nothing", "a")
    assert store.read_kept(reference).name == "Pump 3, winter"


def test_a_time_is_told_without_its_year_and_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert when_told("2026-11-29T07:12:33+00:00").endswith(":12")
    assert when_told("2026-11-29T12:12:33+00:00").startswith("29 Nov, ")
    assert when_told("soon") == ""
