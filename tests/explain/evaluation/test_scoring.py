import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_series
from timemil_core.errors import SettingsError
from timemil_core.explain.evaluation.fillers import masked_out
from timemil_core.explain.evaluation.scoring import copies_at_once, network_score, prepared_series, score_without
from timemil_core.models.config import POOLING_NAMES


@pytest.mark.parametrize("pooling", POOLING_NAMES)
def test_what_is_masked_out_at_the_end_is_as_if_it_had_never_been(pooling):
    model = build_model(pooling=pooling)
    prepared = prepared_series(model, build_series())
    score = network_score(model.network)
    removed = np.arange(40)[None] >= 25
    shorter = score(prepared[None, :, :25])
    np.testing.assert_allclose(score_without(score, prepared, removed, masked_out), shorter, atol=1e-4)


def test_masked_out_values_have_no_say():
    model = build_model()
    prepared = prepared_series(model, build_series())
    changed = prepared.copy()
    changed[:, 10:20] += 5
    removed = (np.arange(40)[None] >= 10) & (np.arange(40)[None] < 20)
    score = network_score(model.network)
    first, second = (score_without(score, one, removed, masked_out) for one in (prepared, changed))
    np.testing.assert_array_equal(first, second)
    assert not np.allclose(first, score(prepared[None]))


def test_a_single_channel_cannot_be_masked_out():
    model = build_model()
    copies = prepared_series(model, build_series())[None].copy()
    copies[0, 1, 3] = np.nan
    with pytest.raises(SettingsError, match="single channel"):
        network_score(model.network)(copies)


def test_chunks_are_told_and_change_nothing():
    model = build_model()
    prepared = prepared_series(model, build_series(n_timepoints=6000))
    drawn = np.random.default_rng(0).random((5, 6000))
    removed = drawn < np.array([0.5, 0.9, 0.1, 0.7, 0.3])[:, None]  # not in the order in which they are scored
    told = []
    score = network_score(model.network)
    logits = score_without(score, prepared, removed, masked_out, lambda done, of: told.append((done, of)))
    assert copies_at_once(6000) == 2 and told == [(2, 5), (4, 5), (5, 5)]
    alone = np.concatenate([score_without(score, prepared, one[None], masked_out) for one in removed])
    np.testing.assert_allclose(logits, alone, atol=1e-5)
    assert len(np.unique(logits.round(4), axis=0)) == 5
    assert not torch.is_inference_mode_enabled()
