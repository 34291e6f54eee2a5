"""The catalogue on the Data page: what is shown, what a click means, and a download from a server of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.data.catalogue import ALL, HERE, SEARCH_KEY, SHOW_KEY, UCR, UEA, WANTED_KEY, kept, on_top
from app.data.catalogue_table import row_of
from app.data.fetching import told
from tests.data.archive.conftest import FILES, Archive, mirror, own_folders, server, zip_of
from timemil_core.data import catalogue, store
from timemil_core.data.archive import Progress, jobs
from timemil_core.data.series_set import SeriesSet, default_channel_names

__all__ = ["mirror", "own_folders", "server"]

ENTRY = Path(__file__).resolve().parents[3] / "app" / "shell.py"
PATIENCE = 300


@pytest.fixture(autouse=True)
def no_jobs(own_folders: Path) -> Iterator[None]:
    jobs.forget("Cricket")
    yield
    if job := jobs.find("Cricket"):
        job.cancel()
        job.wait(PATIENCE)
    jobs.forget("Cricket")


def data_page(**query: str) -> AppTest:
    app = AppTest.from_file(ENTRY, default_timeout=PATIENCE)
    for name, value in {"data": "BasicMotions", **query}.items():
        app.query_params[name] = value
    app.run()
    return app.switch_page("data/page.py").run()


def listed(app: AppTest) -> list[str]:
    [table] = [frame.value for frame in app.dataframe if "TimeMIL, paper" in frame.value]
    return table["name"].tolist()


def said(app: AppTest) -> str:
    elements = [*app.header, *app.subheader, *app.markdown, *app.caption, *app.error, *app.code]
    return "\n".join(element.value for element in elements).replace("\\", "")


def want(app: AppTest, name: str) -> AppTest:
    """Do what a click on a row does: the test frame cannot click into a table."""
    chosen = app.query_params["data"]
    app.session_state[WANTED_KEY] = (name, chosen[0] if isinstance(chosen, list) else chosen)
    return app.run()


def test_a_click_on_a_mark_or_on_a_cell_picks_the_row() -> None:
    assert row_of({"rows": [3], "cells": [], "columns": []}) == 3
    assert row_of({"rows": [3], "cells": [(5, "name")], "columns": []}) == 5
    assert row_of({"rows": [], "cells": [], "columns": []}) is None


def test_filters_keep_what_they_say() -> None:
    entries = catalogue.entries()
    assert kept(entries, ALL) == entries
    assert all(entry.available for entry in kept(entries, HERE))
    assert len(kept(entries, UEA)) == 30
    assert len(kept(entries, UCR)) == 128


def test_the_chosen_set_is_listed_first() -> None:
    entries = catalogue.entries()
    moved = on_top(entries, "Cricket")
    assert moved[0].reference == "Cricket"
    assert [entry for entry in moved if entry.reference != "Cricket"] == [
        entry for entry in entries if entry.reference != "Cricket"
    ]
    assert on_top(entries, "no such set") == entries


def test_progress_in_words() -> None:
    progress = Progress()
    assert told(progress) == "asking the archive …"
    progress.begin("loading from zenodo.org", 4_000_000)
    progress.advance(1_000_000)
    assert told(progress).startswith("loading from zenodo.org: 1.0 MB of 4.0 MB")
    progress.total = None
    assert told(progress) == "loading from zenodo.org: 1.0 MB"


def test_the_page_lists_every_set_with_its_published_accuracies_and_shows_the_chosen_one() -> None:
    app = data_page()
    assert not app.exception
    assert not app.error
    assert len(listed(app)) == len(catalogue.entries())
    assert listed(app)[0] == "BasicMotions"
    [table] = [frame.value for frame in app.dataframe if "TimeMIL, paper" in frame.value]
    row = table.set_index("name").loc["Cricket"]
    assert (row["TimeMIL, paper"], row["best other"], row["classes"]) == (1.0, 1.0, 12)
    assert "What each class looks like" in said(app)
    assert "Chen et al., TimeMIL, ICML 2024" in said(app)
    assert {metric.label: metric.value for metric in app.metric}["Training series"] == "40"


def test_search_and_filter_narrow_the_table() -> None:
    app = data_page()
    app.text_input(key=SEARCH_KEY).set_value("ecg leads").run()
    assert listed(app) == ["AtrialFibrillation"]
    app.text_input(key=SEARCH_KEY).set_value("no such set").run()
    assert "No set fits" in said(app)
    app.text_input(key=SEARCH_KEY).set_value("").run()
    app.segmented_control(key=SHOW_KEY).set_value(HERE).run()
    assert "Cricket" not in listed(app)
    assert not app.exception


def test_a_set_of_this_machine_is_opened_by_picking_it() -> None:
    app = want(data_page(), "GunPoint")
    assert listed(app)[0] == "BasicMotions"  # the table stays as it was when it was clicked
    assert not app.error
    assert app.query_params["data"] in ("GunPoint", ["GunPoint"])
    assert "A hand draws a gun" in said(app)
    assert WANTED_KEY not in app.session_state


def test_a_set_that_cannot_be_read_leaves_the_former_choice(own_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = own_folders / "data" / "Broken"
    broken.mkdir(parents=True)
    for part in ("TRAIN", "TEST"):
        (broken / f"Broken_{part}.ts").write_text(
            "@problemName Broken\n@univariate true\n@classLabel true up\n@data\n1,x:up\n"
        )
    monkeypatch.setenv("TIMEMIL_DATA_DIR", str(own_folders / "data"))
    app = want(data_page(), "Broken")
    assert not app.exception
    assert any("Broken_TRAIN" in error.value.replace("\\", "") for error in app.error)
    assert app.query_params["data"] in ("BasicMotions", ["BasicMotions"])


def test_a_download_that_fails_says_what_to_do_and_can_be_tried_again(mirror: Archive, own_folders: Path) -> None:
    app = want(data_page(), "Cricket")
    assert "not on this machine yet" in said(app)
    assert "What each class looks like" not in said(app)
    app.button(key="download").click().run()
    jobs.start("Cricket").wait(PATIENCE)
    app.run()
    assert "answered 404" in said(app)
    assert str(own_folders / "aeon" / "Cricket") in said(app)
    assert not (own_folders / "aeon").exists()
    assert app.button(key="download").label == "Try again"
    app.button(key="leave").click().run()
    assert "What each class looks like" in said(app)


def test_a_download_is_opened_when_it_is_whole(mirror: Archive) -> None:
    mirror.offer_zip()
    app = want(data_page(), "Cricket")
    app.button(key="download").click().run()
    job = jobs.find("Cricket")
    assert job is not None
    job.wait(PATIENCE)
    app.run()
    assert not app.error
    assert app.query_params["data"] in ("Cricket", ["Cricket"])
    assert {metric.label: metric.value for metric in app.metric}["Training series"] == "2"


def test_a_running_download_survives_a_rerun_and_is_cancelled(mirror: Archive, own_folders: Path) -> None:
    mirror.offer("/Cricket.zip", zip_of(FILES | {"more.bin": np.random.default_rng(0).bytes(400_000)}))
    mirror.waits_after = 200_000
    app = want(data_page(), "Cricket")
    app.button(key="download").click().run()
    first = jobs.find("Cricket")
    app.run()
    assert jobs.find("Cricket") is first
    app.button(key="cancel_download").click().run()
    mirror.go_on.set()
    assert first is not None
    first.wait(PATIENCE)
    app.run()
    assert "Cancelled" in said(app)
    assert not (own_folders / "aeon").exists()


def test_a_link_to_a_set_that_is_not_here_offers_it() -> None:
    app = data_page(data="Cricket")
    assert not app.exception
    assert "not on this machine" in said(app)
    assert app.button(key="download").label == "Download Cricket"


def test_a_model_whose_data_are_not_here_says_so_once_and_leads_to_them() -> None:
    app = AppTest.from_file(ENTRY, default_timeout=PATIENCE)
    app.query_params["model"] = "ering-faithful"
    app.run()
    assert not app.exception and not app.error
    assert [one.value for one in app.info] == [
        "ERing is not on this machine. Download it from the catalogue on the Data page."
    ]
    link = next(one for one in app.get("page_link") if one.proto.label == "Download ERing")
    assert link.proto.query_string == "data=ERing"


def test_a_set_that_is_elsewhere_says_where() -> None:
    app = want(data_page(), "WebTraffic")
    assert "github.com/JAEarly" in said(app)
    assert not [button for button in app.button if button.key == "download"]


def shown(**changes: object) -> AppTest:
    content: dict[str, object] = {
        "name": "made",
        "series": tuple(np.full((1, 5), index, dtype=np.float32) for index in range(4)),
        "labels": np.array([0, 0, 1, 1]),
        "class_names": ("a", "b"),
        "series_ids": ("1", "2", "3", "4"),
        "channel_names": ("x",),
        "split": np.array(["train", "test", "train", "test"]),
    }
    reference = store.keep(SeriesSet(**{**content, **changes}))  # type: ignore[arg-type]
    app = data_page(data=reference)
    assert not app.exception
    assert not app.error
    return app


def test_the_overview_of_series_with_missing_values() -> None:
    series = tuple(np.array([[1, np.nan, 3]], dtype=np.float32) for _ in range(4))
    app = shown(series=series)
    assert "33.3 % of all values, in 4 series of 4." in said(app)


@pytest.mark.pitfall(23)
def test_the_overview_of_more_classes_and_channels_than_are_drawn() -> None:
    n = 40
    app = shown(
        series=tuple(np.full((20, 3), index, dtype=np.float32) for index in range(n)),
        labels=np.arange(n),
        class_names=tuple(f"class {index}" for index in range(n)),
        series_ids=tuple(str(index) for index in range(n)),
        channel_names=default_channel_names(20),
        split=np.array(["train", "test"] * (n // 2)),
    )
    picks = {pick.label: pick for pick in app.multiselect}
    picks["Classes, of 40"].set_value([39]).run()
    picks["Channels, of 20"].set_value([]).run()
    assert "Pick at least one" in said(app)
    assert not app.exception


@pytest.mark.pitfall(12, 16, 23)
@pytest.mark.parametrize(
    "changes",
    [
        {"labels": np.full(4, -1), "class_names": ()},
        {"labels": np.zeros(4, int), "class_names": ("only",)},
        {"series": tuple(np.ones((1, length), dtype=np.float32) for length in (1, 5, 9, 2))},
        {"series": tuple(np.full((1, 3), np.nan, dtype=np.float32) for _ in range(4))},
        {"series": tuple(np.zeros((1, 100_000), dtype=np.float32) + index for index in range(4))},
        {"split": np.full(4, "train")},
        {"split": np.full(4, "test")},
        {"name": "<b>x</b> *y*", "class_names": ("<i>a</i>", "b"), "channel_names": ("$x$",)},
    ],
    ids=["no labels", "one class", "unequal", "all missing", "long", "no test", "no training", "markup"],
)
def test_the_overview_of_odd_sets(changes: dict[str, object]) -> None:
    assert "How many, how long, how large" in said(shown(**changes))
