"""``data.json`` of a run folder: which series train, choose the epoch and are scored, and how they are prepared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from timemil_core.atomic import set_aside, write_json
from timemil_core.data import catalogue
from timemil_core.data.preparation import Preparation, has_values, overflow, overflows
from timemil_core.data.series_set import UNKNOWN_LABEL, IntArray, SeriesSet
from timemil_core.data.splitting import validation_indices, validation_report
from timemil_core.errors import DataError, RunError
from timemil_core.training.config import TrainingConfig
from timemil_core.training.examples import Examples, make_examples
from timemil_core.training.metrics import JudgedOn
from timemil_core.training.run_files import DATA, read_file
from timemil_core.training.run_folder import RunFolder

NO_INDICES: IntArray = np.array([], dtype=np.int64)
MADE_ANEW = f"{DATA} was damaged; the series were split and prepared anew, by the settings and the seed as before."


@dataclass(frozen=True, eq=False)
class RunData:
    """The data of one run.

    Attributes
    ----------
    series_set
        The whole set.
    fit, validation, test
        Indices of the labelled series in it: to train on; to choose the epoch by; to score once.
    preparation
        Fitted on ``fit`` alone.
    judged_on
        Which series choose the epoch.
    notes
        What was decided and why, in sentences.
    """

    series_set: SeriesSet
    fit: IntArray
    validation: IntArray
    test: IntArray
    preparation: Preparation
    judged_on: JudgedOn
    notes: tuple[str, ...]

    @property
    def judged(self) -> IntArray:
        """Indices of the series that choose the epoch."""
        return self.test if self.judged_on == "test" else self.validation

    def examples(self, indices: IntArray, device: torch.device) -> Examples | None:
        """Return prepared examples, None for no indices."""
        if not len(indices):
            return None
        series = self.preparation.transform([self.series_set.series[index] for index in indices])
        return make_examples(series, self.series_set.labels[indices], self.series_set.n_classes, device)


def run_data(run: RunFolder) -> RunData:
    """Load the data of a run; split and prepare them on the first call, read the split again on later ones.

    Raises
    ------
    RunError
        Where the data are no longer those that the run was created with.
    DataError
        Where they cannot be read, or no labelled series are left to train on.
    """
    series_set = catalogue.load(run.data)
    if series_set.fingerprint != run.config["fingerprint"]:
        raise RunError(
            f"the data {run.data!r} are no longer those that this run was created with.",
            where=run.reference,
            remedy="Start a new run.",
        )
    try:
        content = read_file(run.folder, DATA)
        is_damaged = content is not None and not _belongs(content, series_set)
    except RunError:
        content, is_damaged = None, True
    if content is None or is_damaged:
        data = split_and_prepare(series_set, run.training)
        if is_damaged:
            set_aside(run.folder / DATA)
            data = replace(data, notes=(*data.notes, MADE_ANEW))
        content = _to_json(run, data)
        write_json(run.folder / DATA, content)
    return _from_json(series_set, content)


def _belongs(content: dict[str, Any], series_set: SeriesSet) -> bool:
    indices = [*content["fit"], *content["validation"], *content["test"]]
    fits = len(content["preparation"]["means"]) == series_set.n_channels
    return fits and len(content["fit"]) > 0 and max(indices) < len(series_set)


def split_and_prepare(series_set: SeriesSet, training: TrainingConfig) -> RunData:
    """Choose the series that train, choose the epoch and are scored, and fit the preparation.

    Raises
    ------
    DataError
        Where there are no labelled training series of two classes.
    """
    known = series_set.labels != UNKNOWN_LABEL
    known &= np.array([has_values(values) for values in series_set.series])
    train = np.flatnonzero(known & (series_set.split == "train"))
    test = np.flatnonzero(known & (series_set.split == "test"))
    if len(np.unique(series_set.labels[train])) < 2:
        raise DataError(
            "the training part holds labelled series of fewer than two classes.",
            where=series_set.name,
            remedy="Give a class to more series, or split the data anew.",
        )
    on_test = training.selection == "test" and len(test) > 0
    fit, validation = train, NO_INDICES
    if training.validation_share > 0 and not on_test:
        groups = None if series_set.groups is None else [series_set.groups[index] for index in train]
        chosen_fit, chosen = validation_indices(
            series_set.labels[train], training.validation_share, training.seed, groups
        )
        fit, validation = train[chosen_fit], train[chosen]
    preparation = Preparation.fit([series_set.series[index] for index in fit], training.normalisation)
    for index in (*train, *test):  # now, not after hours at the first epoch's judgement or the last's score
        (prepared,) = preparation.transform([series_set.series[index]])
        if overflows(prepared):
            where = f"{series_set.name}, series {series_set.series_ids[index]!r}"
            raise overflow(series_set.series[index], prepared, where, series_set.channel_names)
    judged_on: JudgedOn = "test" if on_test else "validation"
    notes = _notes(series_set, training, n_test=len(test), on_test=on_test)
    if training.validation_share > 0 and not on_test:
        local = np.flatnonzero(np.isin(train, validation))
        notes += (
            validation_report(
                series_set.labels[train], local, series_set.class_names, by_group=series_set.groups is not None
            ),
        )
    return RunData(series_set, fit, validation, test, preparation, judged_on, notes)


def _notes(series_set: SeriesSet, training: TrainingConfig, *, n_test: int, on_test: bool) -> tuple[str, ...]:
    n_unknown = int((series_set.labels == UNKNOWN_LABEL).sum())
    n_empty = sum(not has_values(values) for values in series_set.series)
    warm_up = training.effective_warm_up
    told = {
        f"{n_unknown} series without a class are neither trained on nor scored.": n_unknown > 0,
        f"{n_empty} series without a single value are neither trained on nor scored.": n_empty > 0,
        "There is no labelled test part: the finished model is not scored on new series.": n_test == 0,
        "The epoch is chosen on the test set, as the authors' code does: the test scores are too good and say "
        "nothing of new series. All training series are trained on.": on_test,
        "There is no test part to choose the epoch on, as was asked for.": training.selection == "test" and not on_test,
        "No series are held out to choose the epoch by: the last epoch is kept.": training.validation_share == 0
        and training.n_epochs > 1  # what is fitted at once has one
        and not on_test,
        f"The warm-up takes {warm_up} instead of {training.warm_up_epochs} epochs, so that most of the "
        f"{training.n_epochs} epochs train the class token.": warm_up != training.warm_up_epochs,
    }
    return tuple(sentence for sentence, applies in told.items() if applies)


def _to_json(run: RunFolder, data: RunData) -> dict[str, Any]:
    return {
        "data": run.data,
        "data_name": data.series_set.name,
        "fingerprint": data.series_set.fingerprint,
        "fit": data.fit.tolist(),
        "validation": data.validation.tolist(),
        "test": data.test.tolist(),
        "judged_on": data.judged_on,
        "preparation": data.preparation.to_json(),
        "notes": list(data.notes),
    }


def _from_json(series_set: SeriesSet, content: dict[str, Any]) -> RunData:
    fit, validation, test = (np.array(content[key], dtype=np.int64) for key in ("fit", "validation", "test"))
    preparation = Preparation.from_json(content["preparation"])
    return RunData(series_set, fit, validation, test, preparation, content["judged_on"], tuple(content["notes"]))
