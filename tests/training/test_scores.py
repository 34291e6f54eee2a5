import warnings

import numpy as np
import pytest

from timemil_core.training.scores import scores

LOGITS = np.array([[3.0, 1.0, 0.0], [2.0, 1.0, 0.0], [0.0, 1.0, 3.0], [0.0, 2.0, 1.0]])


def test_scores_by_hand() -> None:
    # predicted 0, 0, 2, 1 for 0, 1, 1, 1: recalls 1 and 1/3; F1 2/3, 1/2, 0
    found = scores(np.array([0, 1, 1, 1]), LOGITS)
    assert found["n"] == 4
    assert found["accuracy"] == 0.5
    assert found["balanced_accuracy"] == pytest.approx(2 / 3)
    assert found["macro_f1"] == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)
    # class 0: its one series ranks first (1.0); class 1: logits 1, 1, 2 against 1: (0.5 + 0.5 + 1) / 3
    assert found["auroc"] == pytest.approx((1 + 2 / 3) / 2)


def test_one_class_alone_has_no_auroc_and_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = scores(np.array([1, 1, 1, 1]), LOGITS)
    assert found["auroc"] is None
    assert found["balanced_accuracy"] == pytest.approx(1 / 4)
