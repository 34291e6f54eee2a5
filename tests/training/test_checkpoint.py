from pathlib import Path

import pytest
import torch

from tests.training.builders import CPU, examples_of, short_training, small_model
from timemil_core.atomic import read_json, write_json
from timemil_core.errors import RunError
from timemil_core.models.fingerprint import weights_fingerprint
from timemil_core.training.checkpoint import begin_checkpoint, restore_checkpoint, save_checkpoint
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
    expected = {"state.json", "epoch-00003.safetensors", "epoch-00002.safetensors"}
    found = {path.name for path in tmp_path.iterdir()}
    assert {name for name in found if not name.startswith("best")} == expected
    assert f"best-{best:05}.safetensors" in found


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
    with pytest.raises(RunError, match="checksum"):
        restore_checkpoint(fresh(), tmp_path)


def after(n_epochs: int, folder: Path) -> Trainer:
    trainer = fresh()
    for _ in range(n_epochs):
        trainer.run_epoch(FIT, JUDGED)
        save_checkpoint(trainer, folder)
    return trainer


def flip(path: Path, place: float = 0.9) -> None:
    content = bytearray(path.read_bytes())
    content[int(place * len(content))] ^= 0x40
    path.write_bytes(content)


def test_flipped_bytes_are_told_and_the_epoch_before_is_taken(tmp_path: Path) -> None:
    whole = after(3, tmp_path)
    flip(tmp_path / "epoch-00003.safetensors")
    told: list[str] = []
    trainer = fresh()
    assert restore_checkpoint(trainer, tmp_path, told.append)
    assert trainer.n_finished == 2
    assert told == [
        "epoch-00003.safetensors is missing or is no longer what was written: its checksum differs. "
        "The training goes on from epoch 2, the one before."
    ]
    trainer.run_epoch(FIT, JUDGED)
    save_checkpoint(trainer, tmp_path)
    again = fresh()
    assert restore_checkpoint(again, tmp_path)
    assert weights_fingerprint(again.network) == weights_fingerprint(whole.network)


def test_where_both_epochs_are_damaged_that_is_told_and_nothing_is_removed(tmp_path: Path) -> None:
    after(3, tmp_path)
    for path in tmp_path.glob("*.safetensors"):
        flip(path)
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(RunError, match=r"epoch-00003.*checksum differs.*Nothing was removed"):
        restore_checkpoint(fresh(), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format": "2"}', b'{"format": 2}', b"[" * 100_000])
def test_a_damaged_state_is_told(tmp_path: Path, damage: bytes) -> None:
    after(1, tmp_path)
    (tmp_path / "state.json").write_bytes(damage)
    with pytest.raises(RunError, match=r"state\.json cannot be read"):
        restore_checkpoint(fresh(), tmp_path)


def test_a_changed_number_in_the_state_is_told(tmp_path: Path) -> None:
    after(1, tmp_path)
    path = tmp_path / "state.json"
    path.write_text(path.read_text("utf-8").replace('"epoch": 1', '"epoch": 2', 1), "utf-8")
    with pytest.raises(RunError, match=r"state\.json is missing or is no longer what was written"):
        restore_checkpoint(fresh(), tmp_path)


def test_weights_without_their_state_are_refused_and_kept(tmp_path: Path) -> None:
    after(1, tmp_path)
    (tmp_path / "state.json").unlink()
    with pytest.raises(RunError, match=r"state\.json is missing.*Nothing was removed"):
        restore_checkpoint(fresh(), tmp_path)
    assert (tmp_path / "epoch-00001.safetensors").is_file()


def test_a_process_killed_before_its_first_checkpoint_counted_begins_anew(tmp_path: Path) -> None:
    begin_checkpoint(tmp_path)
    (tmp_path / "epoch-00001.safetensors").write_bytes(b"whole, but not yet named")
    assert not restore_checkpoint(fresh(), tmp_path)


def test_a_checkpoint_of_before_checksums_is_read(tmp_path: Path) -> None:
    trainer = after(1, tmp_path)
    path = tmp_path / "state.json"
    [entry] = read_json(path)["kept"]
    del entry["checksums"]
    write_json(path, {"format": 1, **entry})
    old = fresh()
    assert restore_checkpoint(old, tmp_path)
    assert weights_fingerprint(old.network) == weights_fingerprint(trainer.network)
    old.run_epoch(FIT, JUDGED)
    save_checkpoint(old, tmp_path)
    assert [entry["epoch"] for entry in read_json(path)["kept"]] == [2]
