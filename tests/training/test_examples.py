import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.training.builders import examples_of
from timemil_core.training import examples as module
from timemil_core.training.examples import shuffled_batches


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_a_batch_is_padded_behind_and_masked() -> None:
    examples = examples_of([3, 5], n_channels=2)
    batch = examples.batch([1, 0])
    assert batch.values.shape == (2, 2, 5)
    assert batch.mask is not None
    assert batch.mask.tolist() == [[True] * 5, [True, True, True, False, False]]
    assert torch.equal(batch.values[1, :, 3:], torch.zeros(2, 2))
    assert torch.equal(batch.values[0], examples.series[1].T)
    assert batch.targets.tolist() == [[0, 1], [1, 0]]


def test_equal_lengths_have_no_mask() -> None:
    assert examples_of([4, 4, 4]).batch([0, 2]).mask is None


@settings(deadline=None)
@given(
    lengths=st.lists(st.integers(1, 30), min_size=1, max_size=60),
    size=st.integers(1, 8),
    seed=st.integers(0, 2**32 - 1),
)
def test_batches_hold_every_series_once(lengths: list[int], size: int, seed: int) -> None:
    batches = shuffled_batches(lengths, size, generator(seed))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert all(len(batch) <= size + 1 for batch in batches)
    assert len(batches) == 1 or size == 1 or all(len(batch) > 1 for batch in batches)


def test_a_lone_last_series_joins_the_batch_before() -> None:
    assert [len(batch) for batch in shuffled_batches([9] * 17, 8, generator())] == [8, 9]


def test_like_lengths_come_together() -> None:
    lengths = [10] * 32 + [1000] * 32
    batches = shuffled_batches(lengths, 8, generator())
    assert all(len({lengths[index] for index in batch}) == 1 for batch in batches)
    order = [lengths[batch[0]] for batch in batches]
    assert order not in (sorted(order), sorted(order, reverse=True))  # short batches among long ones


def test_the_seed_decides_the_order() -> None:
    assert shuffled_batches([5] * 20, 4, generator(1)) == shuffled_batches([5] * 20, 4, generator(1))
    assert shuffled_batches([5] * 20, 4, generator(1)) != shuffled_batches([5] * 20, 4, generator(2))


def test_a_batch_of_long_series_comes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEPOINTS_AT_ONCE", 100)
    examples = examples_of([30, 40, 50, 60, 500])
    assert list(examples.parts([0, 1, 2, 3, 4])) == [[0, 1], [2], [3], [4]]
    assert list(examples.parts([4, 0])) == [[4], [0]]


def test_a_set_lives_on_the_gpu_where_it_takes_less_than_half_of_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (1000, 5000))
    assert module._fits(torch.device("cuda"), 499)
    assert not module._fits(torch.device("cuda"), 500)
    assert module._fits(torch.device("cpu"), 10**15)


def test_a_batch_reaches_a_gpu_through_pinned_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, object, bool]] = []

    def pin(tensor: torch.Tensor) -> torch.Tensor:
        told.append(("pinned", tuple(tensor.shape), False))
        return tensor

    def send(tensor: torch.Tensor, device: torch.device, non_blocking: bool = False) -> torch.Tensor:
        told.append(("sent", device, non_blocking))
        return tensor

    monkeypatch.setattr(torch.Tensor, "pin_memory", pin)
    monkeypatch.setattr(torch.Tensor, "to", send)
    cuda = torch.device("cuda")
    waiting = module.Examples((torch.zeros(5, 2),), torch.zeros(1, 2), cuda)
    waiting._sent(torch.zeros(1, 5, 2))
    assert told == [("pinned", (1, 5, 2), False), ("sent", cuda, True)]
