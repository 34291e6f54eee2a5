"""How wavelets moved, from ways made by hand."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.explain.builders import build_model
from timemil_core.explain.wavelets import learned_wavelets, movement_of
from timemil_core.explain.wavelets.movement import Movement
from timemil_core.models.authors.config import authors_config
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.wavelet_path import WaveletPath, path_of


def moved(model, by=0.5):
    """Return the model's way with shifts moved at each of five epochs; the model is left as after the last."""
    path = path_of(model.network)
    with torch.no_grad():
        for epoch in range(1, 6):
            for layer in model.timemil.pooling.layers.layers:
                layer.encoding.wavelets.shifts += by
            path = path.after(epoch, model.network)
    return path


def test_the_way_leads_through_every_recorded_epoch_to_the_kept_one() -> None:
    model = build_model()
    path = moved(model)
    model = replace(model, wavelet_path=path, facts={"best_epoch": 5})
    movement = movement_of(model, 1)
    assert movement is not None and movement.recorded
    np.testing.assert_array_equal(movement.epochs, [0, 1, 2, 3, 4, 5])
    assert movement.kept == 5
    np.testing.assert_allclose(movement.distances, np.broadcast_to(0.5 * np.arange(6)[:, None, None], (6, 3, 8)),
                               atol=1e-5)  # fmt: skip
    np.testing.assert_allclose(movement.factors, 1, atol=1e-6)
    np.testing.assert_allclose(movement.scales[5], learned_wavelets(model)[1].scales)


def test_the_kept_epoch_stands_in_its_place_and_is_the_model_itself() -> None:
    model = build_model()
    path = moved(model)
    thinned = WaveletPath(*(one[[0, 2, 4, 5]] for one in (path.epochs, path.scales, path.shifts)))
    model = replace(model, wavelet_path=thinned, facts={"best_epoch": 3})  # not recorded, and not the last
    movement = movement_of(model, 0)
    assert movement is not None
    np.testing.assert_array_equal(movement.epochs, [0, 2, 3, 4, 5])
    assert movement.kept == 2
    np.testing.assert_allclose(movement.shifts[2], learned_wavelets(model)[0].shifts)
    np.testing.assert_allclose(movement.shifts[3], thinned.shifts[2, 0])


def test_without_a_recorded_way_there_are_start_and_end() -> None:
    model = build_model()
    moved(model)
    movement = movement_of(model, 0)
    assert movement is not None and not movement.recorded
    assert movement.epochs[0] == 0 and len(movement.epochs) == 2
    np.testing.assert_allclose(movement.distances[movement.kept], 2.5, atol=1e-5)


def test_of_an_imported_network_nothing_is_known() -> None:
    network = AuthorsTimeMIL(authors_config(n_channels=2, n_classes=3, embedding_width=8)).eval()
    assert movement_of(replace(build_model(), network=network), 0) is None


def test_the_numbers_by_hand() -> None:
    began, ended = np.array([[[1.0, 4.0]]]), np.array([[[1.1, 2.0]]])
    shifts = np.array([[[-1.0, 1.0]], [[-0.9, 1.3]]])
    movement = Movement(0, np.array([0, 1]), np.concatenate([began, ended]), shifts, 1, recorded=False)
    np.testing.assert_allclose(movement.factors, [[[1, 1]], [[1.1, 2]]])
    np.testing.assert_allclose(movement.distances, [[[0, 0]], [[0.1, 0.3]]])
    # Logarithms of the starting scales are 0 and log 4: their deviation is log 2; shifts' deviation is 1.
    scale, shift = movement.shares_of_spread
    assert scale == pytest.approx((np.log(1.1) + np.log(2)) / 2 / np.log(2))
    assert shift == pytest.approx(0.2)
    assert "by 55 %, of nine in ten by at most 91 %" in movement.sentence
    assert "moved 0.2 time points (median), nine in ten at most 0.28" in movement.sentence
