import dataclasses

import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.explain.boundary import most_marked
from timemil_core.explain.decision_plane import decision_planes
from timemil_core.explain.importance import METHODS, explain
from timemil_core.explain.regions import agreement


def labelled_set():
    series_set = build_set()
    truth = tuple(np.arange(length) % 10 < 4 for length in series_set.lengths)
    return dataclasses.replace(series_set, instance_labels=truth)


@pytest.mark.parametrize("supervised", [True, False])
def test_both_networks_are_measured_with_both_kinds_of_labels(supervised):
    model, series_set, indices = build_model(), labelled_set(), [0, 1, 2, 3]
    view = decision_planes(model, series_set, indices, 0)[0 if supervised else 1]
    assert view is not None
    of_class = [series_set.labels[index] == 0 for index in indices]
    by_bag = np.repeat(of_class, series_set.lengths[indices])
    by_instance = by_bag & np.concatenate([series_set.instance_labels[index] for index in indices])
    assert view.agreements == {"bag": agreement(view.plane, by_bag), "instance": agreement(view.plane, by_instance)}
    assert view.agreements["bag"] != view.agreements["instance"]
    np.testing.assert_array_equal(view.labels, by_bag if supervised else by_instance)  # as in the paper


@pytest.mark.parametrize("method", ["occlusion", "attention"])
def test_where_no_instance_labels_are_known_what_a_map_marks_most_stands_in_on_both_sides(method):
    model, series_set = build_model(), build_set()
    sides = decision_planes(model, series_set, [0, 1, 2], 0, method=method)
    marked = most_marked(explain(model, series_set.series[0], method, 0).values)
    assert np.flatnonzero(sides[1].labels).tolist() == np.flatnonzero(marked).tolist()
    assert METHODS[method].title in sides[1].labels_sentence
    for view in sides:
        assert view.agreements["instance"].majority == pytest.approx(1 - 4 / (20 + 21 + 22))
    assert "the model's own word" in sides[1].labels_sentence


def test_the_labels_of_both_planes_are_found_once(monkeypatch):
    model, series_set, asked = build_model(), build_set(), []
    monkeypatch.setattr(
        "timemil_core.explain.decision_plane.explain", lambda *given: asked.append(given) or explain(*given)
    )
    supervised, timemil = decision_planes(model, series_set, [0, 1, 2], 0, method="attention")
    assert len(asked) == 1  # one of the series is of the class
    assert not np.allclose(supervised.plane.points, timemil.plane.points)
    without = dataclasses.replace(model, supervised=None)
    assert decision_planes(without, series_set, [0, 1], 0, method="attention")[0] is None
