import dataclasses

import numpy as np
import pytest

from benchmarks.localisation import scores, table
from tests.explain.builders import build_set


def one_seed(seed, auroc, untrained):
    def of(value):
        return {"auroc": value, "average_precision": value, "ndcg": value, "pointing_game": 1.0, "classes": {}}

    maps = {"occlusion": {"trained": of(auroc), "untrained": of(untrained)}, "random": {"trained": of(0.5)}}
    about = {"seed": seed, "accuracy": 1.0, "n_series": 3, "opens on": "occlusion"}
    return {**about, "maps": {**maps, "opens on": maps["occlusion"]}}


def test_the_table_says_where_the_untrained_network_scores_as_well():
    rows = table("set", [one_seed(0, 0.9, 0.95), one_seed(1, 0.8, 0.95)])
    by_map = {row["map"]: row for row in rows}
    assert by_map["occlusion"]["AUROC"] == pytest.approx(0.85) and by_map["occlusion"]["lowest AUROC"] == 0.8
    assert by_map["occlusion"]["AUROC untrained"] == pytest.approx(0.95)
    assert "explains the data" in by_map["occlusion"]["note"]
    assert by_map["random"]["note"] == "control" and by_map["random"]["AUROC untrained"] == "–"
    assert by_map["opens on: occlusion"]["AUROC"] == by_map["occlusion"]["AUROC"]
    assert table("set", [one_seed(0, 0.9, 0.5)])[0]["note"] == ""


def test_what_was_not_measured_for_every_seed_has_no_row():
    other = one_seed(1, 0.8, 0.5)
    other["maps"]["contribution"] = other["maps"].pop("occlusion")
    assert [row["map"] for row in table("set", [one_seed(0, 0.9, 0.5), other])] == ["random", "opens on: occlusion"]


def test_scores_are_means_over_the_series():
    series_set = build_set(2)
    truths = tuple(np.arange(len(one[0])) < 5 for one in series_set.series)
    series_set = dataclasses.replace(series_set, instance_labels=truths)
    perfect = {0: 1.0, 1: -1.0}
    found = scores(series_set, lambda index: perfect[index] * truths[index].astype(float))
    assert found["auroc"] == 0.5 and found["pointing_game"] == 0.5
    assert found["classes"]["class 0"]["auroc"] == 1 and found["classes"]["class 1"]["auroc"] == 0
