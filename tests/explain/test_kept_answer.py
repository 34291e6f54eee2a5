import copy
import dataclasses
import json

import numpy as np
import pytest

from tests.explain.builders import build_model, build_set
from timemil_core.explain import kept_answer
from timemil_core.explain.answering import answer
from timemil_core.explain.kept_answer import answer_and_keep, from_json, keep_answer, known_answer, to_json


@pytest.fixture(autouse=True)
def workspace(tmp_path, monkeypatch):
    monkeypatch.setenv("TIMEMIL_HOME", str(tmp_path))


@pytest.fixture(scope="module")
def model():
    return build_model()


@pytest.fixture(scope="module")
def series_set():
    return build_set()


@pytest.fixture(scope="module")
def found(model, series_set):
    return answer(model, series_set, n_series=2)


def same(first, second):
    """Whether two answers are one, but for the digits that are kept."""
    if isinstance(first, np.ndarray):
        np.testing.assert_allclose(first, second, rtol=1e-4, atol=1e-12)
    elif dataclasses.is_dataclass(first):
        for field in dataclasses.fields(first):
            same(getattr(first, field.name), getattr(second, field.name))
    elif isinstance(first, tuple | list):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            same(one, other)
    elif isinstance(first, float):
        assert second == pytest.approx(first, rel=1e-4, abs=1e-12)
    else:
        assert first == second


def test_what_is_kept_is_read_back(model, series_set, found, tmp_path):
    assert known_answer(model, series_set, tmp_path) is None
    keep_answer(found, model, series_set, tmp_path)
    read = known_answer(model, series_set, tmp_path)
    same(found, read)
    assert [one.sentence for one in read.classes] == [one.sentence for one in found.classes]
    assert known_answer(model, series_set) is None  # in the model's folder, not on this machine


def test_it_is_found_once(model, series_set, monkeypatch, tmp_path):
    first = answer_and_keep(model, series_set)
    monkeypatch.setattr(kept_answer, "answer", lambda *_, **__: pytest.fail("found anew"))
    same(first, answer_and_keep(model, series_set, tmp_path))


def test_another_model_or_set_or_worth_makes_it_stale(model, series_set, found, monkeypatch, tmp_path):
    keep_answer(found, model, series_set, tmp_path)
    assert known_answer(build_model(seed=1), series_set, tmp_path) is None
    assert known_answer(model, build_set(6), tmp_path) is None
    monkeypatch.setattr(kept_answer, "method_for", lambda *_: ("occlusion", "strong", True))
    assert known_answer(model, series_set, tmp_path) is None


def spoil(content, path, value):
    spoilt = copy.deepcopy(content)
    *parents, last = path
    inner = spoilt
    for key in parents:
        inner = inner[key]
    inner[last] = value
    return spoilt


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), 0),
        (("part",), "train"),
        (("classes",), []),
        (("classes", 0, "label"), 99),
        (("classes", 0, "channel"), 99),
        (("classes", 0, "shares"), [0.5]),
        (("classes", 0, "times"), [0.0]),
        (("classes", 0, "signal"), [[1.0], [1.0, 2.0]]),
        (("classes", 0, "signal"), [["1.0"]]),
        (("classes", 0, "truth"), [1.0]),
        (("classes", 0, "where", "spans"), [[1.0]]),
        (("classes", 0, "where"), None),
        (("classes", 0, "examples", 0, "index"), 10**6),
        (("classes", 0, "examples", 0, "importance"), [[1.0]]),
        (("indices",), [10**6]),
        (("predicted",), []),
    ],
)
def test_what_was_edited_is_refused(model, series_set, found, path, value):
    content = json.loads(json.dumps(to_json(found, model, series_set)))
    from_json(content, model, series_set)
    with pytest.raises(ValueError, match=r".+"):
        from_json(spoil(content, path, value), model, series_set)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b"[" * 10**5])
def test_a_damaged_file_is_found_anew(model, series_set, found, tmp_path, content):
    (tmp_path / "answer.json").write_bytes(content)
    assert known_answer(model, series_set, tmp_path) is None
    keep_answer(found, model, series_set, tmp_path)
    assert known_answer(model, series_set, tmp_path) is not None


def test_one_that_is_too_large_is_not_kept(model, series_set, found, tmp_path, monkeypatch):
    monkeypatch.setattr(kept_answer, "LARGEST", 1000)
    keep_answer(found, model, series_set, tmp_path)
    assert not (tmp_path / "answer.json").exists()
