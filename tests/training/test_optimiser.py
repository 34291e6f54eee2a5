import pytest
import torch
from safetensors.torch import load, save
from torch.nn import Parameter

from timemil_core.training.config import TrainingConfig
from timemil_core.training.optimiser import (
    build_optimiser,
    learning_rate,
    rate_at,
    restore,
    set_learning_rate,
    state_tensors,
)


def test_lookahead_by_hand() -> None:
    # Under a constant gradient AdamW goes by exactly its learning rate. Slow weights start at the initial weight 1:
    # fast 0.9, 0.8 -> slow 1 + (0.8 - 1) / 2 = 0.9; fast 0.8, 0.7 -> slow 0.9 + (0.7 - 0.9) / 2 = 0.8.
    # (Started at the first synchronisation, as in the authors' code, that one would leave 0.8.)
    weight = Parameter(torch.tensor([1.0]))
    optimiser = build_optimiser(
        [weight], TrainingConfig(learning_rate=0.1, weight_decay=0.0, lookahead_steps=2, lookahead_rate=0.5)
    )
    seen = []
    for _ in range(4):
        weight.grad = torch.tensor([1.0])
        optimiser.step()
        seen.append(weight.item())
    assert seen == pytest.approx([0.9, 0.9, 0.8, 0.8], abs=1e-6)


def test_without_lookahead_it_is_adamw_alone() -> None:
    weights = [Parameter(torch.tensor([2.0, -1.0])) for _ in range(2)]
    training = TrainingConfig(learning_rate=0.1, weight_decay=0.01, lookahead_steps=0)
    ours, theirs = build_optimiser([weights[0]], training), torch.optim.AdamW([weights[1]], lr=0.1, weight_decay=0.01)
    for step in range(20):
        for weight in weights:
            weight.grad = torch.tensor([1.0, (-1.0) ** step])
        ours.step()
        theirs.step()
    assert torch.allclose(*weights, atol=1e-6)
    restore(build_optimiser([weights[0]], training), *state_tensors(ours))


def test_weight_decay_is_decoupled() -> None:
    # w - lr * wd * w - lr * sign(g) = 2 - 0.1 * 0.5 * 2 - 0.1 = 1.8
    weight = Parameter(torch.tensor([2.0]))
    optimiser = build_optimiser([weight], TrainingConfig(learning_rate=0.1, weight_decay=0.5))
    weight.grad = torch.tensor([3.0])
    optimiser.step()
    assert weight.item() == pytest.approx(1.8, abs=1e-6)
    assert learning_rate(optimiser) == 0.1


@pytest.mark.parametrize("n_before", [0, 1, 5, 6, 8])
def test_a_restored_optimiser_goes_on_to_the_bit(n_before: int) -> None:
    def steps(optimiser: object, weights: list[Parameter], first: int, last: int) -> None:
        for step in range(first, last):
            draw = torch.Generator().manual_seed(step)
            for weight in weights:
                weight.grad = torch.randn(weight.shape, generator=draw)
            optimiser.step()  # type: ignore[attr-defined]

    def fresh() -> list[Parameter]:
        draw = torch.Generator().manual_seed(99)
        return [Parameter(torch.randn(shape, generator=draw)) for shape in ((3, 2), (4,), ())]

    training = TrainingConfig(learning_rate=0.1, lookahead_steps=6)
    whole = fresh()
    steps(build_optimiser(whole, training), whole, 0, 20)

    broken = fresh()
    first = build_optimiser(broken, training)
    steps(first, broken, 0, n_before)
    tensors, counters = state_tensors(first)
    kept = load(save({name: tensor.clone() for name, tensor in tensors.items()}))
    resumed = fresh()
    for weight, was in zip(resumed, broken, strict=True):
        weight.data.copy_(was.data)
    second = build_optimiser(resumed, training)
    restore(second, kept, counters)
    steps(second, resumed, n_before, 20)
    assert all(torch.equal(one, other) for one, other in zip(whole, resumed, strict=True))


def test_a_constant_schedule_stays_and_one_cycle_rises_and_falls() -> None:
    assert {rate_at(TrainingConfig(learning_rate=0.3), done) for done in (0.0, 0.5, 0.99)} == {0.3}
    one_cycle = TrainingConfig(learning_rate=0.3, schedule="one-cycle")
    rates = [rate_at(one_cycle, done) for done in (0.0, 0.1, 0.2, 0.6, 0.999999)]
    # 4 % at first, half-way up at 0.1; half-way down a half cosine from 0.2 to 1 at 0.6
    assert rates == pytest.approx([0.012, 0.156, 0.3, 0.15, 0.0], abs=1e-6)


def test_a_learning_rate_that_was_set_is_the_next_steps() -> None:
    weight = Parameter(torch.tensor([1.0]))
    optimiser = build_optimiser([weight], TrainingConfig(learning_rate=0.1, weight_decay=0.0))
    for rate in (0.02, 0.3):
        set_learning_rate(optimiser, rate)
        weight.grad, before = torch.tensor([1.0]), weight.item()
        optimiser.step()
        assert before - weight.item() == pytest.approx(rate, abs=1e-6)
        assert learning_rate(optimiser) == rate
