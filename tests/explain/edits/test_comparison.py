from dataclasses import replace

import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.explain.edits import Edit, EditedSeries, Place, compare, elsewhere
from timemil_core.explain.examination import examine


@pytest.fixture(scope="module")
def model():
    return build_model()


@pytest.fixture(scope="module")
def series_set():
    return build_set(4)


def test_compares_what_the_one_examination_says(model, series_set):
    edited = EditedSeries(series_set, 1).with_edit(Edit("scale", Place(4, 9), amount=5.0, level="zero"))
    compared = compare(model, edited)
    np.testing.assert_array_equal(compared.before.logits, examine(model, series_set.series[1]).logits)
    np.testing.assert_array_equal(compared.after.logits, examine(model, edited.values).logits)
    assert compared.changed_share == pytest.approx(5 / 21)
    before = compared.before
    assert f"{before.probabilities[before.predicted]:.3f}" in compared.sentence


def test_an_edit_that_changes_nothing_changes_no_prediction(model, series_set):
    edited = EditedSeries(series_set, 1).with_edit(Edit("scale", Place(4, 9), amount=1.0, level="zero"))
    compared = compare(model, edited)
    np.testing.assert_array_equal(compared.after.logits, compared.before.logits)
    assert "stays" in compared.sentence and compared.changed_share == 0


def test_the_same_edit_elsewhere_is_scored_place_by_place(model, series_set):
    edited = EditedSeries(series_set, 1).with_edit(Edit("flatten", Place(4, 9), level="span mean"))
    result = elsewhere(model, edited)
    assert result is not None
    # 21 time points have 17 places for 5; those that begin within 2 of the edit's own are left out
    assert result.starts.tolist() == [0, 1, *range(7, 17)]
    target = examine(model, edited.original).predicted
    before = examine(model, edited.original).logits[target]
    assert result.own == pytest.approx(examine(model, edited.values).logits[target] - before, abs=1e-5)
    there = EditedSeries(series_set, 1).with_edit(Edit("flatten", Place(7, 12), level="span mean"))
    assert result.others[2] == pytest.approx(examine(model, there.values).logits[target] - before, abs=1e-5)
    assert result.rank == pytest.approx((np.abs(result.others) < abs(result.own)).mean())


def test_only_the_last_edit_is_moved_and_what_is_impossible_is_passed_by(model, series_set):
    first = EditedSeries(series_set, 1).with_edit(Edit("mask", Place(0, 2)))
    edited = first.with_edit(Edit("swap", Place(15, 20), donor="s0", donor_start=14))
    result = elsewhere(model, edited)
    assert result is not None
    # at time point 0 it would begin before the other series does
    assert result.starts.tolist() == list(range(1, 13))
    assert elsewhere(model, edited, n_places=3).starts.tolist() == [6, 12]


def test_a_place_unlike_the_others_is_told_apart(model, series_set):
    values = series_set.series[1].copy()
    values[:] = 3.0
    values[:, 10:13] = 40.0
    one_peak = replace(series_set, series=(series_set.series[0], values, *series_set.series[2:]))
    result = elsewhere(model, EditedSeries(one_peak, 1).with_edit(Edit("mask", Place(10, 13))))
    assert result is not None and result.rank == 1
    assert "this place matters" in result.sentence
    at_rest = elsewhere(model, EditedSeries(one_peak, 1).with_edit(Edit("mask", Place(2, 5))))
    assert at_rest is not None and at_rest.rank < 0.95
    assert "nothing special" in at_rest.sentence


def test_there_is_nothing_to_compare_without_an_edit_or_another_place(model, series_set):
    original = EditedSeries(series_set, 1)
    assert elsewhere(model, original) is None
    assert elsewhere(model, original.with_edit(Edit("mask", Place(0, 21)))) is None


def test_tells_progress_and_can_be_cancelled(model, series_set):
    class EnoughError(Exception):
        pass

    def stop(done, of):
        raise EnoughError

    edited = EditedSeries(series_set, 1).with_edit(Edit("mask", Place(4, 9)))
    told = []
    elsewhere(model, edited, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (14, 14)
    with pytest.raises(EnoughError):
        elsewhere(model, edited, progress=stop)
