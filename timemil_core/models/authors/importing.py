"""From a checkpoint of the authors' public code to a model of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from timemil_core.data.preparation import Preparation
from timemil_core.data.series_set import default_channel_names
from timemil_core.errors import ModelError, SettingsError
from timemil_core.models.authors.config import Scaling, authors_config
from timemil_core.models.authors.fitting import Sizes, fitting_tensors, told_sizes
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.authors.state_dict import read_state_dict
from timemil_core.models.drawing import Building
from timemil_core.models.trained import TrainedModel


def import_network(path: Path, *, scaling: Scaling = "series", front_padded_to: int | None = None) -> AuthorsTimeMIL:
    """Read ``best_model.pth`` into a network in eval mode; sizes are taken from the shapes of its tensors.

    ``scaling`` and ``front_padded_to`` are ``AuthorsConfig``'s.

    Raises
    ------
    ModelError
        Where the file cannot be read as a state dict, or is that of another architecture.
    SettingsError
        Where a setting cannot work.
    """
    tensors = read_state_dict(path)
    sizes = told_sizes(tensors, path)
    config = authors_config(**_believed(sizes, path), scaling=scaling, front_padded_to=front_padded_to)
    fitting = fitting_tensors(tensors, config, path)
    with Building():
        network = AuthorsTimeMIL(config)
    network.load_state_dict(fitting)
    return network.eval()


def _believed(sizes: Sizes, path: Path) -> Sizes:
    # Before a setting of the caller's is looked at: a size that cannot be is the file's fault.
    try:
        authors_config(**sizes)
    except SettingsError as error:
        raise ModelError(
            f"its shapes are of no network that can be built: {error}",
            where=str(path),
            remedy="Give a best_model.pth of the authors' code.",
        ) from error
    return sizes


def as_model(
    network: AuthorsTimeMIL,
    *,
    class_names: Sequence[str] = (),
    channel_names: Sequence[str] = (),
    preparation: Preparation | None = None,
    sampling_rate: float | None = None,
    facts: Mapping[str, Any] | None = None,
) -> TrainedModel:
    """Put beside an imported network what its state dict does not hold.

    Parameters
    ----------
    network
        From ``import_network``.
    class_names
        In the order of its logits; by default "output 1", ….
    channel_names, sampling_rate
        Of the data.
    preparation
        By default none, as in their code.
    facts
        What the model's card is to tell.

    Raises
    ------
    SettingsError
        Where names differ in number from what the network reads and says, or repeat.
    """
    n_channels, n_classes = network.config.n_channels, network.config.n_classes
    classes = tuple(class_names) or tuple(f"output {index + 1}" for index in range(n_classes))
    channels = tuple(channel_names) or default_channel_names(n_channels)
    for names, number, what in ((classes, n_classes, "classes"), (channels, n_channels, "channels")):
        if len(names) != number or len(set(names)) != number:
            raise SettingsError(
                f"the checkpoint has {number} {what}; named are {', '.join(names)}.",
                remedy=f"Give {number} different names, or data that fit.",
            )
    preparation = preparation or Preparation("none", np.zeros(n_channels), np.ones(n_channels))
    return TrainedModel(network, preparation, classes, channels, sampling_rate, dict(facts or {}))
