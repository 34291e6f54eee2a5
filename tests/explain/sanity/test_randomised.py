import pytest
import torch

from tests.explain.builders import build_model
from timemil_core.explain.baseline import untrained_copy
from timemil_core.explain.sanity.randomised import cascade


def test_from_the_classifier_down_until_no_trained_weight_is_left() -> None:
    model = build_model()
    before = {name: value.clone() for name, value in model.network.state_dict().items()}
    random = untrained_copy(model, seed=3).network.state_dict()
    stages = list(cascade(model, seed=3))
    assert [title for title, _ in stages] == [
        "classifier",
        "attention layer 2",
        "attention layer 1",
        "backbone block 2",
        "backbone block 1",
    ]
    trained_left = []
    for _, one in stages:
        weights = one.network.state_dict()
        trained_left.append({name.split(".")[0] for name, value in weights.items() if _differs(value, random[name])})
    assert trained_left[0] == {"backbone", "pooling"}
    assert trained_left[2] == trained_left[3] == {"backbone"}
    assert trained_left[4] == set()
    for name, value in model.network.state_dict().items():
        assert torch.equal(value, before[name])


@pytest.mark.parametrize("pooling", ["mean", "conjunctive", "max"])
def test_every_pooling_ends_untrained(pooling: str) -> None:
    model = build_model(pooling=pooling)
    *_, (_, last) = cascade(model)
    random = untrained_copy(model).network.state_dict()
    assert all(torch.equal(value, random[name]) for name, value in last.network.state_dict().items())


def _differs(value: torch.Tensor, other: torch.Tensor) -> bool:
    return not torch.equal(value, other)
