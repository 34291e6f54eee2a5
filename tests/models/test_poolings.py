import numpy as np
import pytest
import torch

from tests.models.builders import small_config
from timemil_core.models.config import ENCODING_NAMES, POOLING_NAMES
from timemil_core.models.encodings import ENCODINGS
from timemil_core.models.poolings.conjunctive import ConjunctivePooling
from timemil_core.models.poolings.listing import POOLINGS, build_pooling

MASK = torch.tensor([[True, True, True, False]])
INSTANCES = torch.tensor([[[1.0, 5, 0, 2], [3, 2, 0, 1], [2, 2, 6, -1], [99, 99, 99, 99]]])
HAND = {"embedding_width": 4, "positional_encoding": "none", "n_heads": 1}


def test_mean_by_hand() -> None:
    bag, weights = build_pooling(small_config(pooling="mean", **HAND))(INSTANCES, MASK, return_attention=True)
    assert bag.tolist() == [[2, 3, 2, pytest.approx(2 / 3)]]
    torch.testing.assert_close(weights.instances, torch.tensor([[1 / 3, 1 / 3, 1 / 3, 0]]))


def test_max_by_hand() -> None:
    bag, weights = build_pooling(small_config(pooling="max", **HAND))(INSTANCES, MASK, return_attention=True)
    assert bag.tolist() == [[3, 5, 6, 2]]
    assert weights.instances.tolist() == [[0.5, 0.25, 0.25, 0]]  # the first holds two of four maxima


def test_attention_by_hand() -> None:
    pooling = build_pooling(small_config(pooling="attention", **HAND))
    with torch.no_grad():
        first, last = pooling.score[0], pooling.score[2]
        first.weight.copy_(torch.eye(4))
        first.bias.zero_()
        last.weight.copy_(torch.tensor([[0.0, 0, 2, 0]]))
        last.bias.fill_(0.3)
    bag, weights = pooling(INSTANCES, MASK, return_attention=True)
    scores = 2 * np.tanh([0.0, 0.0, 6.0])
    expected = np.exp(scores) / np.exp(scores).sum()
    np.testing.assert_allclose(weights.instances[0, :3].detach(), expected, rtol=1e-6)
    assert weights.instances[0, 3] == 0
    np.testing.assert_allclose(bag[0].detach(), expected @ INSTANCES[0, :3].numpy(), rtol=1e-6)


def test_conjunctive_bag_is_the_mean_of_attention_times_instance_logits() -> None:
    torch.manual_seed(0)
    pooling = build_pooling(small_config(pooling="conjunctive", **HAND)).eval()
    assert isinstance(pooling, ConjunctivePooling)
    with torch.no_grad():
        attention = torch.sigmoid(pooling.score[2](torch.tanh(pooling.score[0](INSTANCES[0, :3]))))[:, 0]
        logits = INSTANCES[0, :3] @ pooling.instance_classifier.weight.T + pooling.instance_classifier.bias
        expected = sum(attention[t] * logits[t] for t in range(3)) / 3
        bag, weights = pooling(INSTANCES, MASK, return_attention=True)
        own_weights, evidence = pooling.instance_logits(INSTANCES, MASK)
    torch.testing.assert_close(bag[0], expected)
    torch.testing.assert_close(weights.instances[0], torch.cat([attention, torch.zeros(1)]))
    torch.testing.assert_close(own_weights, weights.instances)
    torch.testing.assert_close(evidence[0, :3], attention[:, None] * logits)
    assert evidence[0, 3].eq(0).all()


@pytest.mark.parametrize("name", POOLINGS)
def test_one_contract(name: str) -> None:
    torch.manual_seed(0)
    config = small_config(pooling=name)
    pooling = build_pooling(config).eval()
    instances = torch.randn(2, 6, 8)
    mask = torch.arange(6).expand(2, -1) < torch.tensor([[6], [2]])
    bag, nothing = pooling(instances, mask)
    again, weights = pooling(instances, mask, return_attention=True)
    assert nothing is None
    assert bag.equal(again)
    assert bag.shape == (2, config.n_classes if pooling.gives_logits else 8)
    assert weights.instances.shape == (2, 6)
    assert weights.instances[1, 2:].eq(0).all()
    assert weights.instances.ge(0).all()
    if name not in ("conjunctive", "time-aware"):  # a sigmoid each; and the class token keeps a share
        torch.testing.assert_close(weights.instances.sum(dim=1), torch.ones(2))


def test_time_aware_weights_are_the_last_layers_row() -> None:
    torch.manual_seed(0)
    pooling = build_pooling(small_config(pooling="time-aware")).eval()
    mask = torch.arange(6).expand(2, -1) < torch.tensor([[6], [2]])
    _, weights = pooling(torch.randn(2, 6, 8), mask, return_attention=True)
    assert [row.shape for row in weights.class_token_rows] == [(2, 2, 7), (2, 2, 7)]
    last = weights.class_token_rows[-1]
    torch.testing.assert_close(weights.instances, last[:, :, 1:].mean(dim=1))
    torch.testing.assert_close(weights.instances.sum(dim=1) + last[:, :, 0].mean(dim=1), torch.ones(2))


@pytest.mark.parametrize("name", [name for name in POOLINGS if name != "time-aware"])
def test_order_blind_poolings_need_an_encoding_to_know_time(name: str) -> None:
    torch.manual_seed(0)
    instances = torch.randn(1, 6, 8)
    order = torch.tensor([3, 1, 5, 0, 2, 4])
    blind = build_pooling(small_config(pooling=name, positional_encoding="none")).eval()
    torch.testing.assert_close(blind(instances)[0], blind(instances[:, order])[0])
    knowing = build_pooling(small_config(pooling=name, positional_encoding="sinusoidal")).eval()
    if name != "mean":  # a mean of sums is blind even then
        assert not torch.allclose(knowing(instances)[0], knowing(instances[:, order])[0], atol=1e-5)


def test_what_settings_offer_is_what_there_is() -> None:
    assert set(POOLING_NAMES) == set(POOLINGS)
    assert set(ENCODING_NAMES) == set(ENCODINGS)
