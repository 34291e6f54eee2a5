import pytest

from tests.explain.builders import build_model, build_series
from timemil_core.explain.padding import mass_on_padding
from timemil_core.models.config import POOLING_NAMES


@pytest.mark.parametrize("pooling", POOLING_NAMES)
@pytest.mark.parametrize("n_timepoints", [1, 8, 40])
def test_nothing_stands_on_padding(pooling, n_timepoints):
    assert mass_on_padding(build_model(pooling=pooling), build_series(n_timepoints=n_timepoints)) == 0


def test_what_stands_there_is_counted(monkeypatch):
    model = build_model(pooling="mean")
    forward = model.timemil.pooling.forward
    monkeypatch.setattr(
        model.timemil.pooling, "forward", lambda instances, mask=None, **more: forward(instances, **more)
    )
    # An unmasked mean over 8 time points and 5 of padding.
    assert mass_on_padding(model, build_series(n_timepoints=8)) == pytest.approx(5 / 13)
