"""``TimeMILClassifier``: the face that scikit-learn and aeon know."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from aeon.classification.base import BaseClassifier
from sklearn.utils import check_random_state

from timemil_core.data.in_memory import refuse_empty, series_of, training_set
from timemil_core.data.series_set import FloatArray
from timemil_core.errors import ModelError, SettingsError
from timemil_core.explain.examination import examine
from timemil_core.explain.importance import Importance, explain
from timemil_core.explain.wavelets import LearnedWavelets, learned_wavelets
from timemil_core.models.at_once import asked_for, sizes_of
from timemil_core.models.config import check_changes
from timemil_core.models.storage import load_model, save_model
from timemil_core.models.trained import TrainedModel
from timemil_core.training.config import LARGEST_SEED, TrainingConfig, training_preset
from timemil_core.training.device import pick_device
from timemil_core.training.fit import fit_model
from timemil_core.training.metrics import EpochRecord
from timemil_core.training.reporter import epoch_line

OPTIONAL_SETTINGS = ("batch_size", "learning_rate", "validation_share", "normalisation")
PARAMETERS = {**{name: name for name in (*OPTIONAL_SETTINGS, "n_epochs", "device")}, "seed": "random_state"}
"""Settings of the training that are parameters of the estimator's own, by their names there."""
FACT = "estimator"  # where a saved model's facts keep what the estimator needs besides


class TimeMILClassifier(BaseClassifier):
    """TimeMIL (Chen et al., ICML 2024) as an aeon classifier; trained by the loop that the app and command line use.

    Series are univariate or multivariate, of equal or unequal lengths, with or without missing values: a numpy array
    ``(n_series, n_channels, n_timepoints)`` or a list of arrays ``(n_channels, n_timepoints)``. Time points at a
    series' end that are NaN in all channels are padding, and cut off, as from a file.

    Parameters
    ----------
    preset
        ``"default"``, ``"faithful"``, ``"paper"`` or ``"authors"``: where the settings below start from; or another
        network, such as ``"ensemble"``, ``"minirocket"`` or ``"patchtst"`` (``models.at_once.TRAINABLE``).
    n_epochs
        Passes over the training series.
    random_state
        Seed of everything random, from 0 to 2³² - 1; the same seed on the same machine's CPU gives the same weights,
        whatever other threads do. None draws one from NumPy's global generator, as in scikit-learn; no other
        generator of the process is used or changed.
    batch_size, learning_rate, validation_share, normalisation
        As in ``TrainingConfig``; None takes the preset's.
    device
        ``"auto"`` (a GPU where there is one), ``"cpu"``, ``"cuda"``.
    model_settings
        Further settings of ``ModelConfig``, such as ``{"pooling": "conjunctive"}``; channels and classes are the
        data's.
    training_settings
        Further settings of ``TrainingConfig``, such as ``{"masking_share": 0.0}``; what is a parameter above is given
        there.
    verbose
        Whether ``fit`` prints a line an epoch.

    Attributes
    ----------
    model_ : TrainedModel
        What was learned; every function of ``timemil_core.explain`` takes it.
    history_ : list of EpochRecord
        Losses and accuracies by epoch.
    classes_ : np.ndarray
        The labels, in the order of the probabilities' columns.

    Examples
    --------
    >>> from aeon.datasets import load_basic_motions
    >>> X, y = load_basic_motions(split="train")
    >>> classifier = TimeMILClassifier(n_epochs=20).fit(X, y)  # doctest: +SKIP
    >>> classifier.explain(X[:1])[0].values.shape  # doctest: +SKIP
    (100,)
    """

    classes_: npt.NDArray[Any]

    _tags = {  # noqa: RUF012 (aeon's own form)
        "capability:multivariate": True,
        "capability:unequal_length": True,
        "capability:missing_values": True,
        "X_inner_type": ["np-list", "numpy3D"],
        "algorithm_type": "deeplearning",
        "non_deterministic": False,
    }

    def __init__(
        self,
        preset: str = "default",
        n_epochs: int = 100,
        random_state: int | np.random.RandomState | None = 0,
        batch_size: int | None = None,
        learning_rate: float | None = None,
        validation_share: float | None = None,
        normalisation: str | None = None,
        device: str = "auto",
        model_settings: dict[str, Any] | None = None,
        training_settings: dict[str, Any] | None = None,
        verbose: bool = False,
    ) -> None:
        self.preset = preset
        self.n_epochs = n_epochs
        self.random_state = random_state
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.validation_share = validation_share
        self.normalisation = normalisation
        self.device = device
        self.model_settings = model_settings
        self.training_settings = training_settings
        self.verbose = verbose
        super().__init__()
        if device != "cpu" and torch.cuda.is_available():  # a GPU adds up gradients in no fixed order
            self.set_tags(non_deterministic=True)

    def explain(
        self,
        X: Any,
        method: str = "attention",
        target_class: Hashable = None,
        against: Hashable = None,
        **settings: Any,
    ) -> list[Importance]:
        """Explain each series.

        Parameters
        ----------
        X
            As for ``predict``.
        method
            A key of ``timemil_core.explain.importance.METHODS``.
        target_class
            A label of ``classes_``; by default each series' predicted one. Methods that know no class pass it by.
        against
            A label of ``classes_``, to explain why the target and not this one; for class-specific methods alone.
        settings
            Of the method.

        Returns
        -------
        list of Importance
            One a series; ``.values`` is ``(n_timepoints,)`` without padding, and ``.target_class`` and
            ``.against_class`` count in ``classes_``.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        SettingsError
            Where the method, a setting or a class does not exist.
        DataError
            Where a series holds no value, or one so large that its logits are no numbers.
        ModelError
            Where the method does not apply to the model's pooling.
        """
        series = self._checked(X)
        target, other = (None if label is None else self._class_index(label) for label in (target_class, against))
        return [
            explain(self.model_, one, method, target, against=other, name=str(place), **settings)
            for place, one in enumerate(series)
        ]

    def embed(self, X: Any) -> list[FloatArray]:
        """Return each series' instance embeddings, ``(n_timepoints, L)``. ``X`` is as for ``predict``."""
        return [examine(self.model_, one, name=str(place)).instances for place, one in enumerate(self._checked(X))]

    def wavelets(self) -> LearnedWavelets:
        """Return the learned scales, shifts and kernels, by layer; none where the encoding is no wavelet one."""
        self._check_is_fitted()
        return learned_wavelets(self.model_)

    def save(self, folder: str | PathLike[str]) -> None:
        """Write the fitted classifier as safetensors and JSON; the app opens such a folder too.

        Raises
        ------
        ModelError
            Where ``folder`` exists and holds anything but a model, or the labels are of a kind that JSON cannot keep.
        """
        self._check_is_fitted()
        facts = {**self.model_.facts, FACT: self._facts()}
        save_model(replace(self.model_, facts=facts), Path(folder))

    @classmethod
    def load(cls, folder: str | PathLike[str], device: str = "auto") -> TimeMILClassifier:
        """Read a classifier that ``save`` wrote, or a model of the app or the command line.

        Such a model's classes are its class names, as strings.

        Raises
        ------
        ModelError
            Where the folder holds no model, or a damaged one.
        SettingsError
            Where this machine lacks the device.
        """
        model = load_model(Path(folder), pick_device(device))
        kept = model.facts.get(FACT) or _facts_of_other_origin(model)
        try:
            estimator = cls(**kept["params"])
            classes = np.array(kept["classes"], dtype=kept["dtype"])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"what is kept of the classifier is damaged: {error!r}.", where=str(folder)) from error
        if classes.shape != (len(model.class_names),):
            raise ModelError("what is kept of the classifier names other classes.", where=str(folder))
        return estimator._with_model(model, classes)

    def _fit(self, X: Sequence[FloatArray], y: npt.NDArray[Any]) -> TimeMILClassifier:
        labels = np.searchsorted(self.classes_, y).astype(np.int64)
        series_set, found = training_set(series_of(X), labels, [str(label) for label in self.classes_])
        for line in found:
            warnings.warn(line.told, UserWarning, stacklevel=3)
        training = self._training_config()
        settings = check_changes(_plain(self.model_settings or {}))
        config = asked_for(self.preset, **sizes_of(series_set), **settings)
        self.history_: list[EpochRecord] = []

        def on_epoch(stage: str, record: EpochRecord) -> None:
            self.history_.append(record)
            if self.verbose:
                print(epoch_line(stage, record, training.n_epochs))

        self.model_ = fit_model(series_set, config, training, on_epoch=on_epoch)
        return self

    def _predict(self, X: Sequence[FloatArray]) -> npt.NDArray[Any]:
        return np.asarray(self.classes_)[self.model_.predict(series_of(X)).labels]

    def _predict_proba(self, X: Sequence[FloatArray]) -> npt.NDArray[np.float64]:
        return self.model_.predict(series_of(X)).probabilities

    def _preprocess_collection(self, X: Any, store_metadata: bool = True) -> Any:
        refuse_empty(X)
        return super()._preprocess_collection(X, store_metadata)

    def _checked(self, X: Any) -> list[FloatArray]:
        self._check_is_fitted()
        X = self._preprocess_collection(X, store_metadata=False)
        self._check_shape(X)
        return series_of(X)

    def _class_index(self, label: Hashable) -> int:
        known = self.classes_.tolist()
        if not isinstance(label, Hashable) or label not in self._class_dictionary:
            raise SettingsError(f"there is no class {label!r}.", remedy=f"Give one of {', '.join(map(repr, known))}.")
        return int(self._class_dictionary[label])

    def _training_config(self) -> TrainingConfig:
        given = {name: getattr(self, name) for name in OPTIONAL_SETTINGS}
        further = _plain(self.training_settings or {})
        if not isinstance(further, dict):
            raise SettingsError(f"training_settings is {further!r}.", remedy="Give a dictionary of names and values.")
        if twice := [name for name in further if name in PARAMETERS]:
            name = PARAMETERS[twice[0]]
            raise SettingsError(
                f"training_settings holds {twice[0]!r}, which is a parameter of the classifier.",
                remedy=f"Give {name}={further[twice[0]]!r}.",
            )
        if further.get("selection") == "test":
            raise SettingsError(
                "selection is 'test', but fit is given no test series.",
                remedy="Choose the epoch on 'validation' or take the 'last'.",
            )
        changes = {
            "n_epochs": self.n_epochs,
            "device": self.device,
            "seed": self._seed(),
            "with_supervised": False,
            **{name: value for name, value in given.items() if value is not None},
            **further,
        }
        return training_preset(self.preset, **_plain(changes))

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer):
            return int(self.random_state)
        try:
            drawn = check_random_state(self.random_state).randint(LARGEST_SEED, dtype=np.int64)
        except ValueError as error:
            raise SettingsError(
                f"random_state is {self.random_state!r}.",
                remedy=f"Give a whole number from 0 to {LARGEST_SEED}, a RandomState or None.",
            ) from error
        return int(drawn)

    def _facts(self) -> dict[str, Any]:
        params = {**self.get_params(deep=False), "random_state": self.model_.facts.get("seed", 0)}
        return {"params": _plain(params), "classes": _kept_labels(self.classes_), "dtype": self.classes_.dtype.str}

    def _with_model(self, model: TrainedModel, classes: npt.NDArray[Any]) -> TimeMILClassifier:
        self.model_ = model
        self.classes_ = classes
        self.n_classes_ = len(classes)
        self._class_dictionary = {label: index for index, label in enumerate(classes)}
        n_channels = len(model.channel_names)
        self.metadata_ = {"n_channels": n_channels, "multivariate": n_channels > 1, "unequal_length": True}
        self.is_fitted = True
        return self

    @classmethod
    def _get_test_params(cls, parameter_set: str = "default") -> dict[str, Any]:
        """Return settings for aeon's own checks: a network that trains in a second."""
        small = {"embedding_width": 8, "n_heads": 2, "head_size": 4, "n_landmarks": 4}
        return {"n_epochs": 2, "batch_size": 4, "device": "cpu", "model_settings": small}


def _kept_labels(classes: npt.NDArray[Any]) -> list[Any]:
    if classes.dtype.kind in "MS":
        classes = classes.astype(str)
    if classes.dtype.kind == "m":
        classes = classes.astype(np.int64)
    if unkept := [label for label in classes.tolist() if not isinstance(label, str | int | float | bool)]:
        raise ModelError(
            f"the label {unkept[0]!r} is of the kind {type(unkept[0]).__name__}, which a saved model cannot keep.",
            remedy="Fit with labels that are text, numbers or NumPy's datetimes.",
        )
    return list(classes.tolist())


def _facts_of_other_origin(model: TrainedModel) -> dict[str, Any]:
    # Of a model that the app or the command line trained: settings with which a clone trains alike.
    settings = model.network.config.to_json()
    del settings["n_channels"], settings["n_classes"]
    training = dict(model.facts.get("training", {}))
    named = {key: training.pop(key) for key in ("n_epochs", "device", *OPTIONAL_SETTINGS) if key in training}
    seed = training.pop("seed", 0)
    params = {**named, "random_state": seed, "model_settings": settings, "training_settings": training}
    return {"params": params, "classes": list(model.class_names), "dtype": "str"}


def _plain(value: Any) -> Any:
    # Searches over settings hand in NumPy's numbers; settings and JSON take Python's.
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value.item() if isinstance(value, np.generic) else value
