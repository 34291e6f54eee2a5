from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch import distributed
from torch.multiprocessing.spawn import spawn

from tests.training import replica_work
from tests.training.builders import examples_of
from timemil_core.models.masking import MaskedBatchNorm
from timemil_core.training import examples as examples_module
from timemil_core.training.batch_statistics import SharedBatchNorm, share_batch_statistics
from timemil_core.training.examples import shuffled_batches
from timemil_core.training.replicas import ALONE, Replicas


@pytest.fixture
def group_of_one(tmp_path: Path) -> Iterator[None]:
    distributed.init_process_group("gloo", f"file://{tmp_path / 'store'}", rank=0, world_size=1)
    yield
    distributed.destroy_process_group()


def test_two_replicas_give_the_weights_of_one_process(tmp_path: Path) -> None:
    spawn(replica_work.replica, args=(2, tmp_path), nprocs=2)
    replica_work.alone(tmp_path)
    for name in replica_work.CASES:
        first, second, alone = (load_file(tmp_path / f"{name}-{key}.safetensors") for key in ("2-0", "2-1", "1-0"))
        assert first.keys() == second.keys() == alone.keys()
        for key, value in alone.items():
            assert torch.equal(first[key], second[key]), (name, key)
            # The loop adds up losses in float32. A bias before batch normalisation has no gradient but rounding, of
            # which AdamW makes some 1e-9; the running mean follows it.
            rounding = 1e-6 if key == "told" else 1e-8
            assert torch.allclose(first[key].double(), value.double(), rtol=0, atol=rounding), (name, key)


@pytest.mark.parametrize("is_masked", [False, True])
def test_shared_statistics_are_those_of_the_batch(group_of_one: None, is_masked: bool) -> None:
    torch.manual_seed(0)
    features = torch.randn(4, 3, 7, dtype=torch.float64)
    mask = torch.arange(7) < torch.tensor([7, 5, 1, 6])[:, None] if is_masked else None
    plain = MaskedBatchNorm(3).double()
    torch.nn.init.normal_(plain.weight)
    torch.nn.init.normal_(plain.bias)
    network = torch.nn.Sequential(torch.nn.Sequential(plain))
    outputs, gradients = [], []
    for turn in range(2):
        if turn:
            plain.running_mean.zero_()  # type: ignore[union-attr]
            plain.running_var.fill_(1)  # type: ignore[union-attr]
            plain.num_batches_tracked.zero_()  # type: ignore[union-attr]
            share_batch_statistics(network)
        layer = network[0][0]  # type: ignore[index]
        given = features.clone().requires_grad_()
        output = layer(given, mask)
        (output * torch.arange(output.numel()).view_as(output)).sum().backward()
        assert given.grad is not None
        learned = (layer.running_mean, layer.running_var, layer.num_batches_tracked)
        outputs.append((output, *(one.clone() for one in learned)))
        gradients.append((given.grad, layer.weight.grad, layer.bias.grad))
    assert isinstance(network[0][0], SharedBatchNorm)  # type: ignore[index]
    for one, other in zip((*outputs[0], *gradients[0]), (*outputs[1], *gradients[1]), strict=True):
        assert torch.allclose(one.double(), other.double(), atol=1e-9)
    layer = network[0][0].eval()  # type: ignore[index]
    assert torch.equal(layer(features, mask), torch.nn.BatchNorm1d.forward(layer, features))


def test_replicas_share_a_batch_evenly_and_without_rest() -> None:
    batch = examples_of([5, 6, 7, 8, 9]).batch([0, 1, 2, 3, 4])
    assert batch.mask is not None
    shares = [batch.rows(Replicas(rank, 2).share) for rank in range(2)]
    assert [share.mask.sum(dim=1).tolist() for share in shares if share.mask is not None] == [[5, 7, 9], [6, 8]]
    assert torch.equal(batch.rows(ALONE.share).values, batch.values)


def test_no_batch_and_no_part_is_too_small_to_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples_module, "TIMEPOINTS_AT_ONCE", 100)
    examples = examples_of([30, 40, 50, 60, 500])
    assert examples.parts([0, 1, 2, 3, 4], 2) == [[0, 1, 2], [3, 4]]  # at most 200, or two series
    assert examples.parts([0, 1, 2, 3], 2) == [[0, 1, 2, 3]]  # 3 × 50, and a fourth that would be alone
    assert examples.parts([4], 2) == [[4]]
    generator = torch.Generator().manual_seed(0)
    assert [len(batch) for batch in shuffled_batches([9] * 19, 8, generator, 4)] == [8, 11]
    assert [len(batch) for batch in shuffled_batches([9] * 20, 8, generator, 4)] == [8, 8, 4]


def test_one_replica_changes_nothing() -> None:
    value = torch.ones(2)
    assert ALONE.sum(value) is value
    assert ALONE.any(True) and not ALONE.any(False)
    assert ALONE.least(3.5) == 3.5
    assert ALONE.writes and not Replicas(1, 2).writes
