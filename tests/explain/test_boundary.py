import dataclasses

import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.errors import DataError, ModelError
from timemil_core.explain.boundary import embeddings, most_marked, paper_pair, positive_class
from timemil_core.explain.examination import examine


def labelled_by_the_model(model, n_classes=2):
    """The small set with the model's own predictions as its labels, but for test series 6 and 7."""
    series_set = build_set(n_classes=n_classes)
    labels = model.predict(series_set.series).labels
    labels[6], labels[7] = 1 - labels[6], 1 - labels[7]
    return dataclasses.replace(series_set, labels=labels)


def balanced_model():
    model = build_model(n_classes=2)
    logits = model.predict(build_set(n_classes=2).series).logits
    model.network.classifier[-1].bias.data[1] -= float(np.median(logits[:, 1] - logits[:, 0]))
    return model


def test_the_pair_is_of_correctly_classified_test_series():
    model = balanced_model()
    series_set = labelled_by_the_model(model)
    positive, negative = paper_pair(series_set, model)
    assert series_set.labels[positive] == 1 and series_set.labels[negative] == 0
    assert positive not in (6, 7) and negative not in (6, 7)
    assert {series_set.split[positive], series_set.split[negative]} == {"test"}
    other, _ = paper_pair(series_set, model, 0)
    assert series_set.labels[other] == 0


def test_the_chosen_series_is_of_the_pair_whatever_the_model_says_of_it():
    series_set, model = labelled_by_the_model(balanced_model()), balanced_model()
    positives = np.flatnonzero(series_set.labels == 1)
    for index in (int(positives[0]), int(positives[-1])):
        pair = paper_pair(series_set, model, 1, index)
        assert pair[0] == index and series_set.labels[pair[1]] == 0
    negative = int(np.flatnonzero(series_set.labels == 0)[-1])
    assert paper_pair(series_set, model, 1, negative)[1] == negative
    unknown = dataclasses.replace(
        series_set, labels=np.where(np.arange(len(series_set)) == negative, -1, series_set.labels)
    )
    assert negative not in paper_pair(unknown, model, 1, negative)


def test_the_class_with_instance_labels_is_the_positive_one():
    series_set, model = build_set(), build_model()
    assert positive_class(series_set, model) == 2
    truth = tuple(
        np.full(length, label == 1) for length, label in zip(series_set.lengths, series_set.labels, strict=True)
    )
    assert positive_class(dataclasses.replace(series_set, instance_labels=truth), model) == 1


def test_without_a_correct_series_the_first_of_its_kind_is_taken():
    model = build_model(n_classes=2)
    wrong = 1 - model.predict(build_set(n_classes=2).series).labels
    if len(set(wrong[6:])) < 2:
        wrong[6:] = wrong[6]
        wrong[0] = 1 - wrong[6]
    series_set = dataclasses.replace(build_set(n_classes=2), labels=wrong)
    positive, negative = paper_pair(series_set, model)
    assert series_set.labels[positive] == 1 and series_set.labels[negative] == 0


def test_a_set_of_one_class_has_no_pair():
    series_set = dataclasses.replace(build_set(), labels=np.zeros(12, dtype=np.int64))
    with pytest.raises(DataError, match="no series outside class 'class 0'"):
        paper_pair(series_set, build_model(), 0)


def test_embeddings_are_the_backbone_s_in_the_order_asked_for():
    model, series_set = build_model(), build_set()
    chosen = embeddings(model, series_set, [5, 0, 11])
    assert [one.shape for one in chosen] == [(25, 8), (20, 8), (31, 8)]
    for one, index in zip(chosen, [5, 0, 11], strict=True):
        np.testing.assert_allclose(one, examine(model, series_set.series[index]).instances, atol=1e-5)


def test_embeddings_of_the_supervised_counterpart_are_its_own():
    model, series_set = build_model(), build_set()
    ours, theirs = (embeddings(model, series_set, [0], supervised=flag)[0] for flag in (False, True))
    assert ours.shape == theirs.shape and not np.allclose(ours, theirs)
    with pytest.raises(ModelError, match="no fully supervised counterpart"):
        embeddings(dataclasses.replace(model, supervised=None), series_set, [0], supervised=True)


def test_the_most_attended_fifth():
    values = np.array([0.1, 0.5, 0.2, 0.9, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0])
    assert np.flatnonzero(most_marked(values)).tolist() == [1, 3]
    assert most_marked(np.array([0.2])).tolist() == [True]
    assert most_marked(np.full(10, 0.1)).sum() == 2
