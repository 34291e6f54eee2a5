import numpy as np
import pytest

from timemil_core.errors import SettingsError
from timemil_core.explain.edits.place import Place, place_between

TIMES = np.array([0.0, 0.5, 2.0, 2.25, 4.0])


def test_covers_the_cells_of_its_channels():
    assert Place(1, 3, (1,)).cells(2, 4).astype(int).tolist() == [[0, 0, 0, 0], [0, 1, 1, 0]]
    assert Place(1, 3).cells(2, 4).sum() == 4


def test_times_choose_the_points_between_both_included():
    assert place_between(TIMES, 0.5, 2.25) == Place(1, 4)
    assert place_between(TIMES, 2.25, 0.5) == Place(1, 4)
    assert place_between(TIMES, -9, 9, [1, 0], n_channels=2) == Place(0, 5)
    assert place_between(TIMES, 2, 2, [1, 0], n_channels=3) == Place(2, 3, (0, 1))


def test_refuses_times_with_no_point_between():
    with pytest.raises(SettingsError, match="goes from 0 to 4"):
        place_between(TIMES, 0.6, 1.9)


@pytest.mark.parametrize(
    "place",
    [Place(-1, 2), Place(2, 2), Place(3, 2), Place(0, 6), Place(0, 1, ()), Place(0, 1, (2,)), Place(0, 1, (1, 0))],
)
def test_refuses_a_place_that_the_series_does_not_have(place):
    with pytest.raises(SettingsError):
        place.check(2, 5)


def test_words_name_channels_and_times():
    assert Place(1, 4).in_words(TIMES, ("x", "y"), " s") == "all channels, 0.5 to 2.25 s"
    assert Place(1, 4, (1,)).in_words(TIMES, ("x", "y"), " s") == "'y', 0.5 to 2.25 s"
    assert Place(0, 1).in_words(np.arange(3), ("x",), "") == "'x', 0 to 0"


@pytest.mark.parametrize("place", [Place(1, 4), Place(0, 2, (0, 3))])
def test_comes_back_from_json(place):
    assert Place.from_json(place.to_json()) == place


@pytest.mark.parametrize(
    "content",
    [
        None,
        {},
        {"start": 0},
        {"start": 0, "stop": "1"},
        {"start": True, "stop": 2},
        {"start": 0, "stop": 1, "channels": 3},
    ],
)
def test_refuses_json_that_is_no_place(content):
    with pytest.raises(SettingsError):
        Place.from_json(content)
