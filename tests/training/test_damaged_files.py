"""Every file of a run and of its model, damaged in six ways: told in words wherever it is met, and the others work."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import torch

from tests.training.builders import SMALL, kept_small_set, short_training
from timemil_core.data import catalogue
from timemil_core.errors import TimeMILError
from timemil_core.models.shelf import ShelfEntry, locate, open_model, shelf, unreadable, version
from timemil_core.models.sweep_notes import cell_models
from timemil_core.training.run import execute
from timemil_core.training.run_folder import RunFolder, SeenRun, create_run, look, open_run, seen_runs

FINISHED, STOPPED, WHOLE = "run-finished", "run-stopped", "run-whole"


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for place in range(0, len(content), max(1, len(content) // 7)):
        content[place] ^= 0b1010_0101
    path.write_bytes(content)


def of_another_type(path: Path) -> None:
    """What a line or a file of JSON holds is of another type: in a list what should be by name, numbers as text."""
    content = path.read_bytes()
    try:
        path.write_text(json.dumps([[str(part)] for part in json.loads(content).items()]))
    except (ValueError, AttributeError):
        path.write_bytes(b"[3]\n" * max(1, content.count(b"\n")))


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: list[Callable[[Path], None]] = [Path.unlink, emptied, truncated, flipped, of_another_type, folder]
FILES = {
    FINISHED: [
        *("config.json", "data.json", "metrics.jsonl", "status.json", "wavelets.safetensors", "log.txt", "lock"),
        *("supervised/metrics.jsonl", "model/model.json", "model/weights.safetensors", "model/supervised.safetensors"),
        "model/wavelets.safetensors",
    ],
    STOPPED: [
        *("config.json", "data.json", "metrics.jsonl", "status.json", "launched.json", "wavelets.safetensors", "stop"),
        *("log.txt", "lock", "model/model.json", "model/weights.safetensors"),
        *("checkpoint/state.json", "checkpoint/epoch-00002.safetensors", "checkpoint/best-00002.safetensors"),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of a finished run, of one that was stopped after two epochs, and of a third that is whole."""
    home = tmp_path_factory.mktemp("original")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as each test: threads add up in another order
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIMEMIL_HOME", str(home))
        data = kept_small_set(12, 4)
        for name, supervised in ((FINISHED, True), (STOPPED, False)):
            training = short_training(with_supervised=supervised)
            run = create_run(data, model_settings=SMALL, training=training, folder=home / "runs" / name)
            execute(run, should_stop=lambda run=run: run.folder.name == STOPPED and len(run.metrics()) == 2)
        shutil.copytree(home / "runs" / FINISHED, home / "runs" / WHOLE)
        (home / "runs" / STOPPED / "launched.json").write_text('{"pid": 1, "host": "elsewhere", "at": 1.0}')
        (home / "runs" / STOPPED / "stop").touch()
    torch.set_num_threads(threads)
    return home


@pytest.fixture
def home(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path / "home"))
    return Path(shutil.copytree(original, tmp_path / "home"))


def use(name: str) -> None:
    """What the sidebar, the Train page and the pages of a model ask of a run; our own errors only."""
    folder = open_run(WHOLE).folder.parent / name
    seen = look(folder)
    if isinstance(seen, SeenRun):
        run, status = seen.run, seen.status
        assert (run.reference, run.title, run.data, status.share_done, status.message) is not None
        assert run.metrics("supervised") is not None
    for ask in (
        lambda: open_run(name).notes,
        lambda: open_run(name).model_config,
        lambda: open_run(name).training,
        lambda: version(name),
        lambda: locate(name),
        lambda: open_model(name).check_fits(catalogue.load(str(open_model(name).facts.get("data")))),
        lambda: open_run(name).request_stop(),
    ):
        with suppress(TimeMILError):
            ask()


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda one: one.__name__)
@pytest.mark.parametrize(("name", "file"), [(name, file) for name, files in FILES.items() for file in files])
def test_no_damage_of_a_file_is_met_by_a_foreign_error_and_the_others_work(
    home: Path, name: str, file: str, damage: Callable[[Path], None]
) -> None:
    [path] = (home / "runs" / name).glob(file)
    damage(path)
    listed = {one.run.reference if isinstance(one, SeenRun) else one.reference for one in seen_runs()}
    assert listed == {FINISHED, STOPPED, WHOLE}
    models = {entry.reference: entry for entry in shelf()}
    assert models.keys() | unreadable().keys() >= {WHOLE, "basicmotions"}
    assert cell_models() == {}
    use(name)

    whole = look(home / "runs" / WHOLE)
    assert isinstance(whole, SeenRun)
    assert whole.status.state == "finished"
    assert isinstance(models[WHOLE], ShelfEntry)
    assert len(open_model(WHOLE).channel_names) == 1


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda one: one.__name__)
@pytest.mark.parametrize("file", FILES[STOPPED])
def test_a_stopped_run_whose_file_is_damaged_goes_on_to_the_same_weights_or_says_why_not(
    home: Path, file: str, damage: Callable[[Path], None]
) -> None:
    whole = open_model(WHOLE).network.state_dict()
    run = RunFolder(home / "runs" / STOPPED)
    [path] = run.folder.glob(file)
    damage(path)
    try:
        run = open_run(STOPPED)
        execute(run)
    except TimeMILError as error:
        assert len(str(error)) > 20
        return
    assert run.status().state == "finished"
    assert all(torch.equal(one, whole[key]) for key, one in open_model(STOPPED).network.state_dict().items())
