from __future__ import annotations

import torch

from timemil_core.models.networks.config import OtherConfig
from timemil_core.models.networks.omni_scale import MOSCNN, OSCNN, OmniScaleLayer, prime_widths


def test_widths_are_one_and_the_primes_up_to_a_quarter_and_89() -> None:
    assert prime_widths(1) == prime_widths(11) == [1, 2]
    assert prime_widths(100) == [1, 2, 3, 5, 7, 11, 13, 17, 19, 23]
    assert prime_widths(44)[-1] == 11
    assert prime_widths(400) == prime_widths(100_000)
    assert (len(prime_widths(400)), prime_widths(400)[-1]) == (25, 89)


def test_each_width_sees_its_window_and_the_length_is_kept() -> None:
    layer = OmniScaleLayer(1, 1, [1, 2, 3, 5]).eval()
    for convolution in layer.convolutions:
        torch.nn.init.ones_(convolution.weight)  # type: ignore[arg-type]
    pulse = torch.zeros(1, 1, 9)
    pulse[0, 0, 4] = 1.0
    seen = [[at for at, value in enumerate(row) if value > 0] for row in layer(pulse, None)[0]]
    assert seen == [[4], [3, 4], [3, 4, 5], [2, 3, 4, 5, 6]]


def test_the_two_differ_in_who_sees_which_channel() -> None:
    config = OtherConfig(3, 2, "os-cnn", 40)
    values = torch.zeros(1, 3, 40)
    values[0, 1] = torch.randn(40)  # one channel alone
    for kind, n_moved in ((OSCNN, 5 * 56), (MOSCNN, 5 * 18)):
        first = kind(config).layers[0].eval()
        moved = (first(values, None) - first(torch.zeros(1, 3, 40), None)).abs().amax(dim=(0, 2)) > 0
        assert int(moved.sum()) == n_moved
    assert OSCNN(config).layers[0].normalisation.num_features == 5 * 56  # 56 = 1024 // (1 + 2 + 3 + 5 + 7)
    assert MOSCNN(config).layers[0].normalisation.num_features == 5 * 54  # 18 a channel


def test_a_thousand_channels_are_mixed_first() -> None:
    network = MOSCNN(OtherConfig(1_000, 2, "mos-cnn", 40)).eval()
    assert network.layers[0].normalisation.num_features == 5 * 32
    assert network(torch.randn(1, 1_000, 40)).isfinite().all()
