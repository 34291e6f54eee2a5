import math
from copy import deepcopy
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from tests.training.builders import CPU, examples_of, short_training, small_model
from timemil_core.errors import RunError
from timemil_core.models.drawing import Dropout, current_generator
from timemil_core.models.timemil import TimeMIL
from timemil_core.training import examples as examples_module
from timemil_core.training.loop import TrainingStoppedError, judge, seeded, train_epoch
from timemil_core.training.optimiser import build_optimiser


def never() -> bool:
    return False


def quiet(done: int, of: int) -> None:
    assert done <= of


class Constant(TimeMIL):
    """Says the same of every series, with one weight, and keeps what it was given."""

    def __init__(self) -> None:
        super().__init__(small_model())
        self.weight = torch.nn.Parameter(torch.zeros(2))
        self.seen: list[tuple[Tensor, float | None]] = []

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        self.seen.append((values, warm_up))
        return self.weight.expand(len(values), 2)


def epoch_of(network: TimeMIL, examples: Any, **changes: Any) -> tuple[float, float]:
    training = short_training(**{"masking_share": 0.0, **changes})
    optimiser = build_optimiser(network.parameters(), training)
    return train_epoch(network, optimiser, examples, training, 1, warm_up=0.99, on_batch=quiet, should_stop=never)


def test_the_loss_is_one_vs_rest_cross_entropy() -> None:
    # Logits 0: each of the two sigmoids is 1/2, so every term is ln 2. One batch: the loss precedes the step.
    loss, accuracy = epoch_of(Constant(), examples_of([10] * 4), batch_size=4)
    assert loss == pytest.approx(math.log(2), abs=1e-6)
    assert accuracy == 0.5  # ties go to class 0, and classes alternate


def test_the_judgement_by_hand() -> None:
    network = Constant()
    network.weight.data = torch.tensor([1.0, -2.0])
    judgement = judge(network, examples_of([10] * 4))
    # class 0 true: softplus(-1) + softplus(-2); class 1 true: softplus(1) + softplus(2); over 2 classes
    softplus = [math.log1p(math.exp(x)) for x in (-1, -2, 1, 2)]
    assert judgement.loss == pytest.approx(sum(softplus) / 4, abs=1e-6)
    assert judgement.accuracy == 0.5
    assert judgement.logits.tolist() == [[1.0, -2.0]] * 4


def test_judging_sees_the_series_unmasked_and_without_warm_up() -> None:
    network = Constant()
    examples = examples_of([10] * 4)
    judge(network, examples)
    assert not network.training
    [(values, warm_up)] = network.seen
    assert warm_up is None
    assert torch.equal(values, examples.batch([0, 1, 2, 3]).values)


def test_training_masks_and_warms_up() -> None:
    network = Constant()
    examples = examples_of([10] * 4)
    epoch_of(network, examples, masking_share=0.5, batch_size=4)
    [(values, warm_up)] = network.seen
    assert warm_up == 0.99
    originals = {float(value) for series in examples.series for value in series.flatten()}
    assert sum(float(value) in originals for value in values.flatten()) == 4 * 5


def test_batches_are_reported_and_a_stop_ends_before_the_next() -> None:
    told: list[tuple[int, int]] = []
    network = TimeMIL(small_model())
    training = short_training(batch_size=2)
    with pytest.raises(TrainingStoppedError):
        train_epoch(
            network,
            build_optimiser(network.parameters(), training),
            examples_of([10] * 8),
            training,
            1,
            warm_up=None,
            on_batch=lambda done, of: told.append((done, of)),
            should_stop=lambda: len(told) == 2,
        )
    assert told == [(1, 4), (2, 4)]


def test_a_stop_ends_within_a_batch_of_many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples_module, "TIMEPOINTS_AT_ONCE", 20)
    told: list[tuple[int, int]] = []
    network = Constant()
    training = short_training(batch_size=6, masking_share=0.0)
    with pytest.raises(TrainingStoppedError):
        train_epoch(
            network,
            build_optimiser(network.parameters(), training),
            examples_of([10] * 12),
            training,
            1,
            warm_up=None,
            on_batch=lambda done, of: told.append((done, of)),
            should_stop=lambda: len(network.seen) == 5,
        )
    # three parts of two series a batch: two of the second batch were done
    assert told == [(0, 2), (0, 2), (1, 2), (1, 2)]


def test_a_batch_in_parts_has_the_gradient_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []
    for limit in (1000, 20):
        monkeypatch.setattr(examples_module, "TIMEPOINTS_AT_ONCE", limit)
        network = Constant()
        epoch_of(network, examples_of([10] * 5), batch_size=5, gradient_clip=1e9)
        steps.append(network.weight.grad)
    assert torch.allclose(steps[0], steps[1], atol=1e-7)


def test_what_a_network_marks_is_classified_alone_by_the_same_loss() -> None:
    network = TimeMIL(small_model(pooling="conjunctive", dropout=0.0))
    examples = examples_of([20] * 4)
    with seeded(short_training(), 1, CPU) as (order, masking):
        batch = examples.batch(torch.randperm(4, generator=order).tolist())
        shares = 0.1 + 0.5 * torch.rand(4, generator=masking)
        same = deepcopy(network).train()
        whole, alone = same(batch.values, None, None, shares).unbind(dim=1)
    losses = [binary_cross_entropy_with_logits(one, batch.targets) for one in (whole, alone)]
    sum(losses).backward()
    loss, accuracy = epoch_of(network, examples, batch_size=4, marked_alone=True, gradient_clip=1e9)
    assert loss == pytest.approx(losses[0].item(), abs=1e-6)
    assert accuracy == (whole.argmax(dim=1) == batch.targets.argmax(dim=1)).float().mean()
    for one, other in zip(network.parameters(), same.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad)


def test_a_network_that_marks_nothing_is_trained_as_ever() -> None:
    one, other = TimeMIL(small_model()), TimeMIL(small_model())
    other.load_state_dict(one.state_dict())
    told = [epoch_of(net, examples_of([20] * 4), marked_alone=asked) for net, asked in ((one, False), (other, True))]
    assert told[0] == told[1]


def test_the_gradient_is_clipped() -> None:
    network = TimeMIL(small_model())
    epoch_of(network, examples_of([20] * 4), batch_size=4, gradient_clip=1e-3)
    norms = [weight.grad.norm() for weight in network.parameters() if weight.grad is not None]
    assert torch.stack(norms).norm().item() == pytest.approx(1e-3, rel=1e-3)


def test_divergence_is_told() -> None:
    network = Constant()
    network.weight.data.fill_(math.nan)
    with pytest.raises(RunError, match="diverged"):
        epoch_of(network, examples_of([10] * 4))


def test_everything_random_depends_on_seed_and_epoch_alone() -> None:
    def draws(seed: int, epoch: int) -> list[float]:
        torch.rand(1)  # what others draw meanwhile
        with seeded(short_training(seed=seed), epoch, CPU) as (order, masking):
            dropout = current_generator()
            return [torch.rand(1, generator=one).item() for one in (order, masking, dropout)]

    assert draws(0, 1) == draws(0, 1)
    different = [draws(0, 1), draws(0, 2), draws(1, 1)]
    assert len({value for row in different for value in row}) == 9


@pytest.mark.parametrize("compilation", ["off", "on"])
def test_the_callers_random_state_is_left_alone(compilation: str) -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    with seeded(short_training(compilation=compilation), 1, CPU):
        Dropout(0.5)(torch.ones(7))
    assert torch.equal(torch.rand(3), expected)
