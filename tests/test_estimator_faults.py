"""What an estimator meets in other people's hands: odd arrays, odd settings, threads, modes of PyTorch's."""

from __future__ import annotations

import datetime
import random
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.model_selection import cross_val_score

from timemil_core import TimeMILClassifier
from timemil_core.errors import DataError, ModelError, SettingsError

SMALL: dict[str, Any] = {"embedding_width": 8, "n_heads": 2, "head_size": 4, "n_landmarks": 4}
GRADIENTS = ("integrated-gradients", "gradient-input", "contribution", "attention-gradient")


def small(**changes: Any) -> TimeMILClassifier:
    settings = {"n_epochs": 1, "batch_size": 4, "device": "cpu", "model_settings": SMALL, **changes}
    return TimeMILClassifier(**settings)


def made_up() -> tuple[np.ndarray, np.ndarray]:
    """Twelve series ``(2, 15)`` whose level tells their class: 3, 10 or 7."""
    level = np.arange(12) % 3
    noise = np.random.default_rng(0).normal(size=(12, 2, 15))
    return noise + 3 * level[:, None, None], np.array([3, 10, 7])[level]


X, Y = made_up()


@pytest.fixture(scope="module")
def fitted() -> TimeMILClassifier:
    return small().fit(X, Y)


@pytest.fixture(scope="module")
def saved(fitted: TimeMILClassifier, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved") / "model"
    fitted.save(folder)
    return folder


def with_value(value: float, index: int = 1) -> np.ndarray:
    changed = X.copy()
    changed[index, 1, 4] = value
    return changed


def states() -> tuple[Any, ...]:
    numpys = np.random.get_state()  # noqa: NPY002 (the caller's, which must stay)
    return torch.get_rng_state().tolist(), numpys[1].tolist(), numpys[2], random.getstate()


# Not a number is no class


@pytest.mark.parametrize("ask", ["predict", "predict_proba", "explain", "embed"])
def test_a_value_that_overflows_is_named(fitted: TimeMILClassifier, ask: str) -> None:
    with pytest.raises(DataError, match=r"series '1'.*'channel 2' is 3e\+19 at time point 4"):
        getattr(fitted, ask)(with_value(3e19))


@pytest.mark.parametrize("ask", ["predict", "predict_proba", "explain", "embed"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_series_without_a_value_is_not_classified(fitted: TimeMILClassifier, ask: str) -> None:
    empty = X.copy()
    empty[2] = np.nan
    with pytest.raises(DataError, match=r"series '2'.*nothing to classify"):
        getattr(fitted, ask)(empty)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_fit_tells_of_such_values() -> None:
    with pytest.warns(UserWarning, match=r"series '1', channel 'channel 2'.*3e\+19 at time point 4"):
        small().fit(with_value(3e19), Y)
    with (
        pytest.raises(DataError, match=r"series '1'.*'channel 2' is 3e\+19 at time point 4"),
        pytest.warns(UserWarning, match="overflows"),
    ):
        small(normalisation="none").fit(with_value(3e19), Y)
    empty = X.copy()
    empty[2] = np.nan
    with pytest.warns(UserWarning, match="no value at all: '2'.*neither trained on"):
        facts = small().fit(empty, Y).model_.facts
    assert facts["n_train"] + facts["n_validation"] == 11


# Generators of its own


def test_the_callers_generators_stay_as_they_were(fitted: TimeMILClassifier, saved: Path) -> None:
    before = states()
    small(training_settings={"with_supervised": True}).fit(X, Y)
    loaded = TimeMILClassifier.load(saved, device="cpu")
    loaded.predict(X)
    loaded.explain(X[:1], "random-masking")
    assert states() == before


def test_the_same_seed_gives_the_same_weights_beside_other_threads(fitted: TimeMILClassifier, saved: Path) -> None:
    expected = fitted.predict_proba(X)

    def work(number: int) -> tuple[str, np.ndarray]:
        torch.rand(10)  # what others draw meanwhile
        if number % 2:
            return fitted.model_.fingerprint, TimeMILClassifier.load(saved, device="cpu").predict_proba(X)
        return small().fit(X, Y).model_.fingerprint, fitted.predict_proba(X)

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(16)))
    assert {fingerprint for fingerprint, _ in results} == {fitted.model_.fingerprint}
    assert all(np.array_equal(probabilities, expected) for _, probabilities in results)


def test_cross_validation_in_threads_is_that_of_one() -> None:
    from joblib import parallel_backend

    alone = cross_val_score(small(), X, Y, cv=3)
    with parallel_backend("threading", n_jobs=3):
        assert np.array_equal(cross_val_score(small(), X, Y, cv=3), alone)


# Labels in both


def test_a_contrast_is_asked_for_by_labels(fitted: TimeMILClassifier) -> None:
    (asked,) = fitted.explain(X[:1], "occlusion", target_class=3, against=10, window=3)
    assert (asked.target_class, asked.against_class) == (0, 2)
    for label in (1, "10", [10], None):
        settings = {"against": label} if label is not None else {"target_class": np.array([3])}
        with pytest.raises(SettingsError, match=r"there is no class .*Give one of 3, 7, 10"):
            fitted.explain(X[:1], "occlusion", **{"target_class": 3, **settings})
    with pytest.raises(SettingsError, match="contrasted with itself"):
        fitted.explain(X[:1], "occlusion", target_class=3, against=3)


# Arrays are read as files are


def test_missing_values_at_the_end_are_padding(fitted: TimeMILClassifier) -> None:
    padded = np.concatenate([X, np.full((12, 2, 6), np.nan)], axis=2)
    assert np.array_equal(fitted.predict_proba(padded), fitted.predict_proba(X))
    assert fitted.explain(padded[:1])[0].values.shape == (15,)
    assert fitted.embed(padded[:1])[0].shape[0] == 15
    assert small().fit(padded, Y).model_.fingerprint == fitted.model_.fingerprint
    assert small().fit(list(padded), Y).model_.fingerprint == fitted.model_.fingerprint
    padded[0, 0, -1] = 1.0  # observed in one channel: no padding
    assert fitted.explain(padded[:1])[0].values.shape == (21,)


@pytest.mark.parametrize("offset", [1e7, 1e9])
def test_values_far_from_zero_are_centred_before_they_are_rounded(fitted: TimeMILClassifier, offset: float) -> None:
    shifted = small().fit(X + offset, Y)
    expected = fitted.model_.preparation.transform(list(X))
    found = shifted.model_.preparation.transform([*(X + offset)])
    np.testing.assert_allclose(np.stack(found), np.stack(expected), atol=1e-4)
    assert (shifted.predict(X + offset) == fitted.predict(X)).all()
    (there,), (here,) = shifted.explain(X[:1] + offset, "occlusion"), fitted.explain(X[:1], "occlusion")
    np.testing.assert_allclose(there.values, here.values, atol=0.02)


def test_more_channels_than_time_points_look_swapped() -> None:
    with pytest.warns(UserWarning, match=r"more channels \(15\) than time points \(2\).*may be swapped"):
        small().fit(X.transpose(0, 2, 1), Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        small().fit(X, Y)


@pytest.mark.parametrize("odd", [X[:, :, :0], [*X[:11], X[11][:, :0]], X[:0], []])
def test_arrays_without_a_value_are_refused(fitted: TimeMILClassifier, odd: Any) -> None:
    for ask in (fitted.predict, fitted.explain, lambda given: small().fit(given, Y)):
        with pytest.raises(DataError, match=r"no value|no series"):
            ask(odd)


# Labels


def test_dates_are_labels_and_come_back(tmp_path: Path) -> None:
    days = np.array(["2024-02-28", "2024-02-29", "2024-03-01"], dtype="datetime64[D]")
    labels = days[np.arange(12) % 3]
    for y in (labels, labels.astype("datetime64[ns]"), labels - days[0]):
        classifier = small().fit(X, y)
        classifier.save(tmp_path / "model")
        loaded = TimeMILClassifier.load(tmp_path / "model", device="cpu")
        assert loaded.classes_.dtype == y.dtype
        assert (loaded.predict(X) == classifier.predict(X)).all()
        assert loaded.explain(X[:1], "occlusion", target_class=y[0], against=y[1])[0].target_class == 0
    assert small().fit(X, labels).model_.class_names == ("2024-02-28", "2024-02-29", "2024-03-01")


def test_labels_that_cannot_be_kept_are_told_at_saving(fitted: TimeMILClassifier, tmp_path: Path) -> None:
    classifier = TimeMILClassifier.load(_saved(fitted, tmp_path), device="cpu")
    classifier.classes_ = np.array([datetime.date(2024, 1, day) for day in (1, 2, 3)], dtype=object)
    with pytest.raises(ModelError, match="of the kind date, which a saved model cannot keep"):
        classifier.save(tmp_path / "other")
    assert not (tmp_path / "other").exists()


def _saved(classifier: TimeMILClassifier, folder: Path) -> Path:
    classifier.save(folder / "model")
    return folder / "model"


def test_half_a_character_in_a_label_is_refused() -> None:
    with pytest.raises(DataError, match=r"class_names: 'a\\ud800' holds half a character"):
        small().fit(X, np.array(["a\ud800", "b", "c"])[np.arange(12) % 3])


# Settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"random_state": 2**40}, "seed is 1099511627776.*from 0 to 4294967295"),
        ({"random_state": -1}, "seed is -1"),
        ({"random_state": "a"}, "random_state is 'a'"),
        ({"training_settings": {"seed": 3}}, r"holds 'seed'.*Give random_state=3"),
        ({"training_settings": {"n_epochs": 3}}, r"holds 'n_epochs'.*Give n_epochs=3"),
        ({"training_settings": {"selection": "test"}}, "given no test series"),
        ({"training_settings": [3]}, r"training_settings is \[3\]"),
        ({"training_settings": {"masking_share": "half"}}, "masking_share is 'half'"),
        ({"model_settings": {"n_channels": 3}}, "n_channels is no setting: the data give it"),
        ({"model_settings": {"n_classes": 3}}, "n_classes is no setting"),
        ({"model_settings": ["pooling"]}, "model settings are"),
        ({"model_settings": {"dropout": "0.2"}}, "dropout is '0.2'"),
        ({"model_settings": {"n_layers": 1.5}}, "n_layers is 1.5"),
        ({"model_settings": {"class_token_row_only": "no"}}, "class_token_row_only is 'no'"),
    ],
)
def test_settings_are_refused_in_a_sentence(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        small(**settings).fit(X, Y)


def test_the_largest_seed_works() -> None:
    assert small(random_state=2**32 - 1).fit(X, Y).model_.facts["seed"] == 2**32 - 1


# PyTorch's modes


def test_the_default_type_of_numbers_changes_nothing(fitted: TimeMILClassifier, saved: Path) -> None:
    torch.set_default_dtype(torch.float64)
    try:
        there = small().fit(X, Y)
        loaded = TimeMILClassifier.load(saved, device="cpu")
        found = loaded.predict_proba(X)
        maps = [loaded.explain(X[:1], method)[0].values for method in GRADIENTS]
    finally:
        torch.set_default_dtype(torch.float32)
    assert there.model_.fingerprint == fitted.model_.fingerprint
    assert np.array_equal(found, fitted.predict_proba(X))
    for method, values in zip(GRADIENTS, maps, strict=True):
        np.testing.assert_allclose(values, fitted.explain(X[:1], method)[0].values, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_switched_off_gradients_change_nothing(fitted: TimeMILClassifier, saved: Path, mode: Callable[[], Any]) -> None:
    with mode():
        there = small().fit(X, Y)
        models = (there, TimeMILClassifier.load(saved, device="cpu"), fitted)
        inside = [one.explain(X[:1], method)[0].values for one in models for method in GRADIENTS]
        assert torch.is_inference_mode_enabled() == (mode is torch.inference_mode)
    assert there.model_.fingerprint == fitted.model_.fingerprint
    outside = [one.explain(X[:1], method)[0].values for one in models for method in GRADIENTS]
    for one, other in zip(inside, outside, strict=True):
        np.testing.assert_array_equal(one, other)
