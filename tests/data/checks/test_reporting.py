import pytest

from tests.data.builders import small_set
from tests.data.checks.builders import FOLDER, kinds, read
from timemil_core.data.bundled import BUNDLED, load_bundled
from timemil_core.data.checks import report
from timemil_core.data.synthetic import distractor_set


def test_a_set_with_nothing_wrong_has_no_warning():
    assert set(kinds(report(read("00_nothing_wrong.csv")))) == {"note"}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.csv")), ids=lambda path: path.stem)
def test_warnings_come_first_and_say_how_to_mend(path):
    lines = report(read(path.name))
    order = kinds(lines)
    assert order == sorted(order, reverse=True)  # warning, repair, note
    assert all(line.remedy for line in lines if line.kind == "warning")


@pytest.mark.parametrize("name", BUNDLED)
def test_the_bundled_sets_raise_no_false_alarm(name):
    assert not [str(line) for line in report(load_bundled(name)) if line.kind == "warning"]


def test_a_report_changes_nothing():
    for series_set in (small_set(), distractor_set(10, 4)):
        before = series_set.fingerprint
        assert report(series_set)
        del series_set.__dict__["fingerprint"]
        assert series_set.fingerprint == before


def test_progress_is_told_between_checks_and_can_break_them_off():
    told = []
    lines = report(small_set(), lambda done, of: told.append((done, of)))
    assert told[0] == (0, told[0][1])
    assert [done for done, _ in told] == list(range(told[0][1]))
    assert lines == report(small_set())

    def stop(done, _of):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        report(small_set(), stop)
