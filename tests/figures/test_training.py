from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.figures.texts import texts
from timemil_core.figures.training import accuracy_figure, best_so_far, loss_figure
from timemil_core.training.metrics import EpochRecord
from timemil_core.training.trainer import is_better


def line(epoch: int, loss: float | None = 0.5, accuracy: float | None = 0.5, warm_up: bool = False) -> dict:
    return EpochRecord(epoch, 0.4, 0.6, loss, accuracy, "validation", 1.0, 1e-3, warm_up).to_json()


METRICS = [line(1, 0.9, 1.0, warm_up=True), line(2, 0.8, 0.6), line(3, 0.5, 0.8), line(4, 0.4, 0.8), line(5, 0.6, 0.7)]


def test_curves_are_the_numbers_of_each_epoch():
    training, validation = loss_figure(METRICS).data[:2]
    np.testing.assert_array_equal(training.y, [0.4] * 5)
    np.testing.assert_array_equal(validation.y, [0.9, 0.8, 0.5, 0.4, 0.6])
    np.testing.assert_array_equal(validation.x, [1, 2, 3, 4, 5])
    np.testing.assert_array_equal(accuracy_figure(METRICS).data[1].y, [1.0, 0.6, 0.8, 0.8, 0.7])


def test_the_best_epoch_is_marked_on_both():
    for fig, value in ((loss_figure(METRICS), 0.4), (accuracy_figure(METRICS), 0.8)):
        (mark,) = [trace for trace in fig.data if trace.name == "best: epoch 4"]
        assert (mark.x[0], mark.y[0]) == (4, value)


def test_another_epoch_can_be_marked():
    assert any(trace.name == "best: epoch 5" for trace in loss_figure(METRICS, best_epoch=5).data)


def test_the_warm_up_is_shaded_and_told():
    fig = loss_figure(METRICS)
    (shape,) = fig.layout.shapes
    assert (shape.x0, shape.x1) == (0.5, 1.5)
    assert "warm-up: epochs 1 to 1" in [trace.name for trace in fig.data if trace.showlegend]


def test_without_validation_only_training_is_drawn_and_nothing_is_best():
    metrics = [line(1, None, None), line(2, None, None)]
    fig = accuracy_figure(metrics)
    assert len(fig.data[1].x) == 0
    assert not fig.data[1].showlegend
    assert not [text for text in texts(fig) if text.startswith("best")]


def test_an_epoch_chosen_on_the_test_set_says_so():
    metrics = [{**line(1), "judged_on": "test"}]
    assert loss_figure(metrics).data[1].name == "test set"


def test_before_the_first_epoch():
    for fig in (loss_figure([]), accuracy_figure([])):
        assert not fig.data
        assert "first epoch" in fig.layout.annotations[0].text


def test_many_epochs_are_thinned():
    metrics = [line(epoch, 1 / epoch, 0.5) for epoch in range(1, 5001)]
    assert len(loss_figure(metrics).data[1].x) <= 2000


records = st.builds(
    line,
    st.just(0),
    st.one_of(st.none(), st.sampled_from([0.1, 0.5])),
    st.one_of(st.none(), st.sampled_from([0.0, 0.5, 1.0])),
    st.booleans(),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(records, min_size=1, max_size=8))
def test_best_is_what_the_trainer_keeps(lines):
    judged = [{**one, "epoch": place + 1} for place, one in enumerate(lines)]
    judged = [one for one in judged if one["validation_accuracy"] is not None]
    kept = None
    for one in judged:
        record = EpochRecord(**one)
        if kept is None or is_better(record, kept, last=False):
            kept = record
    assert best_so_far(judged) == (None if kept is None else kept.epoch)
