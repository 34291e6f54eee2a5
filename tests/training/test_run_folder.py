import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.training.builders import SMALL, kept_small_set, short_training
from timemil_core.errors import DataError, RunError, SettingsError
from timemil_core.training.liveness import mark_of
from timemil_core.training.run import execute
from timemil_core.training.run_data import run_data
from timemil_core.training.run_folder import (
    RunFolder,
    SeenRun,
    UnreadableRun,
    create_run,
    list_runs,
    look,
    open_run,
    seen_runs,
)


def test_a_new_run_waits() -> None:
    reference = kept_small_set()
    run = create_run(reference, preset="paper", model_settings=SMALL, training=short_training(), title="Mine")
    assert run.reference.startswith("run-")
    assert (run.title, run.data) == ("Mine", reference)
    assert (run.model_config.n_channels, run.model_config.n_classes) == (1, 2)
    assert run.model_config.attention == "nystrom"  # of the preset
    assert run.model_config.embedding_width == 16
    assert run.training == short_training()
    status = run.status()
    assert (status.state, status.epoch, status.n_epochs, status.share_done) == ("waiting", 0, 3, 0.0)
    assert status.can_resume
    assert not status.is_active
    assert run.metrics() == []
    assert run.notes == []
    assert not run.has_model


def test_a_run_is_opened_by_its_name_or_its_folder(tmp_path: Path) -> None:
    reference = kept_small_set()
    inside = create_run(reference)
    assert open_run(inside.reference) == inside
    outside = create_run(reference, folder=tmp_path / "elsewhere")
    assert open_run(tmp_path / "elsewhere") == outside
    assert outside.reference == str(tmp_path / "elsewhere")
    assert outside.title == "Synthetic pulse"


@pytest.mark.parametrize("name", ["../run-1", "/etc", "run-1/../..", ""])
def test_a_name_from_outside_never_leaves_the_workspace(name: str) -> None:
    with pytest.raises(SettingsError):
        open_run(name)


def test_what_is_no_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no training run"):
        open_run("run-20000101-000000-abcd")
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(RunError, match="cannot be read"):
        open_run(tmp_path)
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(RunError, match="does not describe"):
        open_run(tmp_path)


def test_a_newer_format_is_told() -> None:
    run = create_run(kept_small_set())
    path = run.folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "format": 99}), "utf-8")
    with pytest.raises(RunError, match="newer version"):
        open_run(run.reference)


def test_runs_are_listed_newest_first_and_broken_ones_left_out(home: Path) -> None:
    assert list_runs() == []
    reference = kept_small_set()
    runs = []
    for _ in range(3):
        runs.append(create_run(reference))
        time.sleep(0.002)
    (home / "runs" / "run-broken").mkdir()
    (home / "runs" / ".run-being-written").mkdir()
    assert [run.reference for run in list_runs()] == [run.reference for run in reversed(runs)]


def test_nothing_of_the_users_is_overwritten(tmp_path: Path) -> None:
    reference = kept_small_set()
    (tmp_path / "thesis.tex").write_text("Chapter 1")
    with pytest.raises(RunError, match="not empty"):
        create_run(reference, folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["thesis.tex"]


def test_nothing_is_created_where_the_settings_or_the_data_do_not_allow_it(home: Path) -> None:
    with pytest.raises(SettingsError, match="fast"):
        create_run(kept_small_set(), preset="fast")
    with pytest.raises(SettingsError, match="depth"):
        create_run(kept_small_set(), model_settings={"depth": 3})
    with pytest.raises(DataError):
        create_run("NoSuchData")
    assert list_runs() == []


def begun() -> RunFolder:
    """A run with every file, stopped after its second epoch."""
    run = create_run(kept_small_set(), model_settings=SMALL, training=short_training())
    execute(run, should_stop=iter([False] * 9 + [True]).__next__)
    run.write_launched(mark_of(), time.time())
    return run


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3] + b"\n")


def nested(path: Path) -> None:
    path.write_bytes(b"[" * 200_000 + b"\n")


def of_another_kind(path: Path) -> None:
    path.write_bytes(b'{"state": 3, "epoch": "x", "fit": 1, "pid": [], "format": {}}\n')


def binary(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00\n" * 100)


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES = (emptied, cut, nested, of_another_kind, binary, pipe, folder)


@pytest.mark.parametrize("name", ["config.json", "data.json", "status.json", "launched.json", "metrics.jsonl"])
def test_a_run_with_any_damaged_file_is_listed_as_unreadable_with_why_and_the_others_work(
    home: Path, name: str
) -> None:
    whole, run = create_run(kept_small_set()), begun()
    kept = (run.folder / name).read_bytes()
    for damage in DAMAGES:
        damage(run.folder / name)
        if damage is not emptied or name != "metrics.jsonl":  # no line is no damage
            [seen, unreadable] = seen_runs()
            assert isinstance(unreadable, UnreadableRun)
            assert isinstance(seen, SeenRun)
            assert name in unreadable.why
            assert unreadable.reference == run.reference
            assert unreadable.can_resume == (name != "config.json")
            assert [one.reference for one in list_runs()] == [whole.reference]
        shutil.rmtree(run.folder / name) if damage is folder else (run.folder / name).unlink()
        (run.folder / name).write_bytes(kept)
    assert isinstance(look(run.folder), SeenRun)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("status.json", {"state": "asleep"}),
        ("status.json", {"n_epochs": 0}),
        ("status.json", {"epoch": "3"}),
        ("status.json", {"process": {"pid": -1, "started": 0, "host": "here"}}),
        ("status.json", {"heartbeat": None}),
        ("launched.json", {"at": "now"}),
        ("config.json", {"training": {"learning_rate": 10**400}}),
        ("config.json", {"training": []}),
        ("config.json", {"model": {"n_channels": 1, "n_classes": 2, "n_layers": 10**9}}),
        ("config.json", {"title": ["x"]}),
        ("config.json", {"created": 5}),
        ("data.json", {"notes": "many"}),
        ("data.json", {"preparation": 3}),
    ],
)
def test_a_value_of_another_kind_is_told(name: str, change: dict[str, object]) -> None:
    run = create_run(kept_small_set())
    if name == "launched.json":
        run.write_launched(mark_of(), time.time())
    if name == "data.json":
        run_data(run)
    path = run.folder / name
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **change}), "utf-8")
    unreadable = look(run.folder)
    assert isinstance(unreadable, UnreadableRun)
    assert f"{name} " in unreadable.why


def test_one_bad_line_is_named_and_left_out_when_the_run_is_resumed() -> None:
    run = begun()
    path = run.folder / "metrics.jsonl"
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join(["{'epoch': 1}", *lines[1:]]) + "\n", "utf-8")
    unreadable = look(run.folder)
    assert isinstance(unreadable, UnreadableRun)
    assert "line 1 of metrics.jsonl is damaged" in unreadable.why
    execute(run)
    assert [line["epoch"] for line in run.metrics()] == [2, 3]
    assert "1 damaged line of metrics.jsonl left out" in (run.folder / "log.txt").read_text("utf-8")


def test_a_copied_run_may_have_any_name_that_can_stand_in_an_address(home: Path) -> None:
    run = create_run(kept_small_set())
    shutil.copytree(run.folder, home / "runs" / "from-the-cluster")
    shutil.copytree(run.folder, home / "runs" / "a copy")
    shutil.copytree(run.folder, home / "runs" / "gunpoint")  # a shipped model's name
    (home / "runs" / "notes").mkdir()  # no run's files: no run
    seen = {one.folder.name if isinstance(one, UnreadableRun) else one.run.reference: one for one in seen_runs()}
    assert sorted(seen) == ["a copy", "from-the-cluster", "gunpoint", run.reference]
    assert open_run("from-the-cluster").title == "Synthetic pulse"
    for name, told in (("a copy", "Rename it"), ("gunpoint", "another model is called 'gunpoint'")):
        assert isinstance(one := seen[name], UnreadableRun)
        assert told in one.why


def without_status(run: RunFolder) -> None:
    (run.folder / "status.json").unlink()


def damage_all_but_the_checkpoint(run: RunFolder) -> None:
    for name in ("status.json", "launched.json", "metrics.jsonl", "data.json", "wavelets.safetensors", "log.txt"):
        (run.folder / name).write_bytes(b"\x00damaged\n" * 7)


@pytest.mark.parametrize("damage", [without_status, damage_all_but_the_checkpoint])
def test_resuming_needs_the_checkpoint_alone(damage: Callable[[RunFolder], None]) -> None:
    whole, run = (create_run(kept_small_set(), model_settings=SMALL, training=short_training()) for _ in range(2))
    execute(whole)
    execute(run, should_stop=iter([False] * 9 + [True]).__next__)
    damage(run)
    execute(run)
    assert run.status().state == "finished"
    weights = [(one.model_folder / "weights.safetensors").read_bytes() for one in (whole, run)]
    assert weights[0] == weights[1]


@pytest.mark.parametrize("lost", ["checkpoint/state.json", "checkpoint"])
def test_a_lost_checkpoint_is_never_taken_for_a_beginning(lost: str) -> None:
    run = begun()
    path = run.folder / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    before = {path: path.read_bytes() for path in run.folder.rglob("*.safetensors")}
    with pytest.raises(RunError, match="missing"):
        execute(run)
    assert {path: path.read_bytes() for path in run.folder.rglob("*.safetensors")} == before
    assert len(run.metrics()) == 2
    assert run.status().state == "failed"
    assert "missing" in run.status().message
