import os
import signal
from typing import Any

import psutil
import pytest
import torch

from tests.training.builders import SMALL, kept_small_set, short_training
from tests.training.test_run import same, weights
from timemil_core.errors import RunError, SettingsError
from timemil_core.models.storage import load_model
from timemil_core.training.device import device_name, pick_devices
from timemil_core.training.run import execute
from timemil_core.training.run_folder import RunFolder, create_run


def new_run(**changes: Any) -> RunFolder:
    training = short_training(**{"devices": 2, **changes})
    return create_run(kept_small_set(), model_settings={**SMALL, "dropout": 0.0}, training=training)


def replica_processes() -> list[psutil.Process]:
    children = psutil.Process().children()
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


@pytest.mark.slow
def test_a_run_shared_by_two_processes_stops_dies_and_goes_on_to_the_same_weights() -> None:
    whole, broken, alone = new_run(), new_run(), new_run(devices=1)
    lines: list[str] = []
    execute(whole, lines.append)
    execute(alone)
    assert whole.status().state == "finished"
    assert load_model(whole.model_folder).facts["trained_on"].startswith("2 × CPU")
    # The one that writes wrote, and no other: every line is there once.
    log = (whole.folder / "log.txt").read_text("utf-8").splitlines()
    assert [line.split("  ", 1)[1] for line in log] == lines
    assert sum("/3  loss" in line for line in lines) == 6
    for network in ("timemil", "supervised"):
        both, one = whole.metrics(network), alone.metrics(network)
        assert [line["epoch"] for line in both] == [1, 2, 3]
        assert [line["train_loss"] for line in both] == pytest.approx([line["train_loss"] for line in one], abs=0.01)

    asked: list[str] = []
    execute(broken, asked.append, should_stop=lambda: any("epoch 1/3" in line for line in asked))
    status = broken.status()
    assert (status.state, status.can_resume) == ("stopped", True)
    assert 1 <= status.epoch <= 3

    def kill(line: str) -> None:
        if "counterpart: epoch 1/3" in line:
            os.kill(replica_processes()[-1].pid, signal.SIGKILL)

    with pytest.raises(RunError, match="was ended by SIGKILL; the others were ended too"):
        execute(broken, kill)
    assert replica_processes() == []
    status = broken.status()
    assert (status.state, status.can_resume) == ("failed", True)
    assert "SIGKILL" in status.message

    execute(broken)
    assert broken.status().state == "finished"
    assert same(weights(whole), weights(broken))


def test_what_a_replica_says_is_wrong_is_said_by_the_run() -> None:
    run = new_run(learning_rate=1e30)
    with pytest.raises(RunError, match="diverged") as caught:
        execute(run)
    assert caught.value.remedy.startswith("Lower the learning rate")
    assert run.status().state == "failed"
    assert replica_processes() == []


def test_which_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu = torch.device("cpu")
    assert pick_devices("cpu", 3) == [cpu] * 3
    assert device_name(cpu, 3) == "3 × CPU (1 thread)"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert pick_devices("auto", 2) == [torch.device("cuda", 0), torch.device("cuda", 1)]
    with pytest.raises(SettingsError, match="has 2 GPUs, not 3"):
        pick_devices("cuda", 3)
    with pytest.raises(SettingsError, match="'cuda:1' cannot share"):
        pick_devices("cuda:1", 2)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(SettingsError, match="'auto' cannot share"):
        pick_devices("auto", 2)


def test_more_devices_than_series_in_a_batch_are_refused() -> None:
    with pytest.raises(SettingsError, match="8 devices cannot share batches of 6"):
        short_training(devices=8)
