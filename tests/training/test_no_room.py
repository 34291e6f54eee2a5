"""A training whose disk is full or can only be read: a sentence, a state, and a run that goes on once there is room."""

from __future__ import annotations

import errno
import subprocess
from pathlib import Path

import pytest
from safetensors import SafetensorError

from tests.disk import fill, small_disk
from tests.training.builders import SMALL, kept_small_set, short_training
from timemil_core.errors import StorageError
from timemil_core.training import checkpoint
from timemil_core.training.run import execute
from timemil_core.training.run_folder import RunFolder, create_run

__all__ = ["small_disk"]

FULL = "Error while serializing: I/O error: No space left on device (os error 28)"


def new_run(folder: Path | None = None) -> RunFolder:
    training = short_training(with_supervised=False)
    return create_run(kept_small_set(), model_settings=SMALL, training=training, folder=folder)


def weights(run: RunFolder) -> bytes:
    return (run.model_folder / "weights.safetensors").read_bytes()


@pytest.mark.parametrize("error", [SafetensorError(FULL), OSError(errno.ENOSPC, "full"), OSError(errno.EROFS, "read")])
def test_a_checkpoint_that_cannot_be_stored(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    whole, run = new_run(), new_run()
    execute(whole)
    written: list[Path] = []
    save = checkpoint.save_file

    def save_or_fail(tensors: object, path: Path) -> None:
        written.append(path)
        if len(written) > 3:
            raise error
        save(tensors, path)

    with monkeypatch.context() as patched:
        patched.setattr(checkpoint, "save_file", save_or_fail)
        with pytest.raises(StorageError, match=r"no room left|can only be read"):
            execute(run)
    status = run.status()
    assert (status.state, status.can_resume) == ("stopped: no room", True)
    assert "No finished epoch is lost" in status.message
    assert "Traceback" not in (run.folder / "log.txt").read_text("utf-8")
    execute(run)
    assert run.status().state == "finished"
    assert weights(run) == weights(whole)


def test_a_disk_that_is_full(small_disk: Path) -> None:
    whole, run = new_run(), new_run(small_disk / "run")
    execute(whole)

    def fill_it(line: str) -> None:
        if "epoch 1/3" in line:
            fill(small_disk)

    with pytest.raises(StorageError, match="no room left on the disk"):
        execute(run, fill_it)
    assert run.status().state == "stopped: no room"
    (small_disk / "ballast").unlink()
    execute(run)
    assert run.status().state == "finished"
    assert weights(run) == weights(whole)


def test_a_disk_that_can_only_be_read(small_disk: Path) -> None:
    run = new_run(small_disk / "run")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(StorageError, match="can only be read"):
        execute(run)
    with pytest.raises(StorageError, match="can only be read"):
        new_run(small_disk / "other")
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    execute(run)
    assert run.status().state == "finished"
