"""``FitConfig``: what a run is asked for where its network is fitted at once, and knows its own layout only then."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, get_type_hints

from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.models.building import FITTED_AT_ONCE, NETWORKS, TIMEMIL, TRAINED_BY_EPOCHS, read_config
from timemil_core.models.config import GIVEN_BY_THE_DATA, PRESET_NAMES, ModelConfig, preset
from timemil_core.models.ensemble.config import ENSEMBLES, EnsembleConfig
from timemil_core.models.network import NetworkConfig
from timemil_core.models.networks.listing import OTHERS
from timemil_core.setting_checks import check_settings, one_of, whole

NOT_SET = (*GIVEN_BY_THE_DATA, "network", "settings", "minirocket")
TRAINABLE: tuple[str, ...] = (*PRESET_NAMES, *TRAINED_BY_EPOCHS, *FITTED_AT_ONCE)
"""All that can be asked for by name: TimeMIL's presets, other networks, and those that are fitted at once."""


def sizes_of(series_set: SeriesSet) -> dict[str, int]:
    """Return what data give to ``asked_for``: how many channels and classes, and the longest series."""
    return {
        "n_channels": series_set.n_channels,
        "n_classes": series_set.n_classes,
        "n_timepoints": int(series_set.lengths.max()),
    }


def title_of(name: str) -> str:
    """Return what people call a network of ``TRAINABLE``."""
    return f"TimeMIL, {name}" if name in PRESET_NAMES else NETWORKS[name].title


def setting_kinds(name: str) -> dict[str, Any]:
    """Return what a user may set of a network of ``TRAINABLE``, and of what kind each setting is."""
    own: list[type[Any]] = [OTHERS[name][2].of_config] if name in OTHERS else [ModelConfig]
    if name in ENSEMBLES:
        own.append(EnsembleConfig)  # beside those of its networks
    if name in FITTED_AT_ONCE:
        own = []
    hints = {field.name: get_type_hints(one)[field.name] for one in own for field in fields(one)}
    return {key: kind for key, kind in hints.items() if key not in NOT_SET}


@dataclass(frozen=True)
class FitConfig:
    """A network by name, for data of a size.

    Attributes
    ----------
    n_channels, n_classes
        Given by the data.
    network
        One of ``FITTED_AT_ONCE``.
    """

    n_channels: int
    n_classes: int
    network: str

    masks_padding: ClassVar[bool] = False

    def __post_init__(self) -> None:
        sizes = {"n_channels": whole(1, 100_000), "n_classes": whole(1, 100_000)}
        check_settings(self, {**sizes, "network": one_of(FITTED_AT_ONCE)})

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return asdict(self)


Asked = ModelConfig | FitConfig | NetworkConfig


def asked_for(name: str, *, n_channels: int, n_classes: int, n_timepoints: int = 1, **changes: Any) -> Asked:
    """Return the settings of a network by its name, with single settings changed where it has any.

    ``n_timepoints`` is the longest series of the data.

    Raises
    ------
    SettingsError
        Where the name or a setting is unknown, or a value cannot work.
    """
    if name in TRAINED_BY_EPOCHS:
        sizes = {"n_channels": n_channels, "n_classes": n_classes, "n_timepoints": n_timepoints}
        return read_config({"network": name, **sizes, **changes})
    if name not in FITTED_AT_ONCE:
        return preset(name, n_channels=n_channels, n_classes=n_classes, **changes)  # type: ignore[arg-type]
    if changes:
        raise SettingsError(
            f"{name} has no setting {', '.join(changes)}.", remedy=f"Leave it out: it is a setting of {TIMEMIL}."
        )
    return FitConfig(n_channels, n_classes, name)


def read_asked(content: dict[str, Any]) -> Asked:
    """Read what ``to_json`` of either wrote.

    Raises
    ------
    SettingsError
        Where a setting is unknown, missing, or has a value that cannot work.
    """
    if "network" not in content:
        return ModelConfig.from_json(content)
    if content["network"] not in FITTED_AT_ONCE:
        return read_config(content)
    try:
        return FitConfig(**content)
    except TypeError as error:
        raise SettingsError(f"settings of a network do not fit: {error}.") from error
