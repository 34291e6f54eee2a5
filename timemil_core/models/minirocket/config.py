"""``MiniRocketConfig``: how many features of which dilations, so that a saved model's arrays have known shapes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from timemil_core.errors import SettingsError
from timemil_core.setting_checks import check_settings, one_of, whole

N_KERNELS = 84  # all ways to choose 3 of 9 taps
N_TAPS = 9
MOST_DILATIONS = 32
N_FEATURES = 10_000  # of the values and of their first differences together


@dataclass(frozen=True)
class MiniRocketConfig:
    """The layout of one MiniRocket.

    Attributes
    ----------
    n_channels, n_classes
        Given by the data.
    dilations
        Steps between a kernel's nine taps.
    n_biases
        For each dilation, how many thresholds each kernel's response is held against.
    """

    n_channels: int
    n_classes: int
    dilations: tuple[int, ...]
    n_biases: tuple[int, ...]
    network: str = "minirocket"

    masks_padding: ClassVar[bool] = False  # proportions are over a series' own time points

    def __post_init__(self) -> None:
        check_settings(self, _CHECKS)
        if len(self.dilations) != len(self.n_biases) or not self.dilations:
            raise SettingsError("dilations and n_biases differ in number.", remedy="Give one of each a dilation.")

    @property
    def n_features(self) -> int:
        """Features of a series: of its values, and as many of its first differences."""
        return 2 * N_KERNELS * sum(self.n_biases)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return {**asdict(self), "dilations": list(self.dilations), "n_biases": list(self.n_biases)}

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> MiniRocketConfig:
        """Read what ``to_json`` wrote.

        Raises
        ------
        SettingsError
            Where a setting is missing, unknown, or has a value that cannot work.
        """
        try:
            lists = {name: tuple(content[name]) for name in ("dilations", "n_biases")}
            return cls(**{**content, **lists})
        except (KeyError, TypeError) as error:
            raise SettingsError(f"settings of a MiniRocket do not fit: {error}.") from error

    @classmethod
    def for_series(cls, n_channels: int, n_classes: int, n_timepoints: int) -> MiniRocketConfig:
        """Return the layout for series of a length: dilations up to those that span it, short ones the most."""
        for_each_kernel = N_FEATURES // 2 // N_KERNELS
        widest = max(np.log2(max(n_timepoints - 1, 1) / (N_TAPS - 1)), 0)
        drawn = np.logspace(0, widest, min(for_each_kernel, MOST_DILATIONS), base=2).astype(np.int64)
        dilations, counts = np.unique(drawn, return_counts=True)
        n_biases = counts * for_each_kernel // len(drawn)
        n_biases[: for_each_kernel - n_biases.sum()] += 1
        return cls(n_channels, n_classes, tuple(map(int, dilations)), tuple(map(int, n_biases)))


_CHECKS = {
    "n_channels": whole(1, 100_000),
    "n_classes": whole(1, 100_000),
    "dilations": (lambda given: all(whole(1, 10**9)[0](one) for one in given), "Give whole numbers from 1."),
    "n_biases": (lambda given: all(whole(1, 10**5)[0](one) for one in given), "Give whole numbers from 1."),
    "network": one_of(("minirocket",)),
}
