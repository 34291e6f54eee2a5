"""Which network is better over several sets: average ranks, and how far apart they have to be to mean anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata, studentized_range

from timemil_core.compare.contenders import Contender
from timemil_core.data.wording import counted
from timemil_core.errors import SettingsError

LEVEL = 0.05


@dataclass(frozen=True, eq=False)
class OverSets:
    """Networks that were each trained on each of several sets, by their cards; the best average rank first.

    Attributes
    ----------
    networks, sets
        Their names.
    accuracies
        ``(n_sets, n_networks)``: test accuracy, the mean over seeds.
    ranks
        ``(n_networks,)``: over the sets, 1 the best; equals share theirs.
    critical_difference
        Two average ranks that lie less apart are not told apart (Nemenyi's test at .05; Demšar 2006); with few sets it
        is wide.
    """

    networks: tuple[str, ...]
    sets: tuple[str, ...]
    accuracies: npt.NDArray[np.float64]
    ranks: npt.NDArray[np.float64]
    critical_difference: float

    def wins(self, first: int, second: int) -> tuple[int, int]:
        """Return on how many sets the first is better than the second, and worse."""
        lead = self.accuracies[:, first] - self.accuracies[:, second]
        return int((lead > 0).sum()), int((lead < 0).sum())

    def in_words(self) -> str:
        """Say which is best, and which are not told apart from it."""
        best, n = self.networks[0], len(self.sets)
        near = [
            name
            for name, rank in zip(self.networks[1:], self.ranks[1:], strict=True)
            if rank - self.ranks[0] < self.critical_difference
        ]
        told, are = f"Over {n} sets {best} ranks best ({self.ranks[0]:.2f} on average)", "it is"
        if np.isclose(self.ranks[0], self.ranks[1]):
            told = f"Over {n} sets {best} and {self.networks[1]} rank alike ({self.ranks[0]:.2f} on average)"
            near, are = near[1:], "they are"
        return f"{told}{f'; {n} sets are too few to say that {are} better than ' + ', '.join(near) if near else ''}."


def over_sets(data: Sequence[str], known: Mapping[str, Sequence[Contender]]) -> OverSets:
    """Return the networks that were trained on every one of these sets, by what their cards tell.

    ``known`` is ``by_data_set()``.

    Raises
    ------
    SettingsError
        Where fewer than two sets are given, or fewer than two networks are common to them.
    """
    if len(data) < 2:
        raise SettingsError("one set is no comparison over several.", remedy="Give at least two.")
    by_set = [_accuracies(known.get(name, ())) for name in data]
    common = [name for name in by_set[0] if all(name in one for one in by_set)]
    if len(common) < 2:
        raise SettingsError(
            f"{counted(len(common), 'network')} in common: trained on all of {', '.join(data)}.",
            remedy="Train at least two on each, such as by compare --train or a sweep over presets.",
        )
    accuracies = np.array([[one[name] for name in common] for one in by_set])
    ranks = np.mean([rankdata(-row) for row in accuracies], axis=0)
    order = np.argsort(ranks, kind="stable")
    return OverSets(
        tuple(common[place] for place in order),
        tuple(data),
        accuracies[:, order],
        ranks[order],
        nemenyi_difference(len(common), len(data)),
    )


def nemenyi_difference(n_networks: int, n_sets: int) -> float:
    """Return the least difference of two average ranks that means anything at .05 (Demšar 2006, section 3.2.2)."""
    quantile = float(studentized_range.ppf(1 - LEVEL, n_networks, np.inf)) / np.sqrt(2)
    return float(quantile * np.sqrt(n_networks * (n_networks + 1) / (6 * n_sets)))


def _accuracies(chosen: Sequence[Contender]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for one in chosen:
        accuracy = one.facts.get("scores", {}).get("test_accuracy")
        if accuracy is not None and not one.chosen_on_test:
            found.setdefault(one.network, []).append(float(accuracy))
    return {name: float(np.mean(values)) for name, values in found.items()}
