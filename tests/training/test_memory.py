"""What a pass keeps is measured, what is free is asked for, and the two decide on checkpointing."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.training.builders import CPU, examples_of, short_training, small_model
from timemil_core.models.config import ModelConfig
from timemil_core.models.timemil import TimeMIL
from timemil_core.training import free_memory, memory
from timemil_core.training.loop import train_epoch
from timemil_core.training.memory import GIB, choose, kept_bytes_a_timepoint, largest_pass, memory_plan
from timemil_core.training.optimiser import build_optimiser
from timemil_core.training.trainer import Trainer


def test_what_fits_is_left_alone() -> None:
    plan = choose(1000.0, largest=100_000, available=GIB)
    assert (plan.checkpoint_above, plan.sentence) == (math.inf, "")


def test_what_does_not_fit_is_checkpointed_and_told() -> None:
    # 20,000 bytes × 100,000 points = 2·10⁹ of 2 GiB: half of what is free holds 53,687 points
    plan = choose(20_000.0, largest=100_000, available=2 * GIB)
    assert plan.checkpoint_above == 53_687
    assert "100,000 time points would take about 1.9 GiB of the 2.0 GiB" in plan.sentence
    assert "checkpointing" in plan.sentence
    assert "not fit" not in plan.sentence


def test_what_fits_in_no_way_is_told_with_a_remedy() -> None:
    assert "shorten or resample" in choose(20_000.0, largest=1_000_000, available=2 * GIB).sentence


@pytest.mark.parametrize(
    ("lengths", "batch_size", "largest"),
    [
        ([30, 50, 40], 2, 2 * 50),
        ([30, 50, 40], 16, 3 * 50),
        ([15_000, 30_000, 15_000], 16, 30_000),
        ([15_000, 9_000, 9_000], 16, 2 * 9_000),
        ([9_000, 9_000], 1, 9_000),
    ],
)
def test_the_largest_pass_counts_padding_and_parts(lengths: list[int], batch_size: int, largest: int) -> None:
    assert largest_pass(examples_of(lengths), batch_size) == largest


def test_kept_bytes_are_proportional_to_the_width_and_leave_no_trace() -> None:
    kept = []
    for width in (16, 32):
        network = TimeMIL(small_model(embedding_width=width, n_heads=width // 8))
        before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
        random_state = torch.get_rng_state()
        kept.append(kept_bytes_a_timepoint(network, CPU))
        assert torch.equal(torch.get_rng_state(), random_state)
        assert all(torch.equal(tensor, before[name]) for name, tensor in network.state_dict().items())
    assert 1.3 * kept[0] < kept[1] < 2.2 * kept[0]


def test_kept_bytes_predict_a_longer_pass() -> None:
    network = TimeMIL(small_model())
    measured = [memory._kept_bytes(network.train(), n, CPU, checkpointed=False) for n in (6_000, 12_000)]
    assert kept_bytes_a_timepoint(network, CPU) == pytest.approx((measured[1] - measured[0]) / 6_000, rel=0.02)


@pytest.mark.parametrize("exact_up_to", [640, 2_500, 100_000])
def test_checkpointing_keeps_a_fraction_whichever_attention(exact_up_to: int) -> None:
    network = TimeMIL(small_model(exact_up_to=exact_up_to))
    plain, checkpointed = (kept_bytes_a_timepoint(network, CPU, checkpointed=wanted) for wanted in (False, True))
    assert 0 < checkpointed < plain / 4


def plan_of(config: ModelConfig, available: int, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Any:
    monkeypatch.setattr(memory, "available_bytes", lambda device: available)
    return memory_plan(TimeMIL(config), examples_of([6_000] * 4), short_training(**changes))


def test_memory_decides_and_the_user_can_overrule_it(monkeypatch: pytest.MonkeyPatch) -> None:
    config = small_model()
    assert plan_of(config, 100 * GIB, monkeypatch).checkpoint_above == math.inf
    assert plan_of(config, GIB // 100, monkeypatch).checkpoint_above < 6_000
    assert plan_of(config, GIB // 100, monkeypatch, checkpointing="never").checkpoint_above == math.inf
    always = plan_of(config, 100 * GIB, monkeypatch, checkpointing="always")
    assert always.checkpoint_above == 0
    assert "asked for" in always.sentence


def test_short_series_are_not_probed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "kept_bytes_a_timepoint", lambda *_: pytest.fail("probed"))
    assert memory_plan(TimeMIL(small_model()), examples_of([50] * 8), short_training()).sentence == ""


def test_an_epoch_with_checkpointing_gives_the_same_weights() -> None:
    networks = []
    for above in (math.inf, 0):
        training = short_training()
        torch.manual_seed(0)
        network = TimeMIL(small_model(dropout=0.3))
        train_epoch(
            network,
            build_optimiser(network.parameters(), training),
            examples_of([60, 60, 60, 45, 30, 60]),
            training,
            1,
            warm_up=None,
            on_batch=lambda done, of: None,
            should_stop=lambda: False,
            checkpoint_above=above,
        )
        networks.append(network.state_dict())
    for name, tensor in networks[0].items():
        torch.testing.assert_close(networks[1][name], tensor, rtol=1e-5, atol=1e-6, msg=name)


def test_a_trainer_plans_once() -> None:
    trainer = Trainer(small_model(), short_training(checkpointing="always"), CPU)
    assert trainer.memory is None
    trainer.run_epoch(examples_of([30] * 6), None)
    assert trainer.memory is not None
    assert trainer.plan_memory(examples_of([50] * 6)) is trainer.memory


def group(folder: Path, limit: str, current: int, inactive: int = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.max").write_text(f"{limit}\n")
    (folder / "memory.current").write_text(f"{current}\n")
    (folder / "memory.stat").write_text(f"anon 5\ninactive_file {inactive}\n")


def test_a_container_or_batch_job_bounds_what_is_free(tmp_path: Path) -> None:
    own = tmp_path / "cgroup"
    own.write_text("12:cpu:/other\n0::/slurm/job 7/step\n")
    root = tmp_path / "groups"
    group(root / "slurm" / "job 7", "1000", 700, inactive=100)
    group(root / "slurm" / "job 7" / "step", "max", 700)
    group(root / "slurm", "500", 600)
    assert list(free_memory._left_in_groups(root, own)) == [400, 0]


@pytest.mark.parametrize("content", ["", "3:memory:/docker\n", "0::/\n", "0::/absent/place\n"])
def test_without_such_bounds_the_machine_counts(content: str, tmp_path: Path) -> None:
    own = tmp_path / "cgroup"
    own.write_text(content)
    (tmp_path / "groups").mkdir()
    assert list(free_memory._left_in_groups(tmp_path / "groups", own)) == []
    assert list(free_memory._left_in_groups(tmp_path / "groups", tmp_path / "absent")) == []


def test_what_is_free_here_is_a_sensible_number() -> None:
    assert 2**20 < free_memory.available_bytes(CPU) < 2**50
