import numpy as np
import pytest

from tests.explain.builders import build_model, build_series
from timemil_core.explain.examination import examine


def test_is_what_the_model_computes():
    model, series = build_model(), build_series()
    examination = examine(model, series)
    prediction = model.predict([series])
    np.testing.assert_allclose(examination.logits, prediction.logits[0], atol=1e-5)
    np.testing.assert_allclose(examination.probabilities, prediction.probabilities[0], atol=1e-6)
    assert examination.predicted == prediction.labels[0]
    assert examination.instances.shape == (40, 8)
    assert [row.shape for row in examination.class_token_rows] == [(2, 41), (2, 41)]


def test_exact_rows_sum_to_one_and_the_pooling_weights_are_the_last_row():
    examination = examine(build_model(), build_series())
    for rows in examination.class_token_rows:
        np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-5)
    last = examination.class_token_rows[-1]
    np.testing.assert_allclose(examination.pooling_weights, last.mean(axis=0)[1:], atol=1e-6)


@pytest.mark.parametrize("row_only, approximate", [(True, (True, False)), (False, (True, True))])
def test_tells_which_rows_are_approximate(row_only, approximate):
    model = build_model(attention="nystrom", class_token_row_only=row_only)
    assert examine(model, build_series()).approximate == approximate


def test_only_series_beyond_the_threshold_are_approximate():
    model = build_model(attention="auto", exact_up_to=40)
    assert examine(model, build_series(n_timepoints=40)).approximate == (False, False)
    assert examine(model, build_series(n_timepoints=41)).approximate == (True, False)


@pytest.mark.parametrize("pooling", ["mean", "max", "attention", "conjunctive"])
def test_other_poolings_have_no_rows(pooling):
    examination = examine(build_model(pooling=pooling), build_series())
    assert examination.class_token_rows == () and examination.approximate == ()
    assert examination.pooling_weights.shape == (40,)
    assert np.all(examination.pooling_weights >= 0)


@pytest.mark.parametrize("settings", [{}, {"class_token_row_only": False}, {"pooling": "mean"}, {"n_layers": 3}])
def test_tells_how_far_the_pass_is_to_its_end(settings):
    told = []
    examine(build_model(**settings), build_series(), lambda done, of: told.append((done, of)))
    n_stages = 8 + (0 if "pooling" in settings else settings.get("n_layers", 2))
    assert told == [(done, n_stages) for done in range(1, n_stages + 1)]


def test_a_pass_is_broken_off_between_two_stages_and_leaves_nobody_watching():
    class EnoughError(Exception):
        pass

    def enough(done, of):
        told.append(done)
        if done == 3:
            raise EnoughError

    model, series, told = build_model(), build_series(), []
    with pytest.raises(EnoughError):
        examine(model, series, enough)
    assert told == [1, 2, 3]
    examination = examine(model, series)
    assert told == [1, 2, 3]
    assert examination.seconds > 0
    np.testing.assert_allclose(examination.logits, model.predict([series]).logits[0], atol=1e-5)
