from pathlib import Path

import pytest
import torch

from tests.training.builders import CPU, examples_of, short_training, small_model
from timemil_core.errors import RunError
from timemil_core.models.fingerprint import weights_fingerprint
from timemil_core.training.checkpoint import restore_checkpoint, save_checkpoint
from timemil_core.training.trainer import Trainer

FIT, JUDGED = examples_of([12, 15, 15, 9, 20, 12, 18, 11]), examples_of([10, 12], seed=1)


def fresh() -> Trainer:
    return Trainer(small_model(), short_training(batch_size=2, lookahead_steps=3), CPU)


def test_a_restored_trainer_goes_on_to_the_bit(tmp_path: Path) -> None:
    whole = fresh()
    for _ in range(3):
        whole.run_epoch(FIT, JUDGED)
    trainer = fresh()
    for _ in range(3):  # a new process after each epoch
        trainer.run_epoch(FIT, JUDGED)
        save_checkpoint(trainer, tmp_path)
        trainer = fresh()
        assert restore_checkpoint(trainer, tmp_path)
    assert trainer.n_finished == 3
    assert weights_fingerprint(trainer.network) == weights_fingerprint(whole.network)
    assert trainer.kept.record.epoch == whole.kept.record.epoch
    assert all(torch.equal(trainer.kept.weights[name], value) for name, value in whole.kept.weights.items())


def test_only_the_files_that_count_are_kept(tmp_path: Path) -> None:
    trainer = fresh()
    for _ in range(3):
        trainer.run_epoch(FIT, JUDGED)
        save_checkpoint(trainer, tmp_path)
    best = trainer.kept.record.epoch
    expected = {"state.json", "epoch-00003.safetensors", f"best-{best:05}.safetensors"}
    assert {path.name for path in tmp_path.iterdir()} == expected


def test_a_process_killed_while_writing_leaves_the_epoch_before(tmp_path: Path) -> None:
    trainer = fresh()
    trainer.run_epoch(FIT, JUDGED)
    save_checkpoint(trainer, tmp_path)
    (tmp_path / "epoch-00002.safetensors").write_bytes(b"half")
    (tmp_path / "best-00002.safetensors").write_bytes(b"half")
    resumed = fresh()
    assert restore_checkpoint(resumed, tmp_path)
    assert resumed.n_finished == 1
    resumed.run_epoch(FIT, None)  # without judged series the later epoch is kept
    save_checkpoint(resumed, tmp_path)
    again = fresh()
    assert restore_checkpoint(again, tmp_path)
    assert again.kept.record.epoch == 2
    assert weights_fingerprint(again.network) == weights_fingerprint(resumed.network)


def test_nothing_to_restore(tmp_path: Path) -> None:
    assert not restore_checkpoint(fresh(), tmp_path)


def test_damage_and_other_settings_are_told(tmp_path: Path) -> None:
    trainer = fresh()
    trainer.run_epoch(FIT, JUDGED)
    save_checkpoint(trainer, tmp_path)
    wider = Trainer(small_model(embedding_width=20), short_training(), CPU)
    with pytest.raises(RunError, match="checkpoint"):
        restore_checkpoint(wider, tmp_path)
    (tmp_path / "epoch-00001.safetensors").write_bytes(b"damaged")
    with pytest.raises(RunError, match="checkpoint"):
        restore_checkpoint(fresh(), tmp_path)
