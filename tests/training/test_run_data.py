import dataclasses

import numpy as np
import pytest

from tests.training.builders import CPU, short_training, small_set
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import DataError
from timemil_core.training.run_data import split_and_prepare


def relabelled(labels: list[int]) -> SeriesSet:
    return dataclasses.replace(small_set(), labels=np.array(labels, dtype=np.int64))


def test_validation_comes_from_the_training_part_in_the_classes_proportions() -> None:
    data = split_and_prepare(small_set(), short_training())
    assert sorted([*data.fit, *data.validation]) == list(range(30))
    assert data.test.tolist() == list(range(30, 40))
    assert np.bincount(data.series_set.labels[data.validation]).tolist() == [3, 3]
    assert data.judged.tolist() == data.validation.tolist()


@pytest.mark.pitfall(17)
def test_a_group_never_lies_on_both_sides_of_the_validation_split() -> None:
    subjects = tuple(f"subject {index // 5}" for index in range(40))
    data = split_and_prepare(dataclasses.replace(small_set(), groups=subjects), short_training())
    fitted, held_out = ({subjects[index] for index in part} for part in (data.fit, data.validation))
    assert held_out
    assert not fitted & held_out
    assert any("in whole groups" in note for note in data.notes)


def test_the_preparation_knows_the_fitted_series_alone() -> None:
    series_set = small_set()
    data = split_and_prepare(series_set, short_training())
    values = np.concatenate([series_set.series[index][0] for index in data.fit]).astype(np.float64)
    assert data.preparation.means[0] == pytest.approx(values.mean())
    assert data.preparation.deviations[0] == pytest.approx(values.std())
    examples = data.examples(data.validation, CPU)
    assert examples is not None
    first = series_set.series[data.validation[0]][0]
    assert examples.series[0][:, 0].numpy() == pytest.approx((first - values.mean()) / values.std(), abs=1e-5)


def test_the_test_set_chooses_only_where_asked_to_and_then_says_so() -> None:
    data = split_and_prepare(small_set(), short_training(selection="test"))
    assert data.judged_on == "test"
    assert data.judged.tolist() == data.test.tolist()
    assert len(data.fit) == 30
    assert any("chosen on the test set" in note for note in data.notes)


def test_without_a_test_part_it_cannot_choose() -> None:
    data = split_and_prepare(small_set(30, 0), short_training(selection="test"))
    assert data.judged_on == "validation"
    assert len(data.validation) == 6
    assert data.examples(data.test, CPU) is None
    told = " ".join(data.notes)
    assert "no test part to choose the epoch on" in told
    assert "not scored" in told


def test_no_validation_share_keeps_the_last_epoch_and_says_so() -> None:
    data = split_and_prepare(small_set(), short_training(validation_share=0.0))
    assert len(data.fit) == 30
    assert any("the last epoch is kept" in note for note in data.notes)


def test_too_few_series_for_validation_are_told() -> None:
    data = split_and_prepare(small_set(2, 2), short_training())
    assert len(data.validation) == 0
    assert any("the last epoch is kept" in note for note in data.notes)


def test_a_shortened_warm_up_is_told() -> None:
    assert any(
        "warm-up takes 1 instead of 10" in note for note in split_and_prepare(small_set(), short_training()).notes
    )


def test_series_without_a_class_are_left_out_and_told() -> None:
    labels = small_set().labels.tolist()
    labels[0], labels[39] = -1, -1
    data = split_and_prepare(relabelled(labels), short_training())
    assert 0 not in [*data.fit, *data.validation]
    assert 39 not in data.test
    assert any(note.startswith("2 series without a class") for note in data.notes)


def test_one_class_is_too_few() -> None:
    with pytest.raises(DataError, match="two classes"):
        split_and_prepare(relabelled([1] * 40), short_training())
