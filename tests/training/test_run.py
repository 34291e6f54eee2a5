import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from tests.training.builders import SMALL, kept_small_set, short_training, small_set
from timemil_core.atomic import read_json
from timemil_core.data.store import keep
from timemil_core.errors import RunError, TimeMILError
from timemil_core.models.shelf import open_model, shelf
from timemil_core.models.storage import load_model
from timemil_core.models.wavelet_path import FILE as WAVELET_PATH
from timemil_core.models.wavelet_path import load_path
from timemil_core.training import run as module
from timemil_core.training.run import execute
from timemil_core.training.run_folder import RunFolder, create_run, open_run
from timemil_core.training.status import derive_status

ROOT = Path(__file__).parents[2]


def new_run(n_test: int = 10, title: str | None = None, **changes: Any) -> RunFolder:
    training = short_training(**changes)
    return create_run(kept_small_set(n_test=n_test), model_settings=SMALL, training=training, title=title)


def weights(run: RunFolder) -> dict[str, torch.Tensor]:
    loaded = load_file(run.model_folder / "weights.safetensors")
    supervised = load_file(run.model_folder / "supervised.safetensors")
    return loaded | {f"supervised.{name}": value for name, value in supervised.items()}


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(value, other[name]) for name, value in one.items())


def test_from_beginning_to_end() -> None:
    run = new_run(title="My pulse")
    lines: list[str] = []
    execute(run, lines.append)
    status = run.status()
    assert (status.state, status.share_done, status.seconds_left) == ("finished", 1.0, None)
    for network in ("timemil", "supervised"):
        assert [line["epoch"] for line in run.metrics(network)] == [1, 2, 3]
    assert not (run.folder / "checkpoint").exists()
    assert sum("epoch" in line and "/3" in line for line in lines) == 6
    assert all(line in (run.folder / "log.txt").read_text("utf-8") for line in lines)

    model = open_model(run.reference)
    facts = model.facts
    assert model.supervised is not None
    assert facts["title"] == "My pulse"
    assert (facts["n_train"], facts["n_validation"], facts["n_test"]) == (24, 6, 10)
    assert facts["selection"] == "validation"
    assert "scored once" in facts["protocol"]
    assert facts["warm_up_epochs"] == 1
    kept = run.metrics()[facts["best_epoch"] - 1]
    assert facts["scores"]["validation_accuracy"] == kept["validation_accuracy"]
    test = small_set().part("test")
    right = (model.predict(test.series).labels == test.labels).mean()
    assert facts["scores"]["test_accuracy"] == pytest.approx(right)
    assert facts["scores"]["test_n"] == 10
    assert 0 <= facts["scores"]["supervised_test_accuracy"] <= 1
    [entry] = [entry for entry in shelf() if entry.kind == "run"]
    assert (entry.reference, entry.data, entry.title) == (run.reference, run.data, "My pulse")
    with pytest.raises(RunError, match="finished"):
        execute(run)


KILLED = """
import os, signal, sys
from pathlib import Path
from timemil_core.training.reporter import Reporter
from timemil_core.training.run import execute
from timemil_core.training.run_folder import open_run

stage, epoch, batch = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
told = Reporter.on_batch

def on_batch(self, done, of):
    told(self, done, of)
    if self._content["stage"] == stage and self._content["epoch"] == epoch and done == batch:
        os.kill(os.getpid(), signal.SIGKILL)

Reporter.on_batch = on_batch
execute(open_run(Path(sys.argv[1])))
"""


def killed(run: RunFolder, stage: str, finished_epochs: int, batch: int) -> None:
    words = [sys.executable, "-c", KILLED, str(run.folder), stage, str(finished_epochs), str(batch)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == -9, done.stderr


def test_a_killed_process_resumes_to_the_weights_of_an_uninterrupted_one() -> None:
    whole, broken = new_run(), new_run()
    execute(whole)

    killed(broken, "TimeMIL", 1, 2)
    status = broken.status()
    assert (status.state, status.epoch, status.can_resume) == ("interrupted", 1, True)
    assert not broken.has_model
    killed(broken, "fully supervised counterpart", 2, 3)
    assert broken.status().stage == "fully supervised counterpart"
    execute(broken)

    assert same(weights(whole), weights(broken))
    for network in ("timemil", "supervised"):
        kept = [
            [{key: value for key, value in line.items() if key != "seconds"} for line in run.metrics(network)]
            for run in (whole, broken)
        ]
        assert kept[0] == kept[1]
    assert load_model(whole.model_folder).facts["scores"] == load_model(broken.model_folder).facts["scores"]
    for folder in ("", "model"):
        files = [(run.folder / folder / WAVELET_PATH).read_bytes() for run in (whole, broken)]
        assert files[0] == files[1]


def test_the_way_of_the_wavelets_leads_from_their_start_to_the_model() -> None:
    run = new_run(selection="last", with_supervised=False)
    execute(run)
    path = load_path(run.folder / WAVELET_PATH)
    assert path is not None
    assert path.epochs.tolist() == [0, 1, 2, 3]
    model = load_model(run.model_folder)
    for layer, one in enumerate(model.network.pooling.layers.layers):
        bank = one.encoding.wavelets
        for epoch, scales, shifts in ((0, bank.initial_scales, bank.initial_shifts), (-1, bank.scales, bank.shifts)):
            torch.testing.assert_close(torch.from_numpy(path.scales[epoch, layer]), scales.detach())
            torch.testing.assert_close(torch.from_numpy(path.shifts[epoch, layer]), shifts.detach())
    assert (path.shifts[3] != path.shifts[0]).all()


def test_a_run_from_before_ways_were_kept_goes_on_from_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    run = new_run(with_supervised=False)
    execute(run, should_stop=iter([False] * 6 + [True]).__next__)
    (run.folder / WAVELET_PATH).unlink()
    execute(run)
    path = load_path(run.folder / WAVELET_PATH)
    assert path is not None
    assert path.epochs.tolist() == [0, 1, 2, 3]


def test_without_wavelets_there_is_no_way() -> None:
    run = create_run(
        kept_small_set(),
        model_settings={**SMALL, "positional_encoding": "none"},
        training=short_training(n_epochs=1, with_supervised=False),
    )
    execute(run)
    assert not (run.folder / WAVELET_PATH).exists()
    assert load_model(run.model_folder).wavelet_path is None


def test_the_same_seed_gives_the_same_model_and_another_seed_another() -> None:
    runs = [new_run(), new_run(), new_run(seed=1)]
    for run in runs:
        execute(run)
    first, again, other = (weights(run) for run in runs)
    assert same(first, again)
    assert not same(first, other)


def test_a_stop_ends_within_a_batch_leaves_the_best_model_and_resumes_to_the_same_weights() -> None:
    changes = {"schedule": "one-cycle", "circular_shift": True}  # both depend on the step, and are drawn
    whole, run = new_run(**changes), new_run(**changes)
    execute(whole)
    asked: list[int] = []

    def stop_in_the_third_epoch() -> bool:
        asked.append(1)
        return len(asked) == 2 * 4 + 3

    execute(run, should_stop=stop_in_the_third_epoch)
    assert len(asked) == 11  # not asked once more: no batch was begun
    status = run.status()
    assert (status.state, status.epoch, status.can_resume) == ("stopped", 2, True)
    model = load_model(run.model_folder)
    assert model.facts["state"] == "stopped at epoch 2 of 3"
    assert "not scored" in model.facts["protocol"]
    assert "test_accuracy" not in model.facts["scores"]
    assert model.supervised is None

    execute(run)
    assert run.status().state == "finished"
    assert same(weights(whole), weights(run))


def test_a_request_to_stop_through_the_folder() -> None:
    run = new_run(n_epochs=1000)

    def ask(line: str) -> None:
        if "/1000" in line:
            RunFolder(run.folder).request_stop()
            assert run.status().state == "stopping"

    execute(run, ask)
    assert run.status().state == "stopped"
    assert len(run.metrics()) == 1
    assert not run.stop_requested()
    run.request_stop()  # nobody is at work: nothing to ask
    assert not run.stop_requested()


def test_a_stop_before_the_first_epoch_leaves_no_model() -> None:
    run = new_run()
    execute(run, should_stop=lambda: True)
    assert run.status().state == "stopped"
    assert not run.has_model


def test_a_request_left_over_from_a_dead_process_stops_nothing() -> None:
    run = new_run(n_epochs=1, with_supervised=False)
    (run.folder / "stop").touch()
    execute(run)
    assert run.status().state == "finished"


def test_a_failed_run_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    run = new_run()
    other = small_set(32, 10)
    monkeypatch.setattr(module.run_data.__globals__["catalogue"], "load", lambda reference: other)
    with pytest.raises(TimeMILError, match="no longer those"):
        execute(run)
    status = run.status()
    assert status.state == "failed"
    assert "no longer those" in status.message
    assert "Traceback" not in (run.folder / "log.txt").read_text("utf-8")


def test_a_fault_of_ours_is_in_the_log_with_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    run = new_run()
    monkeypatch.setattr(module, "run_data", lambda run: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        execute(run)
    assert run.status().state == "failed"
    assert "ZeroDivisionError" in run.status().message
    assert "Traceback" in (run.folder / "log.txt").read_text("utf-8")


def test_a_second_process_is_refused() -> None:
    run = new_run(n_epochs=1, with_supervised=False)
    refused: list[str] = []

    def try_too(line: str) -> None:
        if "epoch 1/1" in line:
            with pytest.raises(RunError, match="another process"):
                execute(open_run(run.reference))
            refused.append(line)

    execute(run, try_too)
    assert len(refused) == 1
    assert run.status().state == "finished"


def test_no_test_part_and_no_validation() -> None:
    run = new_run(n_test=0, validation_share=0.0, with_supervised=False)
    execute(run)
    facts = load_model(run.model_folder).facts
    assert facts["scores"] == {"validation_accuracy": None}
    assert facts["best_epoch"] == 3
    assert facts["selection"] == "last"
    assert "no test part" in facts["protocol"]
    assert run.metrics()[0]["validation_accuracy"] is None
    assert any("last epoch is kept" in note for note in run.notes)


def test_the_epoch_chosen_on_the_test_set_says_so_everywhere() -> None:
    run = new_run(selection="test", with_supervised=False)
    execute(run)
    facts = load_model(run.model_folder).facts
    assert facts["selection"] == "test"
    assert "too good" in facts["protocol"]
    assert facts["n_validation"] == 0
    assert facts["scores"]["validation_accuracy"] is None
    assert {line["judged_on"] for line in run.metrics()} == {"test"}
    assert facts["scores"]["test_accuracy"] == max(
        line["validation_accuracy"] for line in run.metrics() if not line["warm_up"]
    )


def test_series_of_unequal_lengths() -> None:
    whole = small_set()
    cut = tuple(values[:, : 25 + index // 2] for index, values in enumerate(whole.series))
    run = create_run(
        keep(dataclasses.replace(whole, series=cut)),
        model_settings=SMALL,
        training=short_training(n_epochs=1, with_supervised=False),
    )
    execute(run)
    assert run.status().state == "finished"


def test_checkpointing_is_told_in_status_log_and_card_and_gives_the_same_weights() -> None:
    plain, saving = (
        new_run(with_supervised=False, n_epochs=2),
        new_run(with_supervised=False, n_epochs=2, checkpointing="always"),
    )
    told: list[str] = []

    def look(line: str) -> None:
        content = {**read_json(saving.folder / "status.json"), "launched": None, "stop_requested": False}
        told.append(derive_status(content, [], True, content["heartbeat"]).message)

    execute(plain)
    execute(saving, look)
    assert any("Training TimeMIL" in message and "checkpointing" in message for message in told)
    assert "TimeMIL: Gradient checkpointing" in (saving.folder / "log.txt").read_text("utf-8")
    assert "checkpointing" not in (plain.folder / "log.txt").read_text("utf-8")
    assert any("checkpointing" in note for note in load_model(saving.model_folder).facts["notes"])
    kept = [load_file(run.model_folder / "weights.safetensors") for run in (plain, saving)]
    for name, tensor in kept[0].items():
        torch.testing.assert_close(kept[1][name], tensor, rtol=1e-5, atol=1e-6, msg=name)


def test_what_reading_an_uploaded_set_warned_of_is_in_its_runs_log_once() -> None:
    doubtful = dataclasses.replace(small_set(), provenance=("Read from a table.", "Warning: column 'q' was left out."))
    run = create_run(keep(doubtful), model_settings=SMALL, training=short_training(n_epochs=1, with_supervised=False))
    execute(run)
    assert run.log_text().count("Warning: column 'q' was left out.") == 1
    assert "Read from a table." not in run.log_text()
