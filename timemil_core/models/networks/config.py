"""``OtherConfig``: a network by name, for data of a size. One that has settings of its own has a subclass."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

from timemil_core.errors import SettingsError
from timemil_core.setting_checks import Check, check_settings, whole

SIZES: dict[str, Check] = {"n_channels": whole(1, 100_000), "n_classes": whole(1, 100_000)}
LONGEST = 10_000_000


@dataclass(frozen=True)
class OtherConfig:
    """What the data give, and which network it is.

    ``n_timepoints`` is the longest series of the data that it was made for: networks that weigh each time point on its
    own, or lay all of them side by side, take none that is longer. The others leave it out of account.
    """

    n_channels: int
    n_classes: int
    network: str
    n_timepoints: int = 1

    masks_padding: ClassVar[bool] = True
    checks: ClassVar[dict[str, Check]] = {}  # of a subclass's own settings, by name

    def __post_init__(self) -> None:
        check_settings(self, {**SIZES, "n_timepoints": whole(1, LONGEST), **self.checks})

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Self:
        """Read what ``to_json`` wrote. Raises SettingsError where a setting is missing, unknown or cannot work."""
        try:
            return cls(**content)
        except TypeError as error:
            raise SettingsError(f"settings of a network do not fit: {error}.") from error
