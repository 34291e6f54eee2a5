"""One scale for the maps of a model, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.explain.contract import Importance
from timemil_core.explain.importance import explain
from timemil_core.explain.scale import measured_scale, scale_of


def a_map(values: list[float], *, by_channel: list[list[float]] | None = None, target: int | None = 0) -> Importance:
    per_channel = None if by_channel is None else np.array(by_channel)
    return Importance(np.array(values), "map", "", target is not None, "", per_channel, target_class=target)


def test_the_scale_reaches_as_far_as_nearly_all_maps_do() -> None:
    quiet, loud = a_map([0.0, 0.1, -0.2]), a_map([0.0, 4.0, 1.0])
    scale = scale_of([quiet] * 10 + [loud])  # one extreme of eleven does not pale the others
    assert scale.limits(3) == (-0.2, 0.2)
    assert scale_of([quiet, loud]).limits(3)[1] == pytest.approx(0.2 + 0.9 * 3.8)


def test_channels_count_where_a_method_tells_them_apart() -> None:
    assert scale_of([a_map([0.5, 0.5], by_channel=[[3.0, 0.0], [-2.5, 0.5]])]).limits(2) == (-3, 3)


def test_weights_are_held_against_a_flat_map_of_the_same_length() -> None:
    short, long = a_map([0.5, 0.5], target=None), a_map([0.25] * 4, target=None)
    scale = scale_of([short, long])  # both are flat
    assert scale.limits(2) == (0, 0.5)
    assert scale.limits(10) == (0, pytest.approx(0.1))


def test_it_is_measured_over_series_of_all_classes_the_same_each_time() -> None:
    model, series_set = build_model(), build_set(n_series=9)
    scale = measured_scale(model, series_set, "gradient-input")
    assert scale == measured_scale(model, series_set, "gradient-input")
    reached = [np.abs(explain(model, one, "gradient-input").values).max() for one in series_set.series]
    assert 0 < scale.highest <= max(reached)  # the sum over channels, the curve, reaches farther than each
