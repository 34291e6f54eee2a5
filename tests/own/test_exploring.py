"""A caller's classifier: in Python, and served to another process that asks for probabilities alone."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client
from pathlib import Path

import numpy as np
import pytest
import torch

from timemil_core import workspace
from timemil_core.data.synthetic import pulse_set
from timemil_core.errors import DataError, ModelError
from timemil_core.explain.baseline import untrained_copy
from timemil_core.explain.importance import explain, methods_for
from timemil_core.exploring import own_model, set_of
from timemil_core.models.abilities import Ability
from timemil_core.models.own.network import OwnConfig
from timemil_core.models.own.served import KEY, SOCKET, Server, served_network


class Highest:
    """A classifier of one line: how high the series reaches."""

    classes_ = np.array(["low", "high"])

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        high = 1 / (1 + np.exp(-(X.max(axis=(1, 2)) - 3)))
        return np.stack([1 - high, high], axis=1)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))
    return tmp_path


def test_every_method_that_needs_probabilities_alone_applies() -> None:
    whole = pulse_set(10, 4, seed=0)
    model = own_model(Highest(), whole)
    assert model.abilities == {Ability.LOGITS}
    with pytest.raises(ModelError, match="no copy that has learned nothing"):
        untrained_copy(model)
    chances = model.predict(whole.series).probabilities
    np.testing.assert_allclose(chances, Highest().predict_proba(np.stack(whole.series)), atol=1e-6)
    series = whole.series[0].copy()
    series[0] = 0
    series[0, 40:44] = 6.0
    assert {method.key for method in methods_for(model)} == {"occlusion", "ablation", "random-masking"}
    values = explain(model, series, "occlusion", 1, window=8).values
    assert 36 <= int(values.argmax()) <= 47


def test_another_classifier_of_the_same_sizes_has_another_fingerprint() -> None:
    whole = pulse_set(10, 4, seed=0)
    one = own_model(Highest(), whole)
    other = own_model(lambda X: Highest().predict_proba(X)[:, ::-1], whole)
    assert one.fingerprint == own_model(Highest(), whole).fingerprint
    assert one.fingerprint != other.fingerprint


def test_labels_are_in_the_order_of_the_classifier_s_classes() -> None:
    X = np.zeros((4, 12))
    made = set_of(Highest(), X, ["high", "low", "high", "low"])
    assert made.class_names == ("low", "high")
    assert made.labels.tolist() == [1, 0, 1, 0]
    assert made.n_channels == 1
    assert len(made.indices("test")) == 2
    whole = set_of(Highest(), X[:1], ["low"], X_train=X, y_train=["high", "low", "high", "low"])
    assert whole.split.tolist() == ["train"] * 4 + ["test"]
    with pytest.raises(DataError, match="'middle' is none of the classifier's"):
        set_of(Highest(), X, ["high", "low", "middle", "low"])


def test_probabilities_that_are_none_are_refused() -> None:
    whole = pulse_set(4, 2, seed=0)
    with pytest.raises(ModelError, match=r"shape \(1, 3\)"):
        own_model(lambda X: np.ones((len(X), 3)), whole)


def test_it_answers_another_process_and_only_who_has_the_key(home: Path) -> None:
    folder = home / workspace.SERVED / "own"
    server = Server(Highest().predict_proba, folder)
    try:
        assert folder.stat().st_mode & 0o777 == 0o700
        assert (folder / KEY).stat().st_mode & 0o777 == 0o600
        script = """
            import numpy as np, torch
            from timemil_core.models.own.network import OwnConfig
            from timemil_core.models.own.served import served_network
            network = served_network(OwnConfig(1, 2, "own"))
            values = torch.zeros(2, 1, 9)
            values[1] = 6
            print(network(values).sigmoid()[:, 1].tolist())
        """
        told = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120, check=True
        )
        low, high = (float(one) for one in told.stdout.strip("[]\n").split(","))
        assert (low, high) == (pytest.approx(0.0474, abs=1e-3), pytest.approx(0.9526, abs=1e-3))
        with pytest.raises((AuthenticationError, EOFError, ConnectionError)):
            Client(str(folder / SOCKET), family="AF_UNIX", authkey=b"no key").recv_bytes()
        network = served_network(OwnConfig(1, 2, "own"))
        assert network(torch.zeros(1, 1, 9)).shape == (1, 2)  # a stranger before changes nothing
    finally:
        server.close()


def test_a_classifier_that_fails_and_a_process_that_is_gone_are_told(home: Path) -> None:
    def failing(X: np.ndarray) -> np.ndarray:
        raise ValueError("only of length 12")

    server = Server(failing, home / workspace.SERVED / "own")
    network = served_network(OwnConfig(1, 2, "own"))
    with pytest.raises(ModelError, match="ValueError: only of length 12"):
        network(torch.zeros(1, 1, 9))
    server.close()
    with pytest.raises(ModelError, match="does not answer any more"):
        served_network(OwnConfig(1, 2, "gone"))(torch.zeros(1, 1, 9))


def test_of_a_classifier_that_gives_the_class_alone_the_margins_are_taken_or_it_is_told() -> None:
    whole = pulse_set(10, 6, seed=0)

    class Margins(Highest):
        def decision_function(self, X: np.ndarray) -> np.ndarray:
            return X.max(axis=(1, 2)) - 3

        def predict_proba(self, X: np.ndarray) -> np.ndarray:
            high = (self.decision_function(X) > 0).astype(float)
            return np.stack([1 - high, high], axis=1)

    model = own_model(Margins(), whole)
    assert "margins" in model.facts["notes"][0]
    said = model.predict(whole.series)
    assert (said.labels == (np.stack(whole.series).max(axis=(1, 2)) > 3)).all()
    assert len(np.unique(said.probabilities[:, 1].round(6))) > 10
    steps = own_model(lambda X: Margins().predict_proba(X), whole)
    assert "steps" in steps.facts["notes"][0]
    assert own_model(Highest(), whole).facts["notes"] == []


def test_a_classifier_of_aeon_that_ends_in_a_ridge_is_told_by_its_margins() -> None:
    from sklearn.linear_model import RidgeClassifierCV

    whole = pulse_set(12, 4, seed=1)
    X, y = np.stack(whole.series), whole.labels

    class EndsInARidge:
        """As aeon's MultiRocketHydraClassifier: a last step within, and no decision of its own."""

        def __init__(self) -> None:
            self.classifier = RidgeClassifierCV().fit(X[:, 0], y)

        def _predict(self, series: np.ndarray) -> np.ndarray:
            return self.classifier.predict(series[:, 0])

        def predict_proba(self, series: np.ndarray) -> np.ndarray:
            return np.eye(2)[self._predict(series)]

    one = EndsInARidge()
    model = own_model(one, whole)
    assert (model.predict(whole.series).labels == one._predict(X)).all()
    assert len(np.unique(model.predict(whole.series).probabilities[:, 0].round(6))) > 5


def test_a_classifier_of_flat_rows_with_margins_alone_is_seen_as_any_other() -> None:
    from sklearn.linear_model import RidgeClassifierCV

    whole = pulse_set(12, 4, seed=1)
    rows = np.stack(whole.series)[:, 0]
    ridge = RidgeClassifierCV().fit(rows, whole.labels)  # no predict_proba, no call
    model = own_model(ridge, whole, flat=True)
    assert (model.predict(whole.series).labels == ridge.predict(rows)).all()
    assert "margins" in model.facts["notes"][0]
    with pytest.raises(ModelError, match="neither predict_proba nor decision_function"):
        own_model(object(), whole)
