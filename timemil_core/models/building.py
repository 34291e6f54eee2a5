"""Every network by name: how its settings are read, how it is built, and how it comes to its weights.

A new network is a module that keeps the contract of ``models/network.py`` and an entry here; CONTRIBUTING tells how.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import torch

from timemil_core.data.series_set import FloatArray, IntArray
from timemil_core.errors import SettingsError
from timemil_core.jobs import Progress
from timemil_core.models.authors.config import AuthorsConfig
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.comparators.classifiers import COMPARATORS
from timemil_core.models.comparators.network import ComparatorConfig, ComparatorNetwork, fit_comparator
from timemil_core.models.config import ModelConfig
from timemil_core.models.drawing import Building
from timemil_core.models.ensemble.config import EnsembleConfig
from timemil_core.models.ensemble.network import EnsembleNetwork
from timemil_core.models.minirocket.config import MiniRocketConfig
from timemil_core.models.minirocket.fitting import fit_minirocket
from timemil_core.models.minirocket.network import MiniRocketNetwork
from timemil_core.models.network import Network, NetworkConfig
from timemil_core.models.networks.listing import OTHERS
from timemil_core.models.own.network import NETWORK as OWN
from timemil_core.models.own.network import OwnConfig
from timemil_core.models.own.served import served_network
from timemil_core.models.timemil import TimeMIL

FitAtOnce = Callable[[Sequence[FloatArray], IntArray, int, int, Progress], Network]
"""From prepared series, labels, the number of classes and a seed to a fitted network."""


@dataclass(frozen=True)
class NetworkKind:
    """An entry of ``NETWORKS``.

    Attributes
    ----------
    title
        For people.
    reference
        Where it comes from.
    read
        From JSON values to settings.
    build
        From settings to a network without weights that mean anything.
    fit
        How it is fitted at once; None where the one trainer trains it epoch by epoch.
    """

    title: str
    reference: str
    read: Callable[[dict[str, Any]], Any]
    build: Callable[[Any], Network]
    fit: FitAtOnce | None = None


def _fit_comparator(
    name: str, series: Sequence[FloatArray], labels: IntArray, n_classes: int, seed: int, progress: Progress
) -> Network:
    return fit_comparator(name, series, labels, n_classes, seed)


TIMEMIL = "timemil"
NETWORKS: dict[str, NetworkKind] = {
    TIMEMIL: NetworkKind("TimeMIL", "Chen et al. 2024", ModelConfig.from_json, TimeMIL),
    "authors": NetworkKind("TimeMIL, imported", "Chen et al. 2024", AuthorsConfig.from_json, AuthorsTimeMIL),
    "minirocket": NetworkKind(
        "MiniRocket, exact",
        "Dempster, Schmidt and Webb 2021",
        MiniRocketConfig.from_json,
        MiniRocketNetwork,
        fit_minirocket,
    ),
    **{
        name: NetworkKind(
            one.title, one.reference, ComparatorConfig.from_json, ComparatorNetwork, partial(_fit_comparator, name)
        )
        for name, one in COMPARATORS.items()
    },
}
NETWORKS["ensemble"] = NetworkKind(
    "Faithful networks and a MiniRocket as one", "ours", EnsembleConfig.from_json, EnsembleNetwork
)
NETWORKS["accurate"] = NetworkKind(
    "TimeMIL networks and a MiniRocket as one", "ours", EnsembleConfig.from_json, EnsembleNetwork
)
NETWORKS["inception-time-5"] = NetworkKind(
    "InceptionTime, five as one", "Ismail Fawaz et al. 2020", EnsembleConfig.from_json, EnsembleNetwork
)
NETWORKS.update(
    {
        name: NetworkKind(title, reference, network.of_config.from_json, network)
        for name, (title, reference, network) in OTHERS.items()
    }
)
NETWORKS[OWN] = NetworkKind("Your own classifier", "whoever made it", OwnConfig.from_json, served_network)
FITTED_AT_ONCE: tuple[str, ...] = tuple(name for name, kind in NETWORKS.items() if kind.fit is not None)
TRAINED_BY_EPOCHS: tuple[str, ...] = tuple(
    name for name, kind in NETWORKS.items() if kind.fit is None and name not in (TIMEMIL, "authors", OWN)
)
"""Networks besides TimeMIL that the one trainer trains."""


def kind_of(content: Mapping[str, Any]) -> NetworkKind:
    """Return which network settings are of, by their ``network``; TimeMIL's name none.

    Raises
    ------
    SettingsError
        Where nobody knows it.
    """
    name = content.get("network", "authors" if content.get("arithmetic") == "authors" else TIMEMIL)
    if not isinstance(name, str) or name not in NETWORKS:
        raise SettingsError(f"there is no network {name!r}.", remedy="Was it written by a newer version?")
    return NETWORKS[name]


def read_config(content: dict[str, Any]) -> NetworkConfig:
    """Read what a configuration's ``to_json`` wrote.

    Raises
    ------
    SettingsError
        Where a setting is unknown, missing, or has a value that cannot work.
    """
    return cast(NetworkConfig, kind_of(content).read(content))


def build(config: NetworkConfig, seed: int | None = None) -> Network:
    """Return a new network on the CPU, in float32, its weights drawn from the seed alone.

    Without a seed nothing is drawn, and the weights mean nothing until a state dict is loaded. The process's own
    generators are neither used nor changed.
    """
    with Building(None if seed is None else torch.Generator().manual_seed(seed)):
        return kind_of(config.to_json()).build(config)


def build_network(config: ModelConfig, seed: int | None = None) -> TimeMIL:
    """Return a new TimeMIL as ``build`` does."""
    network = build(config, seed)
    assert isinstance(network, TimeMIL)
    return network
