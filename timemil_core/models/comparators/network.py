"""A comparator as a network: its training series, its name and its seed, from which it is fitted again when opened.

No pickle of another library's object is ever kept or read: what is stored are arrays, and what the classifier said of
some of its own training series. It is fitted when first asked, and refused where it no longer says the same.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from timemil_core.data.series_set import FloatArray, IntArray
from timemil_core.errors import ModelError, SettingsError
from timemil_core.models.abilities import Abilities, Ability
from timemil_core.models.comparators.classifiers import COMPARATORS, Fitted
from timemil_core.models.network import Network
from timemil_core.setting_checks import check_settings, one_of, whole

N_CHECKED = 10
SAME = 1e-3  # of a logit


@dataclass(frozen=True)
class ComparatorConfig:
    """What a comparator is fitted from, besides its training series.

    Attributes
    ----------
    n_channels, n_classes, n_series, n_timepoints
        Of the training series; shorter ones are held at their last value up to the longest's length, and of longer
        ones no more is read, but by warping, which takes any length.
    network
        A key of ``COMPARATORS``.
    seed
        Of everything random.
    """

    n_channels: int
    n_classes: int
    network: str
    n_series: int
    n_timepoints: int
    seed: int = 0

    masks_padding: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_settings(self, _CHECKS)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> ComparatorConfig:
        """Read what ``to_json`` wrote. Raises SettingsError where a setting is missing, unknown or cannot work."""
        try:
            return cls(**content)
        except TypeError as error:
            raise SettingsError(f"settings of a comparator do not fit: {error}.") from error


_CHECKS = {
    "n_channels": whole(1, 100_000),
    "n_classes": whole(1, 100_000),
    "network": one_of(tuple(COMPARATORS)),
    "n_series": whole(1, 10**7),
    "n_timepoints": whole(1, 10**7),
    "seed": whole(0, 2**32 - 1),
}


class ComparatorNetwork(Network):
    """Asks the comparator; fits it first, once, whichever thread comes first."""

    config: ComparatorConfig

    def __init__(self, config: ComparatorConfig) -> None:
        super().__init__()
        self.config = config
        shape = (config.n_series, config.n_channels, config.n_timepoints)
        self.register_buffer("training_values", torch.zeros(shape))
        self.register_buffer("training_labels", torch.zeros(config.n_series, dtype=torch.int64))
        self.register_buffer("said", torch.zeros(min(config.n_series, N_CHECKED), config.n_classes))
        self.training_values: Tensor
        self.training_labels: Tensor
        self.said: Tensor
        self._fitting = threading.Lock()
        self._fitted: Fitted | None = None

    @property
    def abilities(self) -> Abilities:
        """What it can be asked for: logits, and nothing of what is inside."""
        return frozenset({Ability.LOGITS, Ability.UNTRAINED})

    @property
    def reads_at_most(self) -> int | None:
        """As many time points as the longest training series has, unless it takes any length."""
        return None if COMPARATORS[self.config.network].takes_any_length else self.config.n_timepoints

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``; masked time points take the last value before them.

        Raises
        ------
        ModelError
            Where the classifier, fitted again, says something else than it did when it was stored.
        """
        series = values.detach().cpu().numpy().astype(np.float64)
        if mask is not None:
            series = np.stack(
                [_held(one[:, kept], one.shape[1]) for one, kept in zip(series, mask.cpu().numpy(), strict=True)]
            )
        held = np.stack([_held(one, max(one.shape[1], self.config.n_timepoints)) for one in series])
        logits = self._ready().logits(held[:, :, : self.reads_at_most])
        return torch.from_numpy(logits).to(values)

    def untrained(self, seed: int) -> ComparatorNetwork:
        """Return one that is fitted on the same series with their classes dealt out anew."""
        other = ComparatorNetwork(self.config)
        other.load_state_dict(self.state_dict())
        order = torch.randperm(self.config.n_series, generator=torch.Generator().manual_seed(seed))
        other.training_labels.copy_(self.training_labels[order.to(self.training_labels.device)])
        other.fit()
        return other

    def fit(self) -> None:
        """Fit on the training series, and note what is said of some of them."""
        self._fitted = self._fit()
        self.said.copy_(self._said(self._fitted))

    def _ready(self) -> Fitted:
        with self._fitting:
            if self._fitted is None:
                fitted = self._fit()
                differ = (self._said(fitted) - self.said).abs().max()
                if not differ <= SAME:
                    raise ModelError(
                        f"{COMPARATORS[self.config.network].title}, fitted again from its training series, differs "
                        f"by {float(differ):.2g} of a logit from what it said when it was stored.",
                        remedy="Train it again: another version of a library may fit otherwise.",
                    )
                self._fitted = fitted
            return self._fitted

    def _fit(self) -> Fitted:
        fitted = COMPARATORS[self.config.network].build(self.config.seed)
        with torch.random.fork_rng(devices=[]), torch.inference_mode(False):  # aeon's torch parts seed the process
            fitted.fit(self._training(), self.training_labels.cpu().numpy(), self.config.n_classes)
        return fitted

    def _said(self, fitted: Fitted) -> Tensor:
        return torch.from_numpy(fitted.logits(self._training()[: len(self.said)])).to(self.said)

    def _training(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        return self.training_values.cpu().numpy().astype(np.float64)


def fit_comparator(
    name: str, series: Sequence[FloatArray], labels: IntArray, n_classes: int, seed: int = 0
) -> ComparatorNetwork:
    """Fit a comparator on prepared training series, each ``(n_channels, n_timepoints)``."""
    longest = max(one.shape[1] for one in series)
    config = ComparatorConfig(series[0].shape[0], n_classes, name, len(series), longest, seed)
    network = ComparatorNetwork(config)
    network.training_values.copy_(torch.from_numpy(np.stack([_held(one, longest) for one in series])))
    network.training_labels.copy_(torch.from_numpy(labels))
    network.fit()
    return network.eval()


def _held(one: np.ndarray[Any, Any], n_timepoints: int) -> np.ndarray[Any, Any]:
    """Hold a series ``(n_channels, n)`` at its last value up to a length."""
    return np.pad(one, ((0, 0), (0, n_timepoints - one.shape[1])), mode="edge")
