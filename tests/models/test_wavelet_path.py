"""The way of the wavelets: what is kept of it, in memory and on disk."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.models.builders import small_network
from tests.models.test_trained import trained
from timemil_core.errors import ModelError
from timemil_core.models.authors.config import authors_config
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.storage import load_model, save_model
from timemil_core.models.timemil import TimeMIL
from timemil_core.models.wavelet_path import FILE, MOST_INTERVALS, WaveletPath, load_path, path_of, save_path


def shifted(network: TimeMIL, by: float) -> TimeMIL:
    with torch.no_grad():
        for layer in network.pooling.layers.layers:
            layer.encoding.wavelets.shifts += by
    return network


def walked(n_epochs: int) -> WaveletPath:
    """A way on which every shift grows by 1 an epoch."""
    network = small_network()
    path = path_of(network)
    assert path is not None
    for epoch in range(1, n_epochs + 1):
        path = path.after(epoch, shifted(network, 1.0))
    return path


def same(one: WaveletPath, other: WaveletPath) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("epochs", "scales", "shifts"))


def test_it_holds_scales_and_shifts_after_each_epoch() -> None:
    network = small_network()
    banks = [layer.encoding.wavelets for layer in network.pooling.layers.layers]
    path = walked(3)
    np.testing.assert_array_equal(path.epochs, [0, 1, 2, 3])
    assert path.scales.shape == path.shifts.shape == (4, 2, 3, 8)
    for epoch in range(4):
        for layer, bank in enumerate(banks):
            np.testing.assert_allclose(path.shifts[epoch, layer], bank.shifts.detach().numpy() + epoch, atol=1e-5)
            np.testing.assert_allclose(path.scales[epoch, layer], bank.scales.detach().numpy())


@pytest.mark.parametrize(
    ("n_epochs", "step"), [(5, 1), (MOST_INTERVALS, 1), (MOST_INTERVALS + 1, 2), (2 * MOST_INTERVALS, 2), (300, 8)]
)
def test_long_ways_are_thinned_evenly_and_keep_start_and_end(n_epochs: int, step: int) -> None:
    path = walked(n_epochs)
    expected = sorted({*range(0, n_epochs + 1, step), n_epochs})
    np.testing.assert_array_equal(path.epochs, expected)
    np.testing.assert_allclose(path.shifts - path.shifts[0], np.broadcast_to(path.epochs, (2, 3, 8, len(expected))).T
                               .transpose(0, 3, 2, 1), rtol=1e-5)  # fmt: skip
    assert len(path.epochs) <= MOST_INTERVALS + 2


@pytest.mark.parametrize("broken_at", [1, 64, 65, 100])
def test_a_way_resumed_from_one_epoch_before_its_end_is_the_same(broken_at: int) -> None:
    network, broken = small_network(), small_network()
    whole, path = path_of(network), path_of(broken)
    assert whole is not None and path is not None
    for epoch in range(1, 131):
        whole = whole.after(epoch, shifted(network, 1.0))
        path = path.after(epoch, shifted(broken, 1.0))
        if epoch == broken_at:
            # The way was written after this epoch, the checkpoint was not: the epoch before is gone back to.
            path = path.after(epoch - 1, shifted(broken, -1.0)).after(epoch, shifted(broken, 1.0))
    np.testing.assert_array_equal(path.epochs, whole.epochs)
    np.testing.assert_allclose(path.shifts, whole.shifts, atol=1e-4)


def test_a_way_that_begins_late_begins_where_the_network_did() -> None:
    network = shifted(small_network(), 2.0)
    path = path_of(network, 7)
    assert path is not None
    np.testing.assert_array_equal(path.epochs, [0, 7])
    np.testing.assert_allclose(path.shifts[1] - path.shifts[0], 2, atol=1e-6)
    imported = AuthorsTimeMIL(authors_config(n_channels=1, n_classes=2, embedding_width=8))  # its start is not known
    late = path_of(imported, 7)
    assert late is not None
    np.testing.assert_array_equal(late.epochs, [7])


@pytest.mark.parametrize("encoding", ["none", "sinusoidal"])
def test_other_encodings_go_no_way(encoding: str) -> None:
    assert path_of(small_network(positional_encoding=encoding)) is None


def test_on_disk_and_back(tmp_path: Path) -> None:
    path = walked(3)
    save_path(path, tmp_path / FILE)
    loaded = load_path(tmp_path / FILE)
    assert loaded is not None and same(path, loaded)
    assert [one.name for one in tmp_path.iterdir()] == [FILE]
    assert load_path(tmp_path / "none") is None


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no way")
    with pytest.raises(ModelError, match="cannot be read"):
        load_path(tmp_path / FILE)
    save_path(replace(walked(1), shifts=np.zeros((2, 1), np.float32)), tmp_path / FILE)
    with pytest.raises(ModelError, match="no way of wavelets"):
        load_path(tmp_path / FILE)


def test_a_saved_model_keeps_it_and_an_older_one_opens_without(tmp_path: Path) -> None:
    path = walked(2)
    model = replace(trained(), wavelet_path=path)
    save_model(model, tmp_path / "new")
    kept = load_model(tmp_path / "new").wavelet_path
    assert kept is not None and same(path, kept)
    save_model(trained(), tmp_path / "old")
    assert load_model(tmp_path / "old").wavelet_path is None
    assert load_model(tmp_path / "old").fingerprint == load_model(tmp_path / "new").fingerprint
