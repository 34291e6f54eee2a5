from dataclasses import replace

import pytest

from tests.data.checks.builders import kinds, read
from timemil_core.data.checks import fit_to_model

SWAPPED = "21_channels_swapped.csv"


@pytest.mark.pitfall(21)
def test_channels_in_another_order():
    (line,) = fit_to_model(read(SWAPPED), ("left", "right"))
    assert line.kind == "warning"
    assert "another order: the model reads left, right" in line.text
    assert line.choice == "channels"


@pytest.mark.pitfall(21)
def test_another_number_of_channels():
    (line,) = fit_to_model(read(SWAPPED), ("left",))
    assert "The model reads 1 channels ('left'), the set has 2 ('right', 'left')" in line.text


@pytest.mark.pitfall(21)
def test_other_channels():
    (line,) = fit_to_model(read(SWAPPED), ("front", "back"))
    assert "The model reads the channels 'front', 'back'; the set has 'right', 'left'" in line.text


def test_the_same_channels_say_nothing():
    assert fit_to_model(read(SWAPPED), ("right", "left")) == []


def test_unnamed_channels_are_taken_in_their_order():
    assert kinds(fit_to_model(read(SWAPPED), ("channel 1", "channel 2"))) == ["note"]


def test_another_sampling_rate():
    at_fifty = replace(read(SWAPPED), sampling_rate=50.0)
    (line,) = fit_to_model(at_fifty, ("right", "left"), 100.0)
    assert "trained at 100 Hz, the set has 50 Hz: patterns look faster" in line.text
    assert line.choice == "rate"
    assert fit_to_model(at_fifty, ("right", "left"), 50.0001) == []
