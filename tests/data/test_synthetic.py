import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from timemil_core.data.synthetic import distractor_set, pulse_set
from timemil_core.errors import DataError


def stacked(series_set):
    return np.stack([values[0] for values in series_set.series])


def test_the_pulse_set_is_the_papers():
    made = pulse_set()
    assert (len(made.indices("train")), len(made.indices("test"))) == (200, 100)
    assert made.class_names == ("no pulse", "pulse")
    assert set(made.lengths.tolist()) == {120}
    for part in ("train", "test"):
        assert np.bincount(made.part(part).labels).tolist() == [len(made.part(part)) // 2] * 2


def test_a_pulse_covers_21_points_from_a_start_between_55_and_65():
    made = pulse_set(n_train=400, n_test=0, seed=3)
    starts = set()
    for label, truth in zip(made.labels, made.instance_labels, strict=True):
        points = np.flatnonzero(truth)
        assert len(points) == (21 if label == 1 else 0)
        if label == 1:
            assert points.tolist() == list(range(points[0], points[0] + 21))
            starts.add(int(points[0]))
    assert starts == set(range(55, 66))


@pytest.mark.parametrize(("noise", "deviation"), [("variance", 0.5**0.5), ("deviation", 0.5)])
def test_inside_the_pulse_is_5_and_outside_0_with_the_noise_asked_for(noise, deviation):
    made = pulse_set(n_train=600, n_test=0, noise=noise)
    values, truth = stacked(made), np.stack(made.instance_labels)
    np.testing.assert_allclose(values[truth].mean(), 5, atol=0.05)
    np.testing.assert_allclose(values[~truth].mean(), 0, atol=0.05)
    np.testing.assert_allclose(values[truth].std(), deviation, rtol=0.03)
    np.testing.assert_allclose(values[~truth].std(), deviation, rtol=0.03)


@pytest.mark.parametrize("make", [pulse_set, distractor_set])
def test_the_seed_decides(make):
    assert make(10, 4, seed=1).fingerprint == make(10, 4, seed=1).fingerprint
    assert make(10, 4, seed=1).fingerprint != make(10, 4, seed=2).fingerprint


def test_distractor_lengths_differ_and_only_positive_series_are_marked():
    made = distractor_set()
    assert (made.lengths.min(), made.lengths.max()) == (120, 200)
    assert made.n_channels == 3
    marked = np.array([truth.sum() for truth in made.instance_labels])
    assert marked[made.labels == 0].max() == 0
    assert set(marked[made.labels == 1].tolist()) == {21}


def test_the_pattern_lies_anywhere():
    made = distractor_set(n_train=400, n_test=0)
    starts = np.array([np.flatnonzero(truth)[0] / (len(truth) - 21) for truth in made.instance_labels if truth.any()])
    assert np.histogram(starts, bins=4, range=(0, 1))[0].min() > 0.15 * len(starts)


def test_the_marked_points_hold_the_smooth_bump():
    made = distractor_set(n_train=40, n_test=0)
    bump = np.sin(np.pi * np.arange(1, 22) / 22)
    for values, truth in zip(made.series, made.instance_labels, strict=True):
        for channel in values[:, truth] if truth.any() else ():
            # 3 · bump with a sign, in noise of deviation 0.5: the projection is ±3 with an error of 0.5 / |bump|
            assert abs(abs(channel @ bump / (bump @ bump)) - 3) < 5 * 0.5 / np.sqrt(bump @ bump)


def test_loudness_neither_finds_the_pattern_nor_the_class():
    made = distractor_set()
    ranked = [
        roc_auc_score(truth, np.abs(values).mean(axis=0))
        for values, truth in zip(made.series, made.instance_labels, strict=True)
        if truth.any()
    ]
    assert 0.5 < np.mean(ranked) < 0.85
    energy = [np.square(values).sum() for values in made.series]
    assert abs(roc_auc_score(made.labels, energy) - 0.5) < 0.06
    peaks = [np.abs(values).max() for values in made.series]
    assert abs(roc_auc_score(made.labels, peaks) - 0.5) < 0.06


def test_series_come_in_pairs_of_equal_length_and_energy():
    made = distractor_set(n_train=200, n_test=0)
    assert made.lengths[0::2].tolist() == made.lengths[1::2].tolist()
    energy = np.array([np.square(values.astype(np.float64)).sum() for values in made.series])
    # noise of variance 1/4 at up to 600 values: the energies of a pair differ by little beside 250 a shape
    assert np.abs(energy[0::2] - energy[1::2]).max() < 250
    assert energy.std() > 250


def test_a_detector_of_the_shape_finds_both():
    made = distractor_set(n_train=60, n_test=0)
    bump = np.sin(np.pi * np.arange(1, 22) / 22)
    answers = [sum(np.abs(np.convolve(channel, bump, mode="same")) for channel in values) for values in made.series]
    assert roc_auc_score(made.labels, [answer.max() for answer in answers]) > 0.99
    truths = [(truth, answer) for truth, answer in zip(made.instance_labels, answers, strict=True) if truth.any()]
    assert min(roc_auc_score(truth, answer) for truth, answer in truths) > 0.99


def test_lengths_without_room_are_refused():
    with pytest.raises(DataError, match="at least 117"):
        distractor_set(min_length=116)
    with pytest.raises(DataError):
        distractor_set(min_length=200, max_length=150)
