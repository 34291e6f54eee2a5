import dataclasses

import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.errors import SettingsError
from timemil_core.explain.sanity.seeds import SeedSpread, seed_spread
from timemil_core.models.trained import TrainedModel


def of_seed(seed: int) -> TrainedModel:
    return dataclasses.replace(build_model(seed=seed), facts={"seed": seed, "scores": {"test_accuracy": 0.9}})


def spread(agreement: list[list[float]], accuracy: tuple[float, ...] = (1.0, 0.9)) -> SeedSpread:
    values, empty = np.array(agreement), np.zeros((2, 2))
    return SeedSpread(("a", "b"), (0, 1), ((0, 1),), values, empty, empty, np.array(accuracy), 4)


def test_every_method_is_compared_between_seeds_and_measured_for_each() -> None:
    told: list[tuple[int, int]] = []
    found = seed_spread(
        [of_seed(0), of_seed(1), of_seed(2)], build_set(), n_series=2, progress=lambda done, of: told.append((done, of))
    )
    assert found.seeds == (0, 1, 2)
    assert found.pairs == ((0, 1), (0, 2), (1, 2))
    assert found.agreement.shape == (len(found.methods), 3)
    assert (np.abs(found.agreement) <= 1).all()
    assert found.effect.shape == (len(found.methods), 3)
    assert np.isnan(found.auroc).all()
    assert found.accuracy.tolist() == [0.9, 0.9, 0.9]
    assert told[-1] == (6, 6)


def test_the_same_weights_draw_the_same_maps_and_score_the_same() -> None:
    found = seed_spread([of_seed(0), of_seed(0)], build_set(), n_series=2)
    np.testing.assert_allclose(found.agreement, 1)
    np.testing.assert_allclose(found.effect[:, 0], found.effect[:, 1])


def test_the_sentence_names_what_agrees_most_and_least() -> None:
    told = spread([[0.9], [-0.2]]).sentence
    assert "2 seeds of test accuracy 0.900 to 1.000" in told
    assert "most for a (rank correlation 0.90) and least for b (−0.20)" in told
    assert "Only of a do the seeds draw much the same picture" in told
    assert "No method's map is much the same" in spread([[0.5], [0.1]]).sentence
    assert "All methods' maps are much the same" in spread([[0.8], [0.9]]).sentence
    assert "could be compared" in spread([[np.nan], [np.nan]], (np.nan, np.nan)).sentence


def test_one_model_has_no_spread() -> None:
    with pytest.raises(SettingsError, match="two models"):
        seed_spread([of_seed(0)], build_set())
