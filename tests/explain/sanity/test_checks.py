import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.errors import SettingsError
from timemil_core.explain.sanity.checks import SanityChecks, sanity_checks


@pytest.fixture(scope="module")
def checks() -> SanityChecks:
    return sanity_checks(build_model(), build_set(), n_series=2)


def test_a_method_agrees_with_itself_and_pairs_agree_both_ways(checks: SanityChecks) -> None:
    np.testing.assert_allclose(np.diag(checks.agreement), 1)
    np.testing.assert_allclose(checks.agreement, checks.agreement.T)
    assert (np.abs(checks.agreement) <= 1 + 1e-12).all()


def test_what_no_class_is_asked_about_does_not_depend_on_the_classifier(checks: SanityChecks) -> None:
    kept = dict(zip(checks.methods, checks.kept, strict=True))
    assert kept["Class token's attention"][0] == pytest.approx(1)
    assert kept["Activation energy (the paper's APBA)"][:3] == pytest.approx([1, 1, 1])  # it knows the backbone alone
    assert kept["Integrated gradients"][0] < 0.999
    assert kept["Class token's attention"][-1] < 0.999


def test_the_training_part_is_looked_at(checks: SanityChecks) -> None:
    assert (checks.part, checks.n_series) == ("training", 2)


def test_methods_that_hardly_change_are_named() -> None:
    kept = np.array([[1.0, 0.9], [1.0, 0.1], [1.0, np.nan]])
    assert SanityChecks(("a", "b", "c"), np.eye(3), ("x", "y"), kept, "training", 1).insensitive == ("a",)


def test_without_series_there_is_nothing_to_check() -> None:
    with pytest.raises(SettingsError, match="no series"):
        sanity_checks(build_model(), build_set(), n_series=0)
