"""A map written for other programs reads back as what it was."""

import csv
import io
from dataclasses import replace

import numpy as np

from tests.explain.builders import build_model, build_set
from timemil_core.explain.evaluation.verdict import series_verdict
from timemil_core.explain.importance import explain
from timemil_core.reports.tables import map_csv, map_npz


def read(content: bytes) -> tuple[list[str], np.ndarray]:
    head, *rows = csv.reader(io.StringIO(content.decode()))
    return head, np.array(rows, dtype=float)


def test_a_map_by_channel_has_a_column_a_channel_and_the_truth() -> None:
    model, series_set = build_model(), build_set()
    truth = tuple(np.arange(one.shape[1]) % 3 == 0 for one in series_set.series)
    series_set = replace(series_set, instance_labels=truth)
    series = series_set.series[1]
    importance = explain(model, series, "gradient-input", 0)
    head, rows = read(map_csv(series_set, 1, series, importance))
    assert head[-1] == "instance label"
    by_channel = [rows[:, head.index(f"importance of {name}")] for name in series_set.channel_names]
    np.testing.assert_allclose(by_channel, importance.per_channel, rtol=1e-6)
    np.testing.assert_allclose(np.sum(by_channel, axis=0), rows[:, head.index("importance")], rtol=1e-4, atol=1e-9)
    np.testing.assert_array_equal(rows[:, -1], truth[1])
    np.testing.assert_allclose(rows[:, 1], series[0], rtol=1e-6)


def test_an_edited_series_is_kept_beside_the_original_without_a_truth() -> None:
    model, series_set = build_model(), build_set()
    series_set = replace(series_set, instance_labels=tuple(np.ones(one.shape[1], bool) for one in series_set.series))
    edited = series_set.series[0] + 1
    importance = explain(model, edited, "attention", 0)
    assert "instance label" not in read(map_csv(series_set, 0, edited, importance))[0]
    with np.load(io.BytesIO(map_npz(series_set, 0, edited, importance)), allow_pickle=False) as archive:
        np.testing.assert_array_equal(archive["series"], edited)
        np.testing.assert_array_equal(archive["original"], series_set.series[0])
        assert "instance_labels" not in archive


def test_the_curves_of_a_test_are_in_the_archive() -> None:
    model, series_set = build_model(), build_set()
    importance = explain(model, series_set.series[0], "attention", 0)
    verdict = series_verdict(model, series_set.series[0], importance.values, 0, n_places=3)
    content = map_npz(series_set, 0, series_set.series[0], importance, verdict)
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        np.testing.assert_allclose(archive["curves"], verdict.curves.numbers)
        assert archive["curves"].shape == (4, 4, 5) and archive["distances"].shape == (3,)
        assert archive["cells"].tolist()[:2] == ["noise, deletion", "noise, insertion"]
        assert "original" not in archive
        np.testing.assert_allclose(archive["values"], importance.values)
