"""``OtherConfig``: a network by name, for data of a size. One that has settings of its own has a class of its own."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from timemil_core.errors import SettingsError
from timemil_core.setting_checks import check_settings, whole


@dataclass(frozen=True)
class OtherConfig:
    """What the data give, and which network it is."""

    n_channels: int
    n_classes: int
    network: str

    masks_padding: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_settings(self, {"n_channels": whole(1, 100_000), "n_classes": whole(1, 100_000)})

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> OtherConfig:
        """Read what ``to_json`` wrote. Raises SettingsError where a setting is missing, unknown or cannot work."""
        try:
            return cls(**content)
        except TypeError as error:
            raise SettingsError(f"settings of a network do not fit: {error}.") from error
