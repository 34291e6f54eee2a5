"""A report of a shipped model: what the page tells is what was found, and its script finds it again."""

import html
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from timemil_core.data import catalogue
from timemil_core.data.series_set import SeriesSet
from timemil_core.errors import SettingsError
from timemil_core.explain.edits import Edit, Place
from timemil_core.models.shelf import open_model
from timemil_core.models.trained import TrainedModel
from timemil_core.reports.findings import Asked, Findings, find
from timemil_core.reports.page import report
from timemil_core.reports.script import script

ROOT = Path(__file__).parents[2]
ASKED = Asked(
    data="synthetic-distractor",
    model="synthetic-distractor",
    series="test 0",
    method="occlusion",
    settings={"window": 9},
    filler="interpolation",
)


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Threads add up in another order, and a report is compared to its last digit."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def model() -> TrainedModel:
    return open_model(ASKED.model)


@pytest.fixture(scope="module")
def series_set() -> SeriesSet:
    return catalogue.load(ASKED.data)


@pytest.fixture(scope="module")
def found(model: TrainedModel, series_set: SeriesSet) -> Findings:
    index = next(i for i in series_set.indices("test") if series_set.instance_labels[i].any())  # type: ignore[index]
    return find(model, series_set, replace(ASKED, series=series_set.series_ids[index]))


def test_the_map_is_about_the_predicted_class_and_scored_beside_its_controls(found: Findings) -> None:
    assert found.target == found.importance.target_class == found.examination.predicted
    assert set(found.scores) == {"this map", "untrained network", "size of the signal"}


def test_another_class_can_be_asked_for(model: TrainedModel, series_set: SeriesSet, found: Findings) -> None:
    other = find(model, series_set, replace(found.asked, target=model.class_names[1 - found.target]))
    assert other.target == 1 - found.target
    assert not np.allclose(other.importance.values, found.importance.values)


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"series": "none"}, "no series"), ({"target": "none"}, "no class"), ({"method": "guess"}, "no method"),
     ({"settings": {"depth": 1}}, "no setting depth")],
)  # fmt: skip
def test_what_does_not_exist_is_told(
    model: TrainedModel, series_set: SeriesSet, changes: dict[str, object], said: str
) -> None:
    with pytest.raises(SettingsError, match=said):
        find(model, series_set, replace(ASKED, **{"series": series_set.series_ids[0], **changes}))  # type: ignore[arg-type]


def test_the_page_opens_offline_and_tells_what_was_found(
    model: TrainedModel, series_set: SeriesSet, found: Findings
) -> None:
    page = report(model, series_set, found).decode()
    assert len(page) < 5_000_000
    assert not re.search(r"<script[^>]+src=|<link[^>]+href=", page)
    assert page.count('class="plotly-graph-div"') == 4
    said = (found.sentence, found.importance.note)
    for told in (*said, f"{found.scores['this map'].auroc:.3f}"):
        assert html.escape(told) in page
    assert model.fingerprint in page and series_set.fingerprint in page


def test_hostile_names_are_drawn_and_not_run(model: TrainedModel, series_set: SeriesSet, found: Findings) -> None:
    evil = "<script>alert(1)</script>"
    renamed = replace(found, asked=replace(found.asked, model=evil))
    page = report(model, replace(series_set, name=evil), renamed).decode()
    assert evil not in page


def test_the_script_finds_the_same(model: TrainedModel, series_set: SeriesSet, found: Findings, tmp_path: Path) -> None:
    source = tmp_path / "again.py"
    source.write_text(script(model, series_set, found.asked), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, str(source)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert found.sentence in done.stdout
    values = np.loadtxt(tmp_path / "map.csv", skiprows=1)
    np.testing.assert_allclose(values, found.importance.values, rtol=1e-4, atol=1e-5)
    assert (tmp_path / "report.html").read_bytes() == report(model, series_set, found)


def test_an_edited_series_is_reported_with_its_lineage_and_made_again(
    model: TrainedModel, series_set: SeriesSet, found: Findings, tmp_path: Path
) -> None:
    edits = (Edit("flatten", Place(10, 30, (0,)), level="span mean"), Edit("mask", Place(40, 50)))
    changed = find(model, series_set, replace(found.asked, edits=edits))
    assert changed.comparison is not None and changed.original_importance is not None
    np.testing.assert_array_equal(changed.examination.logits, changed.comparison.after.logits)
    np.testing.assert_allclose(changed.original_importance.values, found.importance.values, atol=1e-6)
    assert not changed.scores  # the truth was the original's
    page = report(model, series_set, changed, "dark").decode()
    for told in (*changed.edited.lineage, changed.comparison.sentence):
        assert html.escape(told) in page
    source = tmp_path / "again.py"
    source.write_text(script(model, series_set, changed.asked, "dark"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(source)], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page
    values = np.loadtxt(tmp_path / "edited.csv", skiprows=1, delimiter=",", ndmin=2)
    np.testing.assert_allclose(values.T, changed.edited.values, rtol=1e-6)


def test_the_script_refuses_another_model(model: TrainedModel, series_set: SeriesSet, found: Findings) -> None:
    text = script(model, series_set, found.asked).replace(model.fingerprint, "0" * 16)
    with pytest.raises(AssertionError, match="another model"):
        exec(compile(text, "again.py", "exec"), {})
