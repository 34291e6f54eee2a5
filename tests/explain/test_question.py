import numpy as np
import pytest

from tests.explain.builders import build_model, build_series
from timemil_core.errors import SettingsError
from timemil_core.explain.examination import examine
from timemil_core.explain.question import ask
from timemil_core.explain.request import Request


def test_of_one_class_and_of_two():
    logits = np.array([[1.0, 4.0, 2.0], [0.0, -1.0, 5.0]])
    assert ask(build_model(), 1).of(logits).tolist() == [4, -1]
    assert ask(build_model(), 1, 2).of(logits).tolist() == [2, -6]


def test_words():
    assert ask(build_model(), 1).quantity == "logit of class 'class 1'"
    assert ask(build_model(), 1, 2).quantity == "logit of class 'class 1' less that of 'class 2'"


def test_the_predicted_class_is_asked_about_by_default():
    model, series = build_model(), build_series()
    assert Request(model, series).question.target == examine(model, series).predicted


@pytest.mark.parametrize(
    "target, against, said",
    [
        (3, None, "no class 3"),
        (1.0, None, "no class 1.0"),
        (True, None, "no class True"),
        (0, -1, "no class -1"),
        (1, 1, "itself"),
    ],
)
def test_refuses_classes_that_cannot_be_meant(target, against, said):
    with pytest.raises(SettingsError, match=said):
        ask(build_model(), target, against)
