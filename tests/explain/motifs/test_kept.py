"""An atlas that was kept comes back as it was, and never for another model, set, method or window."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.explain.motifs.kept import ATLAS_FILE, keep_atlas, known_atlas
from timemil_core.explain.motifs.motif import Atlas, Motif, Occurrence, Presence, Removal

MODEL, SET = build_model(), build_set()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep nothing from one test to the next."""
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path / "home"))


def made() -> Atlas:
    n_channels = len(MODEL.channel_names)
    mean = np.linspace(-1, 1, n_channels * 4).reshape(n_channels, 4)
    mean[0, 0] = np.nan
    removal = Removal(np.array([1.0, 2.0]), np.zeros((2, 3)))
    motif = Motif(
        1, 0, 1, (Occurrence(0, 2, 6), Occurrence(3, 1, 5)), np.arange(4.0), (1.0, 3.0), mean, mean, mean,
        {"class 1": Presence(2, 3)}, 0.25, (Occurrence(7, 0, 4),), np.ones(n_channels), removal, None, "uses", "more",
    )  # fmt: skip
    return Atlas((motif,), 4, ("how it was made",))


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    keep_atlas(made(), MODEL, SET, "occlusion", tmp_path)
    found = known_atlas(MODEL, SET, "occlusion", 4, tmp_path)
    assert found is not None
    assert (found.window, found.notes, len(found.motifs)) == (4, ("how it was made",), 1)
    own, back = made().motifs[0], found.motifs[0]
    for field in fields(own):
        before, after = getattr(own, field.name), getattr(back, field.name)
        if isinstance(before, Removal):
            np.testing.assert_array_equal(before.falls, after.falls)
            np.testing.assert_array_equal(before.random, after.random)
        elif isinstance(before, np.ndarray):
            np.testing.assert_allclose(after, before, rtol=1e-4)
        else:
            assert after == before


def test_on_this_machine_it_is_found_without_a_folder() -> None:
    assert known_atlas(MODEL, SET, "occlusion", 4) is None
    keep_atlas(made(), MODEL, SET, "occlusion")
    assert known_atlas(MODEL, SET, "occlusion", 4) is not None
    assert known_atlas(MODEL, SET, "attention", 4) is None
    assert known_atlas(MODEL, SET, "occlusion", 5) is None
    assert known_atlas(build_model(seed=1), SET, "occlusion", 4) is None


def changed(content: Any, **parts: Any) -> Any:
    """The kept atlas with other parts of its motif."""
    atlas = content["atlas"]
    return {**content, "atlas": {**atlas, "motifs": [{**atlas["motifs"][0], **parts}]}}


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: [],
        lambda content: {**content, "format": 99},
        lambda content: {**content, "atlas": 3},
        lambda content: {**content, "atlas": {"motifs": [{}]}},
        lambda content: changed(content, target=9),
        lambda content: changed(content, members=[[99, 0, 1]]),
        lambda content: changed(content, members=[]),
        lambda content: changed(content, mean=[[1.0]]),
        lambda content: changed(content, held_out={"falls": 3, "random": []}),
    ],
)
def test_a_damaged_one_is_none(damage: Any, tmp_path: Path) -> None:
    keep_atlas(made(), MODEL, SET, "occlusion", tmp_path)
    path = tmp_path / ATLAS_FILE
    path.write_text(json.dumps(damage(json.loads(path.read_text()))))
    assert known_atlas(MODEL, SET, "occlusion", 4, tmp_path) is None
    path.write_text("{")
    assert known_atlas(MODEL, SET, "occlusion", 4, tmp_path) is None
