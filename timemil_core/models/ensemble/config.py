"""``EnsembleConfig``: which networks are one, and how much each of them counts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar

from timemil_core.errors import SettingsError
from timemil_core.models.config import ModelConfig, PresetName, preset
from timemil_core.models.minirocket.config import MiniRocketConfig
from timemil_core.setting_checks import SHARE, YES_OR_NO, check_settings, whole

ENSEMBLES: dict[str, dict[str, Any]] = {
    "ensemble": {"of": "faithful", "n_networks": 3, "with_minirocket": True},
    "accurate": {"of": "default", "n_networks": 3, "with_minirocket": True},
    "inception-time-5": {"of": "inception-time", "n_networks": 5, "with_minirocket": False},
}
"""What each is by default, by its name among ``NETWORKS``."""


@dataclass(frozen=True)
class EnsembleConfig:
    """Several networks of one kind, which differ in what was drawn for them; a MiniRocket beside them where asked for.

    Attributes
    ----------
    n_channels, n_classes, n_timepoints
        Given by the data; ``n_timepoints`` is left out of account.
    network
        A key of ``ENSEMBLES``.
    of
        The preset of TimeMIL that they are.
    settings
        What differs from it.
    n_networks
        How many.
    with_minirocket
        Whether a MiniRocket is fitted when they are trained.
    minirocket_share
        How much it counts; the networks share the rest. Three quarters, because trained networks say more than they
        know: on held-out series 0.7 to 0.85 were best (docs/evidence/models.md).
    minirocket
        The settings of that MiniRocket; None before it was fitted.
    """

    n_channels: int
    n_classes: int
    network: str = "ensemble"
    n_timepoints: int = 1
    of: PresetName = "faithful"
    settings: dict[str, Any] = field(default_factory=dict)
    n_networks: int = 3
    with_minirocket: bool = True
    minirocket_share: float = 0.75
    minirocket: dict[str, Any] | None = None

    masks_padding: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_settings(self, {"n_networks": whole(1, 50), "with_minirocket": YES_OR_NO, "minirocket_share": SHARE})
        read = (self.member, self.minirocket_config)  # refused now, not when they are built
        if any(
            one is not None and (one.n_channels, one.n_classes) != (self.n_channels, self.n_classes) for one in read
        ):
            raise SettingsError("the networks of an ensemble read other channels or classes than the ensemble.")

    @property
    def member(self) -> ModelConfig:
        """The settings of each network that is trained."""
        return preset(self.of, n_channels=self.n_channels, n_classes=self.n_classes, **self.settings)

    @property
    def minirocket_config(self) -> MiniRocketConfig | None:
        """Those of the MiniRocket; None where there is none, or none yet."""
        return None if self.minirocket is None else MiniRocketConfig.from_json(self.minirocket)

    @property
    def weights(self) -> tuple[float, ...]:
        """How much each network counts, the MiniRocket last; they sum to 1."""
        of_minirocket = 0.0 if self.minirocket is None else self.minirocket_share
        of_networks = [(1 - of_minirocket) / self.n_networks] * self.n_networks
        return tuple(of_networks) if self.minirocket is None else (*of_networks, of_minirocket)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> EnsembleConfig:
        """Read what ``to_json`` wrote, or what was asked for: settings of TimeMIL's are those of each network.

        Raises
        ------
        SettingsError
            Where a setting is missing, unknown, or has a value that cannot work.
        """
        own = {one.name for one in fields(cls)}
        of_members = {name: value for name, value in content.items() if name not in own}
        asked = {**ENSEMBLES[content["network"]], **{name: value for name, value in content.items() if name in own}}
        try:
            return cls(**{**asked, "settings": {**asked.get("settings", {}), **of_members}})
        except TypeError as error:
            raise SettingsError(f"settings of an ensemble do not fit: {error}.") from error
