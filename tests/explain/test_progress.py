import pytest

from tests.explain.builders import build_model, build_series, keys_for
from timemil_core.explain.evaluation.verdict import series_verdict
from timemil_core.explain.importance import METHODS, explain
from timemil_core.explain.progress import share_of

CLASS_SPECIFIC = [key for key in keys_for() if METHODS[key].class_specific]


@pytest.mark.parametrize("method", CLASS_SPECIFIC)
def test_progress_rises_to_its_end(method):
    told = []
    explain(build_model(), build_series(), method, 0, progress=lambda done, of: told.append((done, of)))
    shares = [done / of for done, of in told]
    assert shares == sorted(shares) and shares[-1] == 1


@pytest.mark.parametrize("method", CLASS_SPECIFIC)
def test_whoever_is_told_may_cancel(method):
    class EnoughError(Exception):
        pass

    def cancel(done, of):
        raise EnoughError

    with pytest.raises(EnoughError):
        explain(build_model(), build_series(), method, 0, progress=cancel)


def test_tests_of_a_map_tell_their_progress():
    told = []
    model, series = build_model(), build_series(n_timepoints=3000)
    values = series[0].astype(float)
    series_verdict(model, series, values, 0, n_places=3, progress=lambda done, of: told.append((done, of)))
    assert len(told) > 1 and told[-1][0] == told[-1][1]


def test_a_part_s_progress_is_that_of_the_whole():
    told = []
    share_of(lambda done, of: told.append((done, of)), 1, 3)(2, 4)
    assert told == [(6, 12)]
