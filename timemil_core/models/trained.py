"""``TrainedModel``: a network, the preparation that belongs to it, and the names of what it reads and says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from timemil_core.data.padding import pad
from timemil_core.data.preparation import Preparation, has_values, overflow, overflows
from timemil_core.data.series_set import UNKNOWN_LABEL, FloatArray, SeriesSet, default_channel_names
from timemil_core.errors import DataError, ModelError, TimeMILError
from timemil_core.models.abilities import Abilities, Ability
from timemil_core.models.fingerprint import weights_fingerprint
from timemil_core.models.network import Network
from timemil_core.models.timemil import Output, TimeMIL, probabilities
from timemil_core.models.wavelet_path import WaveletPath

TIMEPOINTS_AT_ONCE = 40_000


@dataclass(frozen=True)
class Prediction:
    """What a model says of some series.

    Attributes
    ----------
    logits
        ``(n_series, n_classes)``, one-vs-rest.
    probabilities
        ``(n_series, n_classes)``, summing to 1 over classes.
    problems
        Why a series could not be classified, by its place; its logits and probabilities are NaN.
    """

    logits: npt.NDArray[np.float32]
    probabilities: npt.NDArray[np.float64]
    problems: Mapping[int, TimeMILError] = field(default_factory=dict)

    @property
    def labels(self) -> npt.NDArray[np.int64]:
        """The most probable class of each series, ``(n_series,)`` (equation 5); -1 where it was not classified."""
        labels = self.logits.argmax(axis=1).astype(np.int64)
        labels[list(self.problems)] = UNKNOWN_LABEL
        return labels


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """A network in eval mode with all that is needed to use it. Shared read-only between sessions.

    Attributes
    ----------
    network
        In eval mode; nobody changes it or leaves a hook on it.
    preparation
        Fitted on the training series alone.
    class_names, channel_names, sampling_rate
        Of the data it was trained on; logits come in the order of ``class_names``.
    facts
        What its card tells: data, fingerprint, command, seed, split, scores, versions.
    supervised
        The fully supervised counterpart where one was trained beside it.
    wavelet_path
        Where the wavelets were during the whole training, beyond the kept epoch too; None where it was not recorded.
    """

    network: Network
    preparation: Preparation
    class_names: tuple[str, ...]
    channel_names: tuple[str, ...]
    sampling_rate: float | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    supervised: TimeMIL | None = None
    wavelet_path: WaveletPath | None = None

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.network.device

    @property
    def timemil(self) -> TimeMIL:
        """The network of a model that sees a series as a bag of instances; ask for ``Ability.INSTANCES`` first.

        Raises
        ------
        ModelError
            Where it is another.
        """
        if not isinstance(self.network, TimeMIL):
            raise ModelError(
                f"this model has no {Ability.INSTANCES.value}.", remedy="Choose a TimeMIL model, or another question."
            )
        return self.network

    @cached_property
    def members(self) -> tuple[TrainedModel, ...]:
        """The models that this one averages, each with all that is needed to use it; none where it is one network."""
        return tuple(
            replace(self, network=one, facts={}, supervised=None, wavelet_path=None) for one in self.network.averaged
        )

    @property
    def abilities(self) -> Abilities:
        """What it can be asked for: methods that need more do not apply to it."""
        several = {Ability.SEVERAL_CHANNELS} if len(self.channel_names) > 1 else set()
        return self.network.abilities | several

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that change with any weight, setting or preparation: with what the model says."""
        config = self.network.config
        # Defaults are left out, so that a setting that a later version adds changes no earlier model's.
        defaults = {one.name: one.default for one in fields(cast(Any, config))}
        changed = {name: value for name, default in defaults.items() if (value := getattr(config, name)) != default}
        return weights_fingerprint(self.network, {"config": changed, "preparation": self.preparation.to_json()})

    def check_fits(self, series_set: SeriesSet) -> None:
        """Refuse a data set that this model cannot read.

        Raises
        ------
        ModelError
            Where the channels differ in number, or in name or order while both sides name them.
        """
        if series_set.n_channels != len(self.channel_names):
            raise ModelError(
                f"the model reads {len(self.channel_names)} channels ({', '.join(self.channel_names)}), the data have "
                f"{series_set.n_channels} ({', '.join(series_set.channel_names)}).",
                where=series_set.name,
                remedy="Choose a model that was trained on data like these, or train one.",
            )
        unnamed = default_channel_names(series_set.n_channels)
        theirs, ours = series_set.channel_names, self.channel_names
        if unnamed not in (theirs, ours) and theirs != ours:
            raise ModelError(
                f"the model reads the channels {', '.join(ours)}, in this order; the data have {', '.join(theirs)}.",
                where=series_set.name,
                remedy="Name and order the channels as the model does, or choose a model trained on data like these.",
            )

    def batches(self, series: Sequence[FloatArray]) -> Iterator[tuple[list[int], Tensor, Tensor | None]]:
        """Yield (indices, values, mask) of prepared series on the model's device.

        Series of like length come together, of one length where the network takes no other; a batch holds at most
        about 40,000 time points, or one series. The mask is None where nothing is padded.
        """
        prepared = self.preparation.transform(series)
        for index, one in enumerate(prepared):
            if overflows(one):
                raise self._problem(series[index], one, str(index))
        return self._batches(prepared)

    def _batches(self, prepared: Sequence[FloatArray]) -> Iterator[tuple[list[int], Tensor, Tensor | None]]:
        order = sorted(range(len(prepared)), key=lambda index: prepared[index].shape[1])
        batch: list[int] = []
        for index in order:
            length = prepared[index].shape[1]
            fits = length * (len(batch) + 1) <= TIMEPOINTS_AT_ONCE
            joins = self.network.config.masks_padding or not batch or length == prepared[batch[0]].shape[1]
            if batch and not (fits and joins):
                yield batch, *self._tensors([prepared[i] for i in batch])
                batch = []
            batch.append(index)
        if batch:
            yield batch, *self._tensors([prepared[i] for i in batch])

    def predict(self, series: Sequence[FloatArray], names: Sequence[str] = ()) -> Prediction:
        """Classify raw (unprepared) series, each ``(n_channels, n_timepoints)``, in the order given.

        Parameters
        ----------
        series
            NaN is a missing value.
        names
            What errors call the series; by default they are counted from 0.

        Raises
        ------
        DataError
            Where a series holds no value, or one so large that its logits are no numbers.
        ModelError
            Where the channels do not fit, or the model's own weights are no numbers.
        """
        prediction = self.predict_each(series, names)
        for problem in prediction.problems.values():
            raise problem
        return prediction

    def predict_each(self, series: Sequence[FloatArray], names: Sequence[str] = ()) -> Prediction:
        """Classify as ``predict`` does, but tell in ``problems`` of series that cannot be, instead of refusing all."""
        logits = np.full((len(series), len(self.class_names)), np.nan, dtype=np.float32)
        prepared = self.preparation.transform(series)
        fit = [index for index, one in enumerate(series) if has_values(one) and not overflows(prepared[index])]
        with torch.inference_mode():
            for places, values, mask in self._batches([prepared[index] for index in fit]):
                logits[[fit[place] for place in places]] = self.network(values, mask).float().cpu().numpy()
        unclassified = np.flatnonzero(~np.isfinite(logits).all(axis=1)).tolist()
        logits[unclassified] = np.nan
        problems = {
            index: self._problem(series[index], prepared[index], names[index] if names else str(index))
            for index in unclassified
        }
        return Prediction(logits, probabilities(torch.from_numpy(logits)).numpy(), problems)

    def detailed(self, series: FloatArray, name: str = "") -> Output:
        """Return logits, instances and pooling weights of one raw series ``(n_channels, n_timepoints)``.

        ``name`` is what errors call it. Raises as ``predict`` does.
        """
        self.check_values(series, name)
        (prepared,) = self.preparation.transform([series])
        with torch.inference_mode():
            (_, values, mask), *_ = self._batches([prepared])
            output = self.timemil.detailed(values, mask)
        if not bool(output.logits.isfinite().all()):
            raise self._problem(series, prepared, name)
        return output

    def check_values(self, series: FloatArray, name: str = "") -> None:
        """Refuse a raw series ``(n_channels, n_timepoints)`` without a value, or with one that is too large.

        ``name`` is what errors call it. Raises as ``predict`` does, but for logits that are no numbers.
        """
        (prepared,) = self.preparation.transform([series])
        if not has_values(series) or overflows(prepared):
            raise self._problem(series, prepared, name)

    def _problem(self, series: FloatArray, prepared: FloatArray, name: str) -> TimeMILError:
        where = f"series {name!r}" if name else "this series"
        if not has_values(series):
            return DataError(
                "it holds no value at all: there is nothing to classify.", where=where, remedy="Leave it out."
            )
        if not all(bool(one.isfinite().all()) for one in self.network.state_dict().values()):
            return ModelError(
                "its logits are no numbers, because weights of the model are none.",
                where=where,
                remedy="Train the model again, or copy its folder anew.",
            )
        return overflow(series, prepared, where, self.channel_names)

    def _tensors(self, series: Sequence[FloatArray]) -> tuple[Tensor, Tensor | None]:
        values, mask = pad(series)
        observed = None if mask.all() else torch.from_numpy(mask).to(self.device)
        return torch.from_numpy(values).to(self.device), observed
