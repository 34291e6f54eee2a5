import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aeon.datasets import load_basic_motions, load_japanese_vowels
from aeon.testing.estimator_checking import check_estimator
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

from timemil_core import TimeMILClassifier
from timemil_core.errors import ModelError, SettingsError
from timemil_core.explain.examination import examine
from timemil_core.models.shelf import open_model
from timemil_core.training.config import training_preset
from timemil_core.training.run import execute
from timemil_core.training.run_folder import create_run

SMALL: dict[str, Any] = {"embedding_width": 8, "n_heads": 2, "head_size": 4, "n_landmarks": 4}


def small(**changes: Any) -> TimeMILClassifier:
    settings = {"n_epochs": 2, "batch_size": 4, "device": "cpu", "model_settings": SMALL, **changes}
    return TimeMILClassifier(**settings)


def made_up(labels: list[Any], n_channels: int = 2, n_timepoints: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Series whose level tells their class, half of each."""
    generator = np.random.default_rng(0)
    y = np.array(labels * 6)
    level = np.arange(len(y)) % len(labels)
    return generator.normal(size=(len(y), n_channels, n_timepoints)) + 3 * level[:, None, None], y


@pytest.fixture(scope="module")
def fitted() -> TimeMILClassifier:
    X, y = made_up([3, 10, 7])
    return small(n_epochs=3).fit(X, y)


@pytest.fixture(scope="module")
def series() -> np.ndarray:
    return made_up([3, 10, 7])[0][:5]


def test_aeons_own_checks_all_pass() -> None:
    results = check_estimator(TimeMILClassifier)
    assert {name: result for name, result in results.items() if result != "PASSED"} == {}
    assert len(results) > 20
    checked = " ".join(results)
    for kind in ("UnequalLengthMultivariate", "EqualLengthUnivariate", "MissingValues"):
        assert f"{kind}-Classification-np-list" in checked
    assert "check_fit_deterministic" in checked


def test_learns_basic_motions() -> None:
    X, y = load_basic_motions(split="train")
    settings = {"embedding_width": 32, "n_heads": 2, "head_size": 8}
    classifier = small(n_epochs=10, learning_rate=5e-3, batch_size=8, model_settings=settings)
    classifier.set_params(training_settings={"warm_up_epochs": 2}).fit(X, y)
    X_test, y_test = load_basic_motions(split="test")
    assert classifier.score(X_test, y_test) >= 0.9
    assert set(classifier.predict(X_test)) <= {"standing", "running", "walking", "badminton"}


def test_trains_as_the_app_and_the_command_line_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same settings give the same weights, to the bit, as a run folder's process."""
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    training = training_preset("default", n_epochs=2, seed=5, device="cpu", with_supervised=False)
    run = create_run("BasicMotions", model_settings=SMALL, training=training)
    execute(run)
    X, y = load_basic_motions(split="train")
    classifier = TimeMILClassifier(n_epochs=2, random_state=5, device="cpu", model_settings=SMALL).fit(X, y)
    theirs = open_model(run.reference)
    assert classifier.model_.fingerprint == theirs.fingerprint
    assert classifier.model_.preparation.to_json() == theirs.preparation.to_json()


def test_same_seed_same_weights() -> None:
    X, y = made_up(["a", "b"])
    fingerprints = [small(random_state=seed).fit(X, y).model_.fingerprint for seed in (1, 1, 2)]
    assert fingerprints[0] == fingerprints[1] != fingerprints[2]
    drawn = [small(random_state=np.random.RandomState(4)).fit(X, y).model_.facts["seed"] for _ in range(2)]
    assert drawn[0] == drawn[1]
    unseeded = small(random_state=None)
    assert unseeded.fit(X, y).model_.facts["seed"] != unseeded.fit(X, y).model_.facts["seed"]


def test_array_and_list_are_the_same_to_it(fitted: TimeMILClassifier, series: np.ndarray) -> None:
    assert (fitted.predict(list(series)) == fitted.predict(series)).all()
    np.testing.assert_array_equal(fitted.predict_proba(list(series)), fitted.predict_proba(series))


def test_two_dimensional_array_is_univariate() -> None:
    X, y = made_up([0, 1], n_channels=1)
    probabilities = [small().fit(given, y).predict_proba(given) for given in (X, X[:, 0])]
    np.testing.assert_array_equal(*probabilities)


def test_unequal_lengths() -> None:
    X, y = load_japanese_vowels(split="train")
    X, y = X[::9], y[::9]
    assert len({one.shape[1] for one in X}) > 1
    classifier = small(n_epochs=1).fit(X, y)
    together = classifier.predict_proba(X[:4])
    alone = np.concatenate([classifier.predict_proba([one]) for one in X[:4]])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    longer = [np.tile(X[0], 3)]
    assert classifier.explain(longer)[0].values.shape == (longer[0].shape[1],)


@pytest.mark.parametrize("labels", [["walk", "run"], [1, 0], [2.0, -1.0], [True, False]])
def test_labels_of_any_kind_come_back(labels: list[Any], tmp_path: Path) -> None:
    X, y = made_up(labels)
    classifier = small(n_epochs=1).fit(X, y)
    assert classifier.predict(X).dtype == y.dtype
    assert classifier.classes_.tolist() == sorted(labels)
    assert classifier.model_.class_names == tuple(str(label) for label in sorted(labels))
    classifier.save(tmp_path / "model")
    loaded = TimeMILClassifier.load(tmp_path / "model", device="cpu")
    assert loaded.predict(X).dtype == y.dtype
    assert (loaded.predict(X) == classifier.predict(X)).all()


def test_columns_follow_classes_and_rows_sum_to_one(fitted: TimeMILClassifier, series: np.ndarray) -> None:
    probabilities = fitted.predict_proba(series)
    assert fitted.classes_.tolist() == [3, 7, 10]
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (fitted.predict(series) == fitted.classes_[probabilities.argmax(axis=1)]).all()


def test_gaps_are_filled_and_not_spread(fitted: TimeMILClassifier, series: np.ndarray) -> None:
    with_gap = series.copy()
    with_gap[0, 0, 4] = np.nan
    filled = with_gap.copy()
    filled[0, 0, 4] = (filled[0, 0, 3] + filled[0, 0, 5]) / 2
    np.testing.assert_allclose(fitted.predict_proba(with_gap), fitted.predict_proba(filled), atol=1e-6)


def test_explain(fitted: TimeMILClassifier, series: np.ndarray) -> None:
    explanations = fitted.explain(series)
    assert [one.values.shape for one in explanations] == [(12,)] * 5
    assert not any(one.class_specific for one in explanations)
    expected = examine(fitted.model_, series[2].astype(np.float32)).class_token_rows[-1].mean(axis=0)
    np.testing.assert_allclose(explanations[2].values, expected[1:], atol=1e-6)
    assert explanations[2].class_token_mass == pytest.approx(expected[0], abs=1e-6)


def test_explain_a_class_by_its_label(fitted: TimeMILClassifier, series: np.ndarray) -> None:
    for_ten, for_three = (fitted.explain(series[:1], "occlusion", label, window=3)[0] for label in (10, 3))
    assert (for_ten.target_class, for_three.target_class) == (2, 0)
    assert not np.allclose(for_ten.values, for_three.values)
    (by_default,) = fitted.explain(series[:1], "occlusion")
    assert fitted.classes_[by_default.target_class] == fitted.predict(series[:1])[0]
    with pytest.raises(SettingsError, match=r"no class 2\. Give one of 3, 7, 10"):
        fitted.explain(series, "occlusion", target_class=2)
    with pytest.raises(SettingsError, match="no importance method 'guess'"):
        fitted.explain(series, "guess")


def test_embed(fitted: TimeMILClassifier, series: np.ndarray) -> None:
    embeddings = fitted.embed(series)
    assert [one.shape for one in embeddings] == [(12, 8)] * 5
    assert fitted.embed([series[0], np.tile(series[1], 2)])[1].shape == (24, 8)
    X, y = made_up([0, 1])
    full_width = small(n_epochs=1, model_settings=None).fit(X, y)
    assert full_width.embed(X[:1])[0].shape == (12, 128)


def test_wavelets(fitted: TimeMILClassifier) -> None:
    first, second = fitted.wavelets()
    assert (first.layer, second.layer) == (0, 1)
    assert first.scales.shape == first.shifts.shape == (3, 8)
    assert first.kernels.shape == (3, 8, 19)
    assert not np.array_equal(first.kernels, first.initial_kernels)


def test_before_fit_nothing_is_answered(series: np.ndarray, tmp_path: Path) -> None:
    classifier = small()
    for ask in (
        lambda: classifier.explain(series),
        lambda: classifier.embed(series),
        classifier.wavelets,
        lambda: classifier.save(tmp_path / "model"),
    ):
        with pytest.raises(NotFittedError):
            ask()


@pytest.mark.parametrize("method", ["predict", "predict_proba", "explain", "embed"])
def test_other_channels_are_refused(fitted: TimeMILClassifier, series: np.ndarray, method: str, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model")
    for classifier in (fitted, TimeMILClassifier.load(tmp_path / "model")):
        with pytest.raises(ValueError, match="number of channels"):
            getattr(classifier, method)(series[:, :1])


def test_save_and_load(fitted: TimeMILClassifier, series: np.ndarray, tmp_path: Path) -> None:
    fitted.save(tmp_path / "model")
    assert {path.suffix for path in (tmp_path / "model").iterdir()} == {".json", ".safetensors"}
    loaded = TimeMILClassifier.load(str(tmp_path / "model"), device="cpu")
    np.testing.assert_array_equal(loaded.predict_proba(series), fitted.predict_proba(series))
    np.testing.assert_array_equal(loaded.explain(series)[0].values, fitted.explain(series)[0].values)
    assert loaded.get_params() == fitted.get_params()
    assert loaded.n_classes_ == 3
    loaded.save(tmp_path / "again")
    assert TimeMILClassifier.load(tmp_path / "again").get_params() == fitted.get_params()
    assert not loaded.clone().is_fitted


def test_saving_never_replaces_what_is_no_model(fitted: TimeMILClassifier, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ModelError, match="holds no model"):
        fitted.save(tmp_path)
    assert (tmp_path / "notes.txt").exists()


@pytest.mark.parametrize(
    ("preset", "settings", "method"),
    [
        ("minirocket", {}, "exact-contribution"),
        ("rlinear", {}, "gradient-input"),
        ("ensemble", {"n_networks": 2, "embedding_width": 24}, "member-contributions"),
    ],
)
def test_another_network_is_fitted_explained_and_kept(
    preset: str, settings: dict[str, int], method: str, tmp_path: Path
) -> None:
    X, y = load_basic_motions(split="train")
    classifier = TimeMILClassifier(preset=preset, n_epochs=2, random_state=1, device="cpu", model_settings=settings)
    classifier.fit(X, y)
    (found,) = classifier.explain(X[:1], method=method)
    assert found.values.shape == (X.shape[2],)
    classifier.save(tmp_path / "model")
    loaded = TimeMILClassifier.load(tmp_path / "model")
    np.testing.assert_allclose(loaded.predict_proba(X[:4]), classifier.predict_proba(X[:4]), atol=1e-6)


def test_loads_what_the_app_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    training = training_preset("default", n_epochs=1, seed=3, device="cpu", batch_size=8, masking_share=0.2)
    run = create_run("BasicMotions", model_settings=SMALL, training=training)
    execute(run)
    loaded = TimeMILClassifier.load(run.model_folder)
    X, _ = load_basic_motions(split="test")
    model = open_model(run.reference)
    theirs = model.predict(list(X[:3].astype(np.float32))).probabilities
    np.testing.assert_allclose(loaded.predict_proba(X[:3]), theirs, atol=1e-6)
    assert loaded.classes_.tolist() == list(model.class_names)
    params = loaded.get_params()
    assert (params["n_epochs"], params["batch_size"], params["random_state"]) == (1, 8, 3)
    assert params["training_settings"]["masking_share"] == 0.2
    X, y = load_basic_motions(split="train")
    assert loaded.clone().fit(X, y).model_.fingerprint == model.fingerprint


@pytest.mark.parametrize(
    "kept",
    [
        {"params": {"wings": 2}, "classes": [1, 2, 3], "dtype": "<i8"},
        {"params": {}},
        {"params": {}, "classes": [1], "dtype": "<i8"},
    ],
)
def test_damaged_facts(fitted: TimeMILClassifier, tmp_path: Path, kept: dict[str, Any]) -> None:
    fitted.save(tmp_path / "model")
    description = tmp_path / "model" / "model.json"
    content = json.loads(description.read_text())
    content["facts"]["estimator"] = kept
    description.write_text(json.dumps(content))
    with pytest.raises(ModelError, match="what is kept of the classifier"):
        TimeMILClassifier.load(tmp_path / "model")
    with pytest.raises(ModelError):
        TimeMILClassifier.load(tmp_path / "nothing here")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"preset": "best"}, "no preset 'best'"),
        ({"n_epochs": 0}, "n_epochs is 0"),
        ({"learning_rate": -1.0}, "learning_rate is -1.0"),
        ({"normalisation": "fancy"}, "normalisation is 'fancy'"),
        ({"model_settings": {"pooling": "average"}}, "pooling is 'average'"),
        ({"model_settings": {"wings": 2}}, "wings"),
        ({"training_settings": {"wings": 2}}, "unknown training setting wings"),
        ({"training_settings": {"devices": 2}}, "several share the training of a run folder only"),
    ],
)
def test_settings_that_cannot_work(settings: dict[str, Any], message: str) -> None:
    X, y = made_up([0, 1])
    with pytest.raises(SettingsError, match=message):
        small(**settings).fit(X, y)


def test_settings_reach_network_and_training() -> None:
    X, y = made_up([0, 1])
    classifier = small(
        batch_size=None,
        normalisation="per-series",
        validation_share=0.0,
        model_settings={**SMALL, "pooling": "conjunctive"},
        training_settings={"with_supervised": True, "masking_share": 0.0},
    ).fit(X, y)
    model = classifier.model_
    assert model.network.config.pooling == "conjunctive"
    assert model.preparation.normalisation == "per-series"
    assert model.supervised is not None
    assert model.facts["n_validation"] == 0
    assert (model.facts["training"]["batch_size"], model.facts["training"]["masking_share"]) == (16, 0.0)
    assert classifier.explain(X[:1], "pooling")[0].values.shape == (12,)
    with pytest.raises(ModelError):
        classifier.explain(X[:1], "attention")


def test_searches_over_settings() -> None:
    X, y = made_up([0, 1])
    search = GridSearchCV(
        small(n_epochs=1), {"learning_rate": np.array([1e-3, 1e-2]), "batch_size": np.array([4])}, cv=2
    )
    search.fit(X, y)
    assert search.best_params_["batch_size"] == 4
    assert search.best_estimator_.predict(X).shape == y.shape


def test_verbose_prints_a_line_an_epoch(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = made_up([0, 1])
    classifier = small(verbose=True).fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    assert [line.startswith(f"TimeMIL: epoch {epoch}/2") for epoch, line in enumerate(lines, start=1)] == [True, True]
    assert [record.epoch for record in classifier.history_] == [1, 2]
    small().fit(X, y)
    assert capsys.readouterr().out == ""
