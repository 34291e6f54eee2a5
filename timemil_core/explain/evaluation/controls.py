"""Maps that mean nothing, by which a verdict is tried: it must not call them evidence."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from timemil_core.explain.evaluation.curves import Array
from timemil_core.explain.windows import smoothed, smoothing_width

Control = Callable[[int, np.random.Generator], Array]
"""From a number of time points and a generator to a map ``(n_timepoints,)``."""


def random_smooth(n_timepoints: int, generator: np.random.Generator) -> Array:
    """Noise over windows of a tenth of the series."""
    return smoothed(generator.standard_normal(n_timepoints), smoothing_width(None, n_timepoints))


def random_spikes(n_timepoints: int, generator: np.random.Generator) -> Array:
    """Noise at single time points, with few that stand out."""
    return generator.standard_normal(n_timepoints) ** 4


def edge(n_timepoints: int, generator: np.random.Generator) -> Array:
    """The farther from the middle, the higher: knows only where a series begins and ends."""
    return np.abs(np.linspace(-1, 1, n_timepoints))


def centre(n_timepoints: int, generator: np.random.Generator) -> Array:
    """The nearer to the middle, the higher: knows only where patterns usually are."""
    return -np.abs(np.linspace(-1, 1, n_timepoints))


CONTROLS: dict[str, Control] = {
    "random smooth": random_smooth,
    "random spikes": random_spikes,
    "edge": edge,
    "centre": centre,
}
