from typing import Any

import pytest
import torch

from tests.training.builders import CPU, examples_of, short_training, small_model
from timemil_core.errors import SettingsError
from timemil_core.training.precision import autocast, uses_bfloat16
from timemil_core.training.trainer import Trainer

CUDA = torch.device("cuda")


def a_trainer(model: dict[str, Any], **training: Any) -> Trainer:
    return Trainer(small_model(**model), short_training(**training), CPU)


@pytest.mark.parametrize(
    "model",
    [
        {},
        {"attention": "nystrom", "n_landmarks": 8, "value_convolution": "all", "class_token_row_only": False},
        {"pooling": "conjunctive", "positional_encoding": "sinusoidal"},
        {"pooling": "attention"},
        {"pooling": "max"},
        {"pooling": "mean", "positional_encoding": "none", "final_normalisation": False},
    ],
)
@pytest.mark.parametrize("lengths", [[40] * 12, list(range(3, 27, 2))])
def test_mixed_precision_stays_finite(model: dict[str, Any], lengths: list[int]) -> None:
    examples = examples_of(lengths)
    examples.series[0].mul_(1e4)
    examples.series[1].zero_()
    trainer = a_trainer(model, precision="bf16", n_epochs=2, warm_up_epochs=1)
    first, second = (trainer.run_epoch(examples, examples) for _ in range(2))
    assert first.warm_up == (model.get("pooling") not in ("mean", "conjunctive"))
    for record in (first, second):
        assert torch.isfinite(torch.tensor([record.train_loss, record.validation_loss])).all()
    assert all(value.isfinite().all() for value in trainer.network.state_dict().values())
    assert all(parameter.dtype == torch.float32 for parameter in trainer.network.parameters())


def test_mixed_precision_differs_by_its_rounding_and_no_more() -> None:
    examples = examples_of([40] * 12)
    losses = [
        a_trainer({"dropout": 0.0}, precision=precision).run_epoch(examples, None).train_loss
        for precision in ("32", "bf16")
    ]
    assert losses[0] != losses[1]
    assert losses[1] == pytest.approx(losses[0], abs=0.03)


def test_auto_is_full_precision_on_a_cpu_and_bfloat16_on_a_gpu_that_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not uses_bfloat16("auto", CPU)
    assert uses_bfloat16("bf16", CPU)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: True)
    assert uses_bfloat16("auto", CUDA)
    assert not uses_bfloat16("32", CUDA)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: False)
    assert not uses_bfloat16("auto", CUDA)
    with pytest.raises(SettingsError, match="does not compute in bfloat16"):
        autocast("bf16", CUDA)


@pytest.mark.parametrize(("compilation", "mode"), [("on", "default"), ("cuda-graphs", "reduce-overhead")])
def test_the_compiled_network_trains_the_same_weights(
    compilation: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = torch.compile

    def compile_eagerly(network: torch.nn.Module, mode: str) -> Any:
        asked.append(mode)
        return real(network, backend="eager", dynamic=False)  # traced, but by no C++ compiler, which takes minutes

    monkeypatch.setattr(torch, "compile", compile_eagerly)
    examples = examples_of([20] * 12)
    trainers = [a_trainer({"dropout": 0.0}, compilation=name, warm_up_epochs=0) for name in ("off", compilation)]
    records = [trainer.run_epoch(examples, examples) for trainer in trainers]
    assert asked == [mode]
    plain, behind = (trainer.network.state_dict() for trainer in trainers)
    assert plain.keys() == behind.keys()
    assert records[0].train_loss == pytest.approx(records[1].train_loss, abs=1e-5)
    assert records[0].validation_loss == pytest.approx(records[1].validation_loss, abs=1e-5)
