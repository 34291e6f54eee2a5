"""What removals of wavelets come to, in plain words."""

from __future__ import annotations

from math import sqrt

import numpy as np

from timemil_core.explain.wavelets.effects import RemovalEffects

STRONG = 0.95
"""The share of random wavelets of equal size that a removal has to exceed."""
DEVIATIONS = 2.0
"""By how many standard deviations of chance a count has to differ from one half to be called more, or less."""


def part_sentence(effects: RemovalEffects, place: int) -> str:
    """Say what the removal at ``place`` changes, and whether random wavelets of equal size change as much."""
    n, changed = effects.n_series, round(effects.changed[place, 0] * effects.n_series)
    control = float(np.median(effects.control_sizes[place]))
    said = (
        f"Without {effects.removals[place].title} the logit of the predicted class changes by "
        f"{effects.size[place]:.2g} on average (it leads the next class by {effects.leads.mean():.2g}), and the "
        f"predicted class in {changed} of {n} series"
    )
    if effects.accuracy is not None:
        said += f"; accuracy goes from {effects.whole_accuracy:.3f} to {effects.accuracy[place, 0]:.3f}"
    said += f". Random wavelets in their place, that take away as much, change the logit by {control:.2g} (median)"
    if effects.beats[place] >= STRONG:
        return f"{said}: the learned ones matter more than their size alone."
    return f"{said}: that as much is taken away matters, not that it is these."


def kernels_sentence(effects: RemovalEffects) -> str:
    """Say what single kernels matter, and in how many cases more than a random kernel that takes away as much."""
    n_kernels = len(effects.removals)
    more = int((effects.size > effects.control_sizes[:, 0]).sum())
    most_changed = round(float(effects.changed[:, 0].max()) * effects.n_series)
    said = (
        f"Removing one of {n_kernels} kernels changes the logit of the predicted class by "
        f"{np.median(effects.size):.2g} (median; {effects.size.max():.2g} at most; the class leads the next by "
        f"{effects.leads.mean():.2g}), and the predicted class in at most {most_changed} of {effects.n_series} series. "
        f"{more} of them ({more / n_kernels:.0%}) change it more than a random kernel that takes away as much"
    )
    beyond = (more / n_kernels - 0.5) * 2 * sqrt(n_kernels)  # in standard deviations of a fair coin
    if abs(beyond) < DEVIATIONS:
        return f"{said}; half would by chance: the form of single kernels hardly matters, how much they add does."
    if beyond < 0:
        return f"{said}; half would by chance: the model tells less by the form of its kernels than by their size."
    return f"{said}; half would by chance: their form counts."
