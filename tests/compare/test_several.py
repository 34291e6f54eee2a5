"""Networks over several sets: ranks and their critical difference by hand, and what cannot be compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from timemil_core.compare.contenders import Contender
from timemil_core.compare.several import nemenyi_difference, over_sets
from timemil_core.errors import SettingsError
from timemil_core.figures.compare import pairwise_figure, ranks_figure

ACCURACIES = {
    "one": {"A": [0.9, 0.7], "B": [0.7], "C": [0.7]},
    "two": {"A": [0.9], "B": [0.6], "C": [0.95]},
    "three": {"A": [1.0], "B": [0.9]},
}


def known(data: str) -> list[Contender]:
    def one(network: str, seed: int, accuracy: float, **facts: Any) -> Contender:
        told = {"seed": seed, "scores": {"test_accuracy": accuracy}, **facts}
        return Contender(f"{data}-{network}-{seed}", network, network, f"{data}-{network}", told)

    found = [
        one(network, seed, accuracy)
        for network, values in ACCURACIES[data].items()
        for seed, accuracy in enumerate(values)
    ]
    return [*found, one("A", 9, 1.0, selection="test")]  # too good: left out


CARDS = {name: known(name) for name in ACCURACIES}


def test_ranks_are_means_over_sets_and_equals_share_theirs() -> None:
    found = over_sets(["one", "two"], CARDS)
    assert found.networks == ("A", "C", "B")
    # Set one: A .8, B and C .7 share 2 and 3; set two: C, A, B.
    np.testing.assert_allclose(found.ranks, [1.5, 1.75, 2.75])
    np.testing.assert_allclose(found.accuracies, [[0.8, 0.7, 0.7], [0.9, 0.95, 0.6]])
    assert found.wins(0, 1) == (1, 1)
    assert "C, B" in found.in_words()


def test_only_networks_of_all_sets_take_part() -> None:
    assert over_sets(["one", "two", "three"], CARDS).networks == ("A", "B")
    with pytest.raises(SettingsError, match="one set"):
        over_sets(["one"], CARDS)


def test_the_critical_difference_is_demsar_s() -> None:
    # Demšar 2006, section 3.2.2: four classifiers on fourteen sets, q = 2.569.
    assert nemenyi_difference(4, 14) == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), rel=1e-3)


def test_the_figures_hold_the_numbers() -> None:
    found = over_sets(["one", "two"], CARDS)
    [points] = ranks_figure(found.networks, found.ranks.tolist(), found.critical_difference).data
    assert list(points.x) == found.ranks.tolist()
    _, pair = pairwise_figure(("A", [0.8, 0.9]), ("C", [0.7, 0.95]), ["one", "two"]).data
    assert (list(pair.x), list(pair.y), list(pair.text)) == ([0.8, 0.9], [0.7, 0.95], ["one", "two"])
