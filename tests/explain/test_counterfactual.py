import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.data.bundled import load_bundled
from timemil_core.errors import SettingsError
from timemil_core.explain.counterfactual import counterfactual, nearest_unlike
from timemil_core.explain.counterfactual.borrowing import spans
from timemil_core.explain.counterfactual.search import smallest
from timemil_core.explain.examination import examine
from timemil_core.explain.progress import silent
from timemil_core.models.shelf import open_model


@pytest.fixture(scope="module")
def motions():
    return open_model("basicmotions"), load_bundled("BasicMotions")


def test_the_smallest_part_that_turns_a_known_lead_is_found():
    needed = np.zeros((2, 12), dtype=bool)
    needed[1, 5:7] = True  # within the second block of channel 1
    units = np.zeros((6, 2, 12), dtype=bool)
    for unit in range(6):
        units[unit, unit // 3, 4 * (unit % 3) : 4 * (unit % 3) + 4] = True

    def lead(borrowed):
        return np.where((borrowed & needed).sum(axis=(1, 2)) == 2, 1.0, -1.0)

    found = smallest(lead, units, silent)
    np.testing.assert_array_equal(found, needed)
    assert smallest(lambda borrowed: -np.ones(len(borrowed)), units, silent) is None


def test_spans_are_runs_of_each_channel():
    borrowed = np.array([[1, 1, 0, 1], [0, 0, 0, 0], [0, 1, 1, 1]], dtype=bool)
    assert spans(borrowed) == [(0, 0, 2), (0, 3, 4), (2, 1, 4)]


def test_neighbours_are_series_that_the_model_itself_gives_the_class(motions):
    model, series_set = motions
    found = nearest_unlike(model, series_set, 0, 2)
    assert len(found) == 3 and 0 not in found
    assert (model.predict([series_set.series[one] for one in found]).labels == 2).all()
    prepared = model.preparation.transform([series_set.series[i] for i in (0, *found)])
    distances = [np.linalg.norm(one - prepared[0]) for one in prepared[1:]]
    assert distances == sorted(distances)


def test_the_model_itself_verifies_what_is_found(motions):
    model, series_set = motions
    told = []
    found = counterfactual(model, series_set, 45, n_neighbours=1, progress=lambda done, of: told.append((done, of)))
    assert found.edited is not None and found.comparison is not None
    assert examine(model, found.edited.values).predicted == found.target
    assert examine(model, series_set.series[45]).predicted != found.target
    assert 0 < found.edited.changed_share < 0.5
    assert all(edit.kind == "swap" and edit.donor == found.donor for edit in found.edited.edits)
    assert f"{found.edited.changed_share:.1%}" in found.sentence and f"{found.random_flips} of 20" in found.sentence
    assert told[0][0] == 0 and told[-1][0] == told[-1][1]


def test_says_so_where_no_series_has_the_class():
    model, series_set = build_model(), build_set(6)
    said = model.predict(series_set.series).labels
    absent = next(label for label in range(3) if label not in said)
    found = counterfactual(model, series_set, 0, absent)
    assert found.edited is None and found.donor is None
    assert "None was found" in found.sentence


def test_refuses_the_class_that_the_model_says_already():
    model, series_set = build_model(), build_set(4)
    with pytest.raises(SettingsError, match="already"):
        counterfactual(model, series_set, 0, examine(model, series_set.series[0]).predicted)


def test_can_be_cancelled(motions):
    class EnoughError(Exception):
        pass

    def stop(done, of):
        raise EnoughError

    with pytest.raises(EnoughError):
        counterfactual(*motions, 45, progress=stop)
