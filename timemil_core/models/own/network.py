"""``OwnNetwork``: a network whose logits are another's probabilities, wherever those are computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import torch
from scipy.special import logit
from torch import Tensor

from timemil_core.errors import ModelError, SettingsError
from timemil_core.models.abilities import Abilities, Ability
from timemil_core.models.network import Network
from timemil_core.setting_checks import check_settings, one_of, whole
from timemil_core.workspace import SAFE_NAME

CERTAIN = 1e-6  # a probability nearer to 0 or 1 counts as so near
NETWORK = "own"

Series = npt.NDArray[np.float64]
Probabilities = npt.NDArray[np.float64]
Decide = Callable[[Series], Probabilities]
"""From series ``(n_series, n_channels, n_timepoints)`` of one length to probabilities ``(n_series, n_classes)``."""


@dataclass(frozen=True)
class OwnConfig:
    """What is known of a caller's classifier.

    Attributes
    ----------
    n_channels, n_classes
        What it reads and says.
    name
        By which it is found, where another process serves it.
    identity
        Of what it answers: what was measured of another classifier is not taken for this one's.
    """

    n_channels: int
    n_classes: int
    name: str
    identity: str = ""
    network: str = NETWORK

    masks_padding: ClassVar[bool] = False

    def __post_init__(self) -> None:
        named = (lambda value: isinstance(value, str) and SAFE_NAME.fullmatch(value) is not None, "Give a plain name.")
        sizes = {"n_channels": whole(1, 100_000), "n_classes": whole(1, 100_000)}
        check_settings(self, {**sizes, "name": named, "network": one_of((NETWORK,))})

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> OwnConfig:
        """Read what ``to_json`` wrote. Raises SettingsError where a setting is missing, unknown or cannot work."""
        try:
            return cls(**content)
        except TypeError as error:
            raise SettingsError(f"what is known of this classifier does not fit: {error}.") from error


class OwnNetwork(Network):
    """Log-odds of the probabilities that ``decide`` gives: one-vs-rest, as all models here have them."""

    config: OwnConfig

    def __init__(self, config: OwnConfig, decide: Decide) -> None:
        super().__init__()
        self.config = config
        self.decide = decide

    @property
    def abilities(self) -> Abilities:
        """What it can be asked for: logits, and nothing of what is inside."""
        return frozenset({Ability.LOGITS})

    def forward(self, values: Tensor, mask: Tensor | None = None, warm_up: float | None = None) -> Tensor:
        """Classify ``(B, C, T)``; where some time points are masked, the series without them.

        Raises
        ------
        ModelError
            Where what comes back are no probabilities of the classes.
        """
        series = values.detach().cpu().numpy().astype(np.float64)
        if mask is not None and not bool(mask.all()):
            kept = mask.cpu().numpy()
            chances = np.concatenate([self._asked(one[None][:, :, own]) for one, own in zip(series, kept, strict=True)])
        else:
            chances = self._asked(series)
        return torch.from_numpy(logit(np.clip(chances, CERTAIN, 1 - CERTAIN))).to(values)

    def _asked(self, series: Series) -> Probabilities:
        chances = np.asarray(self.decide(series), dtype=np.float64)
        wanted = (len(series), self.config.n_classes)
        if chances.shape != wanted or not np.isfinite(chances).all() or (chances < 0).any():
            raise ModelError(
                f"the classifier's probabilities have the shape {chances.shape} for {wanted[0]} series and "
                f"{wanted[1]} classes, or hold what is no probability.",
                remedy="predict_proba gives a row a series and a column a class, in the order of classes_.",
            )
        return chances
